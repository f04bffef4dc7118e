package tablewright

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// bareEnvironment takes away what the machine says of AWS.
func bareEnvironment(t *testing.T) {
	t.Helper()
	for _, pair := range os.Environ() {
		if name, _, _ := strings.Cut(pair, "="); strings.HasPrefix(name, "AWS_") {
			t.Setenv(name, "") // restores it afterwards
			os.Unsetenv(name)
		}
	}
	t.Setenv("AWS_CONFIG_FILE", os.DevNull)
	t.Setenv("AWS_SHARED_CREDENTIALS_FILE", os.DevNull)
}

// Where requests go, and what of the configuration chain is refused.
func TestEndpoint(t *testing.T) {
	profile := filepath.Join(t.TempDir(), "config")
	err := os.WriteFile(profile, []byte("[default]\nendpoint_url = http://10.0.0.7:1\nservices = mine\n\n"+
		"[profile plain]\nendpoint_url = http://10.0.0.8:1\n\n[services mine]\ndynamodb =\n  endpoint_url = http://10.0.0.9:1\n"), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	const region = "AWS_REGION=eu-north-1"
	for _, test := range []struct {
		env      string // NAME=value NAME=value
		endpoint string // of the Options
		want     string // or a part of the error's text
		region   string
	}{
		{region, "", "https://dynamodb.eu-north-1.amazonaws.com/", "eu-north-1"},
		{"", "", "no Region", ""},
		{"", "https://db.example.org", "no Region", ""},
		{region, "http://10.0.0.1:8000", "http://10.0.0.1:8000/", "eu-north-1"},
		{region + " AWS_ENDPOINT_URL_DYNAMODB=http://10.0.0.2:1", "", "http://10.0.0.2:1/", "eu-north-1"},
		{region + " AWS_ENDPOINT_URL_DYNAMODB=http://10.0.0.2:1", "http://10.0.0.1:8000", "http://10.0.0.1:8000/", "eu-north-1"},
		{region + " AWS_ENDPOINT_URL=http://10.0.0.3:1/x", "", "http://10.0.0.3:1/x", "eu-north-1"},
		{region + " AWS_ENDPOINT_URL=http://10.0.0.3:1 AWS_ENDPOINT_URL_DYNAMODB=http://10.0.0.2:1", "", "http://10.0.0.2:1/", "eu-north-1"},
		{region + " AWS_CONFIG_FILE=" + profile, "", "http://10.0.0.9:1/", "eu-north-1"},
		{region + " AWS_PROFILE=plain AWS_CONFIG_FILE=" + profile, "", "http://10.0.0.8:1/", "eu-north-1"},
		{region + " AWS_ENDPOINT_URL=http://10.0.0.3:1 AWS_CONFIG_FILE=" + profile, "", "http://10.0.0.3:1/", "eu-north-1"},
		{region + " AWS_IGNORE_CONFIGURED_ENDPOINT_URLS=true AWS_ENDPOINT_URL=http://10.0.0.3:1 AWS_ENDPOINT_URL_DYNAMODB=http://10.0.0.2:1", "",
			"https://dynamodb.eu-north-1.amazonaws.com/", "eu-north-1"},
		{region + " AWS_IGNORE_CONFIGURED_ENDPOINT_URLS=true AWS_CONFIG_FILE=" + profile, "", "https://dynamodb.eu-north-1.amazonaws.com/", "eu-north-1"},
		{region + " AWS_USE_FIPS_ENDPOINT=true", "", "https://dynamodb-fips.eu-north-1.amazonaws.com/", "eu-north-1"},
		{region + " AWS_USE_DUALSTACK_ENDPOINT=true", "", "https://dynamodb.eu-north-1.api.aws/", "eu-north-1"},
		{region + " AWS_USE_FIPS_ENDPOINT=true", "https://db.example.org", "FIPS or dual stack are asked for", ""},
		{region + " AWS_USE_DUALSTACK_ENDPOINT=true AWS_ENDPOINT_URL=http://10.0.0.3:1", "", "FIPS or dual stack are asked for", ""},
		{region + " AWS_USE_FIPS_ENDPOINT=perhaps", "", "AWS_USE_FIPS_ENDPOINT", ""},
		// On this machine, from wherever it is stated.
		{"", "http://127.0.0.1:8000", "http://127.0.0.1:8000/", "local"},
		{"", "http://[::1]:8000", "http://[::1]:8000/", "local"},
		{"", "http://LOCALHOST:8000", "http://LOCALHOST:8000/", "local"},
		{"", "http://dynamodb.localhost:4566", "http://dynamodb.localhost:4566/", "local"},
		{region, "http://127.0.0.1:8000", "http://127.0.0.1:8000/", "eu-north-1"},
		{"AWS_ENDPOINT_URL_DYNAMODB=http://localhost:8000", "", "http://localhost:8000/", "local"},
		{"AWS_ENDPOINT_URL=http://localhost:8000", "", "http://localhost:8000/", "local"},
		{"AWS_REGION=local", "", "http://localhost:8000/", "local"},
		{region + " AWS_USE_FIPS_ENDPOINT=true", "http://127.0.0.1:8000", "http://127.0.0.1:8000/", "eu-north-1"},
		{"AWS_ENDPOINT_URL_DYNAMODB=http://localhost:8000", "http://localhost.example.org", "no Region", ""},
		// No addresses.
		{region, "127.0.0.1:8000", "no http or https address", ""},
		{region, "ftp://127.0.0.1", "no http or https address", ""},
		{region, "http://", "no http or https address", ""},
		{region, "http://user:secret@db.example.org", "more than a host and a path", ""},
		{region, "http://db.example.org/?a=b", "more than a host and a path", ""},
		{region + " AWS_ENDPOINT_URL=localhost:8000", "", "no http or https address", ""},
	} {
		t.Run(test.env+" "+test.endpoint, func(t *testing.T) {
			bareEnvironment(t)
			for _, pair := range strings.Fields(test.env) {
				name, value, _ := strings.Cut(pair, "=")
				t.Setenv(name, value)
			}
			cfg, end, err := configuration(t.Context(), Options{Endpoint: test.endpoint})
			if err != nil {
				if test.region != "" || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "secret") {
					t.Errorf("%v, want %s", err, test.want)
				}
				return
			}
			got, err := end.url(aws.Credentials{})
			if err != nil || got != test.want || cfg.Region != test.region {
				t.Errorf("%s in %s, %v, want %s in %s", got, cfg.Region, err, test.want, test.region)
			}
		})
	}
}

// The endpoints that DynamoDB has are those that AWS's own SDK makes of the same configuration.
func TestEndpointLikeSDK(t *testing.T) {
	regions := []string{"us-east-1", "eu-north-1", "mx-central-1", "cn-north-1", "us-gov-west-1", "us-gov-east-1", "us-iso-east-1", "us-isob-east-1",
		"eu-isoe-west-1", "us-isof-south-1", "eusc-de-east-1"}
	rules := dynamodb.NewDefaultEndpointResolverV2()
	n := 0
	for _, region := range regions {
		for _, mode := range []aws.AccountIDEndpointMode{aws.AccountIDEndpointModePreferred, aws.AccountIDEndpointModeRequired, aws.AccountIDEndpointModeDisabled} {
			for bits := range 8 {
				fips, dual, account := bits&1 > 0, bits&2 > 0, ""
				asked := dynamodb.EndpointParameters{Region: &region, UseFIPS: &fips, UseDualStack: &dual, AccountIdEndpointMode: aws.String(string(mode))}
				if bits&4 > 0 {
					account = "123456789012"
					if mode != aws.AccountIDEndpointModeDisabled {
						asked.AccountId = &account
					}
				}
				want, refused := rules.ResolveEndpoint(t.Context(), asked)
				cfg := aws.Config{Region: region, AccountIDEndpointMode: mode}
				source := config.LoadOptions{}
				if fips {
					source.UseFIPSEndpoint = aws.FIPSEndpointStateEnabled
				}
				if dual {
					source.UseDualStackEndpoint = aws.DualStackEndpointStateEnabled
				}
				cfg.ConfigSources = []any{source}
				end, err := serviceEndpoint(t.Context(), cfg)
				got := ""
				if err == nil {
					got, err = end.url(aws.Credentials{AccountID: account})
				}
				if (err != nil) != (refused != nil) || err == nil && got != want.URI.String()+"/" {
					t.Errorf("%s, FIPS %t, dual stack %t, account %q %s:\n%s, %v\nSDK: %s, %v", region, fips, dual, account, mode, got, err, want.URI.String(), refused)
				}
				n++
			}
		}
	}
	if n != len(regions)*24 {
		t.Errorf("%d cases", n)
	}
}

// On this machine credentials that are missing, or that cannot be had, are placeholders; nobody asks instance metadata.
func TestLocalCredentials(t *testing.T) {
	bareEnvironment(t)
	asked := 0
	metadata := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { asked++; w.WriteHeader(404) }))
	defer metadata.Close()
	t.Setenv("AWS_EC2_METADATA_SERVICE_ENDPOINT", metadata.URL)
	t.Setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:8000")
	failing := aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) { return aws.Credentials{}, errors.New("expired") })
	for name, o := range map[string]Options{
		"the chain's":   {},
		"none":          {AWS: &aws.Config{}, Endpoint: "http://127.0.0.1:8000"},
		"not to be had": {AWS: &aws.Config{Credentials: failing}, Endpoint: "http://127.0.0.1:8000"},
	} {
		db, err := Connect(t.Context(), o)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		c, err := db.transport.(metered).next.(*httpTransport).credentials.Retrieve(t.Context())
		if err != nil || c.AccessKeyID != "local" {
			t.Errorf("%s: %v, %v", name, c.AccessKeyID, err)
		}
	}
	if asked > 0 {
		t.Errorf("instance metadata was asked %d times", asked)
	}
	fixed := aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
		return aws.Credentials{AccessKeyID: "AKID", SecretAccessKey: "secret"}, nil
	})
	own := Options{AWS: &aws.Config{Credentials: fixed}, Endpoint: "http://127.0.0.1:8000"}
	db, err := Connect(t.Context(), own)
	if err != nil {
		t.Fatal(err)
	}
	if c, err := db.transport.(metered).next.(*httpTransport).credentials.Retrieve(t.Context()); err != nil || c.AccessKeyID != "AKID" {
		t.Errorf("%v, %v", c.AccessKeyID, err)
	}
}

// A session token travels in clear to another machine only if the program itself says so.
func TestSessionTokenInClear(t *testing.T) {
	for _, test := range []struct {
		env, stated, token string
		sent               bool
	}{
		{"http://db.example.org", "", "T0KEN", false},
		{"http://db.example.org", "", "", true},
		{"https://db.example.org", "", "T0KEN", true},
		{"http://127.0.0.1:1", "", "T0KEN", true},
		{"", "http://db.example.org", "T0KEN", true},
	} {
		t.Run(fmt.Sprint(test.env, test.stated, test.token), func(t *testing.T) {
			bareEnvironment(t)
			t.Setenv("AWS_REGION", "eu-north-1")
			t.Setenv("AWS_ACCESS_KEY_ID", "AKID")
			t.Setenv("AWS_SECRET_ACCESS_KEY", "very secret")
			if test.token != "" {
				t.Setenv("AWS_SESSION_TOKEN", test.token)
			}
			if test.env != "" {
				t.Setenv("AWS_ENDPOINT_URL_DYNAMODB", test.env)
			}
			sent := &recorder{}
			db, err := Connect(t.Context(), Options{Endpoint: test.stated, HTTP: sent})
			if err != nil {
				t.Fatal(err)
			}
			_, err = get(t, db)
			if (err == nil) != test.sent || (len(sent.requests) == 1) != test.sent {
				t.Fatalf("%d requests, %v", len(sent.requests), err)
			}
			if !test.sent {
				if e := (*Error)(nil); !errors.Is(err, ErrInvalid) || !errors.As(err, &e) || e.Attempt != 1 || strings.Contains(err.Error(), "T0KEN") {
					t.Errorf("%v", err)
				}
				return
			}
			if r := sent.requests[0]; r.Header.Get("X-Amz-Security-Token") != test.token || strings.Contains(fmt.Sprint(r.Header), "very secret") {
				t.Errorf("%v", r.Header)
			}
		})
	}
}

// recorder is an HTTP client that keeps requests and answers {}.
type recorder struct{ requests []*http.Request }

func (r *recorder) Do(req *http.Request) (*http.Response, error) {
	r.requests = append(r.requests, req)
	w := httptest.NewRecorder()
	w.WriteString("{}")
	return w.Result(), nil
}
