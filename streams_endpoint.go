package tablewright

import (
	"context"
	"fmt"
	"net/url"
	"os"

	"github.com/aws/aws-sdk-go-v2/aws"

	"github.com/tablewright/tablewright/internal/partition"
)

// DynamoDB Streams is an API of its own, with targets and endpoints of its own, signed for the same service
// (docs.aws.amazon.com/general/latest/gr/ddb.html). Servers that stand in for DynamoDB have both behind one address.
const streamsTargetPrefix = "DynamoDBStreams_20120810."

// streamsOperation reports whether an operation is of that API.
func streamsOperation(name string) bool {
	switch name {
	case "DescribeStream", "GetRecords", "GetShardIterator", "ListStreams":
		return true
	}
	return false
}

// target is the value of X-Amz-Target for an operation.
func target(operation string) string {
	if streamsOperation(operation) {
		return streamsTargetPrefix + operation
	}
	return targetPrefix + operation
}

// streamsEndpoint is where operations of DynamoDB Streams go, those on tables going to tables: Options.StreamsEndpoint, what
// environment or profile state for it, the endpoint of tables unless that is AWS's, or AWS's.
func streamsEndpoint(ctx context.Context, cfg aws.Config, o Options, tables endpoint) (endpoint, error) {
	text, err := o.StreamsEndpoint, error(nil)
	if text == "" && o.Endpoint == "" {
		if text, err = configuredStreamsEndpoint(ctx, cfg); err != nil {
			return endpoint{}, fmt.Errorf("tablewright: AWS configuration: %w", err)
		}
	}
	if text != "" {
		e, err := statedEndpoint(ctx, text, cfg)
		e.stated = o.StreamsEndpoint != ""
		return e, err
	}
	if !ofAWS(tables.text) {
		return tables, nil
	}
	fips, dual, err := variants(ctx, cfg)
	return endpoint{text: regionalStreamsEndpoint(cfg.Region, fips, dual) + "/"}, err
}

// configuredStreamsEndpoint is what environment or shared files state for DynamoDB Streams alone; "": nothing.
func configuredStreamsEndpoint(ctx context.Context, cfg aws.Config) (string, error) {
	ignore, _, err := sources(cfg, func(s ignoreSource) (bool, bool, error) { return s.GetIgnoreConfiguredEndpoints(ctx) })
	if err != nil || ignore {
		return "", err
	}
	// The environment's for all services wins over a profile's for this one.
	if os.Getenv("AWS_ENDPOINT_URL") != "" && os.Getenv("AWS_ENDPOINT_URL_DYNAMODB_STREAMS") == "" {
		return "", nil
	}
	own, _, err := sources(cfg, func(s endpointSource) (string, bool, error) { return s.GetServiceBaseEndpoint(ctx, "DynamoDB Streams") })
	return own, err
}

// ofAWS reports whether an endpoint is one of AWS's: it serves one API.
func ofAWS(text string) bool {
	u, err := url.Parse(text)
	return err == nil && partition.OfAWS(u.Hostname())
}

// regionalStreamsEndpoint is the public address of DynamoDB Streams in a Region, by the SDKs' endpoint rules.
func regionalStreamsEndpoint(region string, fips, dual bool) string {
	p := partition.Of(region)
	host, domain := "streams.dynamodb", p.Domain
	if dual {
		domain = p.Dual
		if p.Prefix == "" || p.Prefix == "cn-" || p.Prefix == "us-gov-" {
			host = "streams-dynamodb"
		}
	}
	// In GovCloud the ordinary address is the FIPS one.
	if fips && (p.Prefix != "us-gov-" || dual) {
		host += "-fips"
	}
	return "https://" + host + "." + region + "." + domain
}
