package s3blobs

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"regexp"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"

	"github.com/tablewright/tablewright/internal/partition"
)

// Style is where a request has the bucket's name.
type Style string

// The styles (docs.aws.amazon.com/AmazonS3/latest/userguide/VirtualHosting.html). The zero Style is VirtualHost at S3, but
// Path for a bucket whose name has a dot (no certificate is for it) or is none for a host, and Path at a stated endpoint.
const (
	VirtualHost Style = "virtual-host" // https://BUCKET.s3.eu-central-1.amazonaws.com/KEY
	Path        Style = "path"         // https://s3.eu-central-1.amazonaws.com/BUCKET/KEY
)

// endpoint is where requests of a bucket go.
type endpoint struct {
	url    url.URL // without the key; Path ends in /
	plain  bool    // not encrypted, and not on this machine
	stated bool    // by Options
}

// hostLabel is a bucket's name that can be a part of a host's.
var hostLabel = regexp.MustCompile(`^[a-z0-9][a-z0-9-]*[a-z0-9]$`)

// bucketName is what the service takes, and older servers did
// (docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html).
var bucketName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{1,253}[A-Za-z0-9]$`)

// newEndpoint follows from the options and the configuration.
func newEndpoint(ctx context.Context, cfg aws.Config, o *Options) (endpoint, error) {
	var e endpoint
	if !bucketName.MatchString(o.Bucket) || strings.Contains(o.Bucket, "..") {
		return e, fmt.Errorf("s3blobs: %q is no name of a bucket", o.Bucket)
	}
	text, err := o.Endpoint, error(nil)
	if e.stated = text != ""; !e.stated {
		if text, err = configured(ctx, cfg); err != nil {
			return e, err
		}
	}
	style := o.Style
	if text == "" {
		if text, err = service(ctx, cfg); err != nil {
			return e, err
		}
		if style == "" && hostLabel.MatchString(o.Bucket) {
			style = VirtualHost
		}
	}
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return e, fmt.Errorf("s3blobs: endpoint %q is no http or https address", text)
	}
	if u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return e, fmt.Errorf("s3blobs: endpoint %q has more than a host and a path", u.Redacted())
	}
	e.plain = u.Scheme == "http" && !loopback(u.Hostname())
	u.Path = strings.TrimSuffix(u.Path, "/") + "/"
	switch style {
	case VirtualHost:
		if net.ParseIP(u.Hostname()) != nil {
			return e, fmt.Errorf("s3blobs: the endpoint %s is an address, to which no bucket's name can be added: use the style %s", text, Path)
		}
		u.Host = o.Bucket + "." + u.Host
	case "", Path:
		u.Path += o.Bucket + "/"
	default:
		return e, fmt.Errorf("s3blobs: there is no style %q: %s or %s", style, VirtualHost, Path)
	}
	e.url = *u
	return e, nil
}

func loopback(host string) bool {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	ip := net.ParseIP(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || ip != nil && ip.IsLoopback()
}

// The sources of AWS's configuration answer these (docs.aws.amazon.com/sdkref/latest/guide/feature-ss-endpoints.html,
// feature-endpoints.html); the SDK's generated clients ask them the same way.
type (
	endpointSource interface {
		GetServiceBaseEndpoint(ctx context.Context, sdkID string) (string, bool, error)
	}
	ignoreSource interface {
		GetIgnoreConfiguredEndpoints(ctx context.Context) (bool, bool, error)
	}
	fipsSource interface {
		GetUseFIPSEndpoint(ctx context.Context) (aws.FIPSEndpointState, bool, error)
	}
	dualStackSource interface {
		GetUseDualStackEndpoint(ctx context.Context) (aws.DualStackEndpointState, bool, error)
	}
)

func sources[S, V any](cfg aws.Config, ask func(S) (V, bool, error)) (v V, found bool, err error) {
	for _, s := range cfg.ConfigSources {
		if of, ok := s.(S); ok {
			if v, found, err = ask(of); found || err != nil {
				return v, found, err
			}
		}
	}
	return v, false, nil
}

// configured is AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL, or what the profile says for them; "": none.
func configured(ctx context.Context, cfg aws.Config) (string, error) {
	ignored, _, err := sources(cfg, func(s ignoreSource) (bool, bool, error) { return s.GetIgnoreConfiguredEndpoints(ctx) })
	if err != nil || ignored {
		return "", err
	}
	text, _, err := sources(cfg, func(s endpointSource) (string, bool, error) { return s.GetServiceBaseEndpoint(ctx, "S3") })
	if text == "" && err == nil && cfg.BaseEndpoint != nil {
		text = *cfg.BaseEndpoint
	}
	return text, err
}

// service is S3's own address in a Region (docs.aws.amazon.com/general/latest/gr/s3.html).
func service(ctx context.Context, cfg aws.Config) (string, error) {
	if cfg.Region == "" {
		return "", errors.New("s3blobs: no Region: set AWS_REGION, the profile's region or Options.Region")
	}
	fips, _, err := sources(cfg, func(s fipsSource) (aws.FIPSEndpointState, bool, error) { return s.GetUseFIPSEndpoint(ctx) })
	if err != nil {
		return "", fmt.Errorf("s3blobs: AWS configuration: %w", err)
	}
	dual, _, err := sources(cfg, func(s dualStackSource) (aws.DualStackEndpointState, bool, error) {
		return s.GetUseDualStackEndpoint(ctx)
	})
	if err != nil {
		return "", fmt.Errorf("s3blobs: AWS configuration: %w", err)
	}
	host := "s3"
	if fips == aws.FIPSEndpointStateEnabled {
		host += "-fips"
	}
	if dual == aws.DualStackEndpointStateEnabled {
		host += ".dualstack"
	}
	return "https://" + host + "." + cfg.Region + "." + partition.Of(cfg.Region).Domain, nil
}
