package tablewright

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
)

// The endpoints that DynamoDB Streams has are those that AWS's own SDK makes of the same configuration.
func TestStreamsEndpointLikeSDK(t *testing.T) {
	rules := dynamodbstreams.NewDefaultEndpointResolverV2()
	for _, region := range []string{"us-east-1", "eu-north-1", "cn-north-1", "us-gov-west-1", "us-iso-east-1", "us-isob-east-1",
		"eu-isoe-west-1", "us-isof-south-1", "eusc-de-east-1"} {
		for bits := range 4 {
			fips, dual := bits&1 > 0, bits&2 > 0
			want, err := rules.ResolveEndpoint(t.Context(), dynamodbstreams.EndpointParameters{Region: &region, UseFIPS: &fips, UseDualStack: &dual})
			if got := regionalStreamsEndpoint(region, fips, dual); err == nil && got != want.URI.String() {
				t.Errorf("%s, FIPS %t, dual stack %t: %s, SDK: %s", region, fips, dual, got, want.URI.String())
			}
		}
	}
}

// Where requests of DynamoDB Streams go.
func TestStreamsEndpoint(t *testing.T) {
	const own = "https://streams.dynamodb.eu-north-1.amazonaws.com/"
	for _, test := range []struct {
		tables, streams string // Options
		env             [2]string
		want            string
	}{
		{want: own},
		{tables: "http://127.0.0.1:8000", want: "http://127.0.0.1:8000/"},
		{tables: "https://db.example.org", want: "https://db.example.org/"},
		{tables: "https://dynamodb.eu-north-1.amazonaws.com", want: own},
		{tables: "https://vpce-1-a.dynamodb.eu-north-1.vpce.amazonaws.com", want: own},
		{tables: "https://dynamodb.eu-north-1.api.aws", want: own},
		{streams: "https://s.example.org", want: "https://s.example.org/"},
		{tables: "http://127.0.0.1:8000", streams: "https://s.example.org/x", want: "https://s.example.org/x"},
		{env: [2]string{"AWS_ENDPOINT_URL_DYNAMODB", "http://127.0.0.1:8000"}, want: "http://127.0.0.1:8000/"},
		{env: [2]string{"AWS_ENDPOINT_URL", "http://127.0.0.1:8000"}, want: "http://127.0.0.1:8000/"},
		{env: [2]string{"AWS_ENDPOINT_URL_DYNAMODB_STREAMS", "http://10.0.0.9:1"}, want: "http://10.0.0.9:1/"},
		{tables: "http://127.0.0.1:8000", env: [2]string{"AWS_ENDPOINT_URL_DYNAMODB_STREAMS", "http://10.0.0.9:1"}, want: "http://127.0.0.1:8000/"},
		{streams: "ftp://x", want: ""},
	} {
		t.Run(test.tables+test.streams+test.env[1], func(t *testing.T) {
			bareEnvironment(t)
			t.Setenv("AWS_REGION", "eu-north-1")
			if test.env[0] != "" {
				t.Setenv(test.env[0], test.env[1])
			}
			o := Options{Endpoint: test.tables, StreamsEndpoint: test.streams}
			db, err := Connect(t.Context(), o)
			if err != nil {
				if test.want != "" {
					t.Error(err)
				}
				return
			}
			at := &db.transport.(metered).next.(*httpTransport).streams
			if got, err := at.url(aws.Credentials{AccountID: "123456789012"}); err != nil || got != test.want {
				t.Errorf("%s, %v, want %s", got, err, test.want)
			}
		})
	}
	// FIPS and dual stack choose among AWS's own, and cannot be had of a stated one.
	source := config.LoadOptions{UseFIPSEndpoint: aws.FIPSEndpointStateEnabled}
	cfg := aws.Config{Region: "eu-north-1", ConfigSources: []any{source}}
	tables, err := serviceEndpoint(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if e, err := streamsEndpoint(t.Context(), cfg, Options{}, tables); err != nil || e.text != "https://streams.dynamodb-fips.eu-north-1.amazonaws.com/" {
		t.Error(e.text, err)
	}
	if _, err := streamsEndpoint(t.Context(), cfg, Options{StreamsEndpoint: "https://s.example.org"}, tables); err == nil {
		t.Error("FIPS was asked for, and a stated endpoint taken")
	}
}
