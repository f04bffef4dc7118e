package tablewright

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"net/url"
	"os"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/feature/ec2/imds"
)

// Connect opens a way to DynamoDB, or to anything that speaks its protocol. Credentials, Region and endpoint come from
// AWS's own configuration chain (environment, shared files, container or instance) unless o says otherwise; of the
// endpoint, o.Endpoint wins, then AWS_ENDPOINT_URL_DYNAMODB and its kin
// (docs.aws.amazon.com/sdkref/latest/guide/feature-ss-endpoints.html). Nothing is sent to the service: an error says that
// the configuration is unusable.
//
// With an endpoint on this machine (a loopback address) a missing Region is "local", and missing credentials are
// placeholders: local servers want a signature, not an identity. Instance metadata is not asked then.
func Connect(ctx context.Context, o Options) (*DB, error) {
	cfg, err := configuration(ctx, o)
	if err != nil {
		return nil, err
	}
	end, err := resolveEndpoint(ctx, o.Endpoint, cfg)
	if err != nil {
		return nil, err
	}
	t := &httpTransport{
		client:   o.HTTP,
		endpoint: end,
		region:   cfg.Region,
		signer:   v4.NewSigner(),
		clock:    systemClock{}, // signatures are checked against the service's clock, whatever Options.Clock plays
	}
	if t.client == nil {
		t.client = newHTTPClient()
	}
	t.credentials = aws.NewCredentialsCache(cfg.Credentials)
	if loopback(end.text) {
		if _, err := t.credentials.Retrieve(ctx); err != nil {
			t.credentials = aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
				return aws.Credentials{AccessKeyID: "local", SecretAccessKey: "local"}, nil
			})
		}
	}
	return New(t, o), nil
}

func configuration(ctx context.Context, o Options) (aws.Config, error) {
	if o.AWS != nil {
		cfg := o.AWS.Copy()
		if o.Region != "" {
			cfg.Region = o.Region
		}
		return cfg, checkRegion(cfg)
	}
	var load []func(*config.LoadOptions) error
	if o.Region != "" {
		load = append(load, config.WithRegion(o.Region))
	}
	local := loopback(cmp.Or(o.Endpoint, os.Getenv("AWS_ENDPOINT_URL_DYNAMODB")))
	if local {
		load = append(load, config.WithEC2IMDSClientEnableState(imds.ClientDisabled))
	}
	cfg, err := config.LoadDefaultConfig(ctx, load...)
	if err != nil {
		return cfg, fmt.Errorf("tablewright: AWS configuration: %w", err)
	}
	if local && cfg.Region == "" {
		cfg.Region = "local"
	}
	return cfg, checkRegion(cfg)
}

// loopback reports whether an endpoint is on this machine.
func loopback(text string) bool {
	u, err := url.Parse(text)
	if err != nil {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}

func checkRegion(cfg aws.Config) error {
	if cfg.Region == "" {
		return fmt.Errorf("tablewright: no Region: set AWS_REGION, the profile's region or Options.Region")
	}
	if cfg.Credentials == nil {
		return fmt.Errorf("tablewright: Options.AWS has no Credentials")
	}
	return nil
}

// endpoint is where requests go. Account-based endpoints depend on the credentials, so the address is asked per request.
type endpoint struct{ text string }

func (e endpoint) url(aws.Credentials) string { return e.text }

func newEndpoint(text string) (endpoint, error) {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return endpoint{}, fmt.Errorf("tablewright: endpoint %q is no http or https address", text)
	}
	if u.Path == "" {
		u.Path = "/"
	}
	return endpoint{u.String()}, nil
}

// The sources of a configuration answer these; the SDK's generated clients ask them the same way.
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

func resolveEndpoint(ctx context.Context, stated string, cfg aws.Config) (endpoint, error) {
	if stated != "" {
		return newEndpoint(stated)
	}
	text, err := configuredEndpoint(ctx, cfg)
	if err != nil {
		return endpoint{}, err
	}
	if text != "" {
		return newEndpoint(text)
	}
	var fips, dual bool
	for _, s := range cfg.ConfigSources {
		if f, ok := s.(fipsSource); ok && !fips {
			state, found, err := f.GetUseFIPSEndpoint(ctx)
			if err != nil {
				return endpoint{}, err
			}
			fips = found && state == aws.FIPSEndpointStateEnabled
		}
		if d, ok := s.(dualStackSource); ok && !dual {
			state, found, err := d.GetUseDualStackEndpoint(ctx)
			if err != nil {
				return endpoint{}, err
			}
			dual = found && state == aws.DualStackEndpointStateEnabled
		}
	}
	return newEndpoint(regionalEndpoint(cfg.Region, fips, dual))
}

// configuredEndpoint is what environment or shared files state for DynamoDB, or for all services.
func configuredEndpoint(ctx context.Context, cfg aws.Config) (string, error) {
	for _, s := range cfg.ConfigSources {
		if i, ok := s.(ignoreSource); ok {
			ignore, found, err := i.GetIgnoreConfiguredEndpoints(ctx)
			if err != nil {
				return "", err
			}
			if found && ignore {
				return aws.ToString(cfg.BaseEndpoint), nil
			}
		}
	}
	for _, s := range cfg.ConfigSources {
		if e, ok := s.(endpointSource); ok {
			text, found, err := e.GetServiceBaseEndpoint(ctx, "DynamoDB")
			if err != nil {
				return "", err
			}
			if found {
				return text, nil
			}
		}
	}
	return aws.ToString(cfg.BaseEndpoint), nil
}

// regionalEndpoint is the public address of DynamoDB in a Region (docs.aws.amazon.com/general/latest/gr/ddb.html).
func regionalEndpoint(region string, fips, dual bool) string {
	service, domain, dualDomain := "dynamodb", "amazonaws.com", "api.aws"
	switch {
	case strings.HasPrefix(region, "cn-"):
		domain, dualDomain = "amazonaws.com.cn", "api.amazonwebservices.com.cn"
	case strings.HasPrefix(region, "us-iso-"):
		domain = "c2s.ic.gov"
	case strings.HasPrefix(region, "us-isob-"):
		domain = "sc2s.sgov.gov"
	case strings.HasPrefix(region, "eu-isoe-"):
		domain = "cloud.adc-e.uk"
	case strings.HasPrefix(region, "us-isof-"):
		domain = "csp.hci.ic.gov"
	case strings.HasPrefix(region, "eusc-"):
		domain = "amazonaws.eu"
	}
	// In GovCloud the ordinary address is the FIPS one.
	if fips && !(strings.HasPrefix(region, "us-gov-") && !dual) {
		service += "-fips"
	}
	if dual {
		domain = dualDomain
	}
	return "https://" + service + "." + region + "." + domain
}
