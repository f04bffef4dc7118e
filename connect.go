package tablewright

import (
	"context"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/feature/ec2/imds"
)

// Connect opens a way to DynamoDB, or to anything that speaks its protocol. Credentials, Region and endpoint come from
// AWS's own configuration chain (environment, shared files, container or instance) unless o says otherwise. Nothing is sent
// to the service: an error says that the configuration is unusable.
//
// The endpoint is, in this order (docs.aws.amazon.com/sdkref/latest/guide/feature-ss-endpoints.html): o.Endpoint;
// AWS_ENDPOINT_URL_DYNAMODB; AWS_ENDPOINT_URL; endpoint_url of the profile, that of its services section first;
// http://localhost:8000 in the Region "local"; DynamoDB's in the Region, of the account where the credentials tell it and
// AWS_ACCOUNT_ID_ENDPOINT_MODE is not disabled. AWS_IGNORE_CONFIGURED_ENDPOINT_URLS passes over what environment and
// profile state. AWS_USE_FIPS_ENDPOINT and AWS_USE_DUALSTACK_ENDPOINT choose among DynamoDB's endpoints; with a stated one
// they are an error, as in AWS's own SDKs, since nobody could tell that they are met.
//
// Requests of DynamoDB Streams go to o.StreamsEndpoint; AWS_ENDPOINT_URL_DYNAMODB_STREAMS, or that of the profile's services
// section, unless o.Endpoint is given; the endpoint of tables unless it is AWS's own; AWS's in the Region.
//
// With an endpoint on this machine (a loopback address) a missing Region is "local", and credentials that are missing or
// cannot be had are placeholders: local servers want a signature, not an identity. Instance metadata is not asked then, and
// FIPS and dual stack do not matter.
//
// Over plain http to another machine everybody on the way reads the data and the session token of temporary credentials
// (never the secret key, which only signs). Such an endpoint is taken as it is, but a session token goes there only if it is
// o.Endpoint that says http: where environment or profile do, calls are ErrInvalid.
func Connect(ctx context.Context, o Options) (*DB, error) {
	cfg, end, err := configuration(ctx, o)
	if err != nil {
		return nil, err
	}
	streams, err := streamsEndpoint(ctx, cfg, o, end)
	if err != nil {
		return nil, err
	}
	t := &httpTransport{
		client:   o.HTTP,
		endpoint: end,
		streams:  streams,
		region:   cfg.Region,
		own:      requestSigner{region: cfg.Region},
		signer:   v4.NewSigner(),
		clock:    systemClock{}, // signatures are checked against the service's clock, whatever Options.Clock plays
		patience: answerTime,
	}
	if t.client == nil {
		t.client = newHTTPClient()
	}
	if cfg.Credentials != nil {
		t.credentials = aws.NewCredentialsCache(cfg.Credentials)
	}
	if end.local {
		if t.credentials != nil {
			_, err = t.credentials.Retrieve(ctx)
		}
		if t.credentials == nil || err != nil {
			t.credentials = aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
				return aws.Credentials{AccessKeyID: "local", SecretAccessKey: "local"}, nil
			})
		}
	}
	return New(t, o), nil
}

// configuration is AWS's, with what o says otherwise, and the endpoint that follows from it.
func configuration(ctx context.Context, o Options) (cfg aws.Config, end endpoint, err error) {
	load := func(more ...func(*config.LoadOptions) error) (aws.Config, error) {
		if o.AWS != nil {
			return o.AWS.Copy(), nil
		}
		cfg, err := config.LoadDefaultConfig(ctx, more...)
		if err != nil {
			err = fmt.Errorf("tablewright: AWS configuration: %w", err)
		}
		return cfg, err
	}
	if cfg, err = load(); err != nil {
		return cfg, end, err
	}
	text := o.Endpoint
	if text == "" {
		if text, err = configuredEndpoint(ctx, cfg); err != nil {
			return cfg, end, fmt.Errorf("tablewright: AWS configuration: %w", err)
		}
	}
	if o.Region != "" {
		cfg.Region = o.Region
	}
	if text == "" && cfg.Region == localRegion {
		text = localEndpoint
	}
	region := cfg.Region
	local := loopback(text)
	if local { // once more, without the instance's metadata
		if cfg, err = load(config.WithEC2IMDSClientEnableState(imds.ClientDisabled)); err != nil {
			return cfg, end, err
		}
		if cfg.Region = region; region == "" {
			cfg.Region = localRegion
		}
	}
	if text != "" { // what is wrong with it comes before what is missing
		if end, err = statedEndpoint(ctx, text, cfg); err != nil {
			return cfg, end, err
		}
	}
	switch {
	case cfg.Region == "":
		return cfg, end, errors.New("tablewright: no Region: set AWS_REGION, the profile's region or Options.Region")
	case cfg.Credentials == nil && !local:
		return cfg, end, errors.New("tablewright: Options.AWS has no Credentials")
	case text == "":
		end, err = serviceEndpoint(ctx, cfg)
	default:
		end.stated = o.Endpoint != ""
	}
	return cfg, end, err
}
