package tablewright

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"

	"github.com/tablewright/tablewright/internal/partition"
)

// In the Region "local" AWS's SDKs look for a server at this address.
const (
	localRegion   = "local"
	localEndpoint = "http://localhost:8000"
)

// endpoint is where requests go.
type endpoint struct {
	text     string // of every request, or of those whose credentials tell no account
	account  string // behind an account's number; "": there are none
	required bool   // only the account's own
	stated   bool   // by Options.Endpoint
	local    bool   // on this machine
	plain    bool   // not encrypted
}

// url is the address for a request that is signed with credentials, which may tell the account.
func (e *endpoint) url(c aws.Credentials) (string, error) {
	if e.plain && !e.local && !e.stated && c.SessionToken != "" {
		return "", fmt.Errorf("the endpoint %s, of environment or profile, is not encrypted and not on this machine: "+
			"the credentials' session token is not sent there unless Options.Endpoint states it", e.text)
	}
	if e.account == "" {
		return e.text, nil
	}
	switch {
	case c.AccountID == "" && e.required:
		return "", errors.New("the account's endpoint is required (AWS_ACCOUNT_ID_ENDPOINT_MODE), and the credentials tell no account")
	case c.AccountID == "":
		return e.text, nil
	case strings.Trim(c.AccountID, "0123456789") != "":
		return "", errors.New("the credentials tell an account that is no number")
	}
	return "https://" + c.AccountID + e.account, nil
}

// loopback reports whether an endpoint is on this machine.
func loopback(text string) bool {
	u, err := url.Parse(text)
	if err != nil {
		return false
	}
	host := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
	ip := net.ParseIP(host)
	// Names below localhost are on this machine too: RFC 6761, 6.3.
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || ip != nil && ip.IsLoopback()
}

// statedEndpoint is one that is not DynamoDB's own.
func statedEndpoint(ctx context.Context, text string, cfg aws.Config) (endpoint, error) {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return endpoint{}, fmt.Errorf("tablewright: endpoint %q is no http or https address, such as http://127.0.0.1:8000", text)
	}
	if u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return endpoint{}, fmt.Errorf("tablewright: endpoint %q has more than a host and a path", u.Redacted())
	}
	if u.Path == "" {
		u.Path = "/"
	}
	e := endpoint{text: u.String(), local: loopback(text), plain: u.Scheme == "http"}
	fips, dual, err := variants(ctx, cfg)
	if err == nil && (fips || dual) && !e.local {
		err = fmt.Errorf("tablewright: FIPS or dual stack are asked for, and the endpoint %s is stated: whether it has them cannot be told; "+
			"state that endpoint, or leave the choice to AWS_USE_FIPS_ENDPOINT and AWS_USE_DUALSTACK_ENDPOINT", e.text)
	}
	return e, err
}

// serviceEndpoint is DynamoDB's own.
func serviceEndpoint(ctx context.Context, cfg aws.Config) (endpoint, error) {
	fips, dual, err := variants(ctx, cfg)
	if err != nil {
		return endpoint{}, err
	}
	e := endpoint{text: regionalEndpoint(cfg.Region, fips, dual) + "/"}
	switch cfg.AccountIDEndpointMode { // the chain's is preferred where nothing is said
	case aws.AccountIDEndpointModeDisabled, aws.AccountIDEndpointModeUnset:
		return e, nil
	}
	e.required = cfg.AccountIDEndpointMode == aws.AccountIDEndpointModeRequired
	p := partition.Of(cfg.Region)
	switch can := p.Accounts && !fips; {
	case !can && e.required:
		return e, fmt.Errorf("tablewright: the account's endpoint is required (AWS_ACCOUNT_ID_ENDPOINT_MODE): there is none in %s, or none for FIPS", cfg.Region)
	case can && dual:
		e.account = ".ddb." + cfg.Region + "." + p.Dual + "/"
	case can:
		e.account = ".ddb." + cfg.Region + "." + p.Domain + "/"
	}
	return e, nil
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

// sources asks the sources of a configuration until one has an answer.
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

// variants tells which of DynamoDB's endpoints are wanted.
func variants(ctx context.Context, cfg aws.Config) (fips, dual bool, err error) {
	f, _, err := sources(cfg, func(s fipsSource) (aws.FIPSEndpointState, bool, error) { return s.GetUseFIPSEndpoint(ctx) })
	if err != nil {
		return false, false, fmt.Errorf("tablewright: AWS configuration: %w", err)
	}
	d, _, err := sources(cfg, func(s dualStackSource) (aws.DualStackEndpointState, bool, error) {
		return s.GetUseDualStackEndpoint(ctx)
	})
	if err != nil {
		return false, false, fmt.Errorf("tablewright: AWS configuration: %w", err)
	}
	return f == aws.FIPSEndpointStateEnabled, d == aws.DualStackEndpointStateEnabled, nil
}

// configuredEndpoint is what environment or shared files state for DynamoDB, or for all services; "": nothing.
func configuredEndpoint(ctx context.Context, cfg aws.Config) (string, error) {
	all := aws.ToString(cfg.BaseEndpoint)
	ignore, _, err := sources(cfg, func(s ignoreSource) (bool, bool, error) { return s.GetIgnoreConfiguredEndpoints(ctx) })
	if err != nil || ignore {
		return all, err
	}
	// The environment's for all services wins over a profile's for DynamoDB.
	if os.Getenv("AWS_ENDPOINT_URL") != "" && os.Getenv("AWS_ENDPOINT_URL_DYNAMODB") == "" {
		return all, nil
	}
	own, found, err := sources(cfg, func(s endpointSource) (string, bool, error) { return s.GetServiceBaseEndpoint(ctx, "DynamoDB") })
	if err != nil || found {
		return own, err
	}
	return all, nil
}

// regionalEndpoint is the public address of DynamoDB in a Region.
func regionalEndpoint(region string, fips, dual bool) string {
	p := partition.Of(region)
	service, domain := "dynamodb", p.Domain
	// In GovCloud the ordinary address is the FIPS one.
	if fips && (p.Prefix != "us-gov-" || dual) {
		service += "-fips"
	}
	if dual {
		domain = p.Dual
	}
	return "https://" + service + "." + region + "." + domain
}
