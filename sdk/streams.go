package sdk

import (
	"net/url"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/internal/partition"
)

// Streams is Client for DynamoDB Streams, which is a client of its own in the SDK. The engine has both APIs behind one way,
// as a DB has.
func Streams(db *tablewright.DB, options ...func(*dynamodbstreams.Options)) *dynamodbstreams.Client {
	all := append(options[:len(options):len(options)], func(o *dynamodbstreams.Options) {
		o.Region, o.BaseEndpoint = "local", aws.String("http://"+host)
		o.Credentials = aws.AnonymousCredentials{}
		o.HTTPClient = &carrier{db.Transport()}
	})
	return dynamodbstreams.New(dynamodbstreams.Options{}, all...)
}

// streamsClient makes a client of DynamoDB Streams with the configuration of one of tables. What the SDK resolves anew is
// left out: it is of the other service, or knows its options.
func streamsClient(o dynamodb.Options, options []func(*dynamodbstreams.Options)) *dynamodbstreams.Client {
	s := dynamodbstreams.Options{
		APIOptions:                 o.APIOptions,
		AppID:                      o.AppID,
		ClientLogMode:              o.ClientLogMode,
		Credentials:                o.Credentials,
		DefaultsMode:               o.DefaultsMode,
		DisableClockSkewCorrection: o.DisableClockSkewCorrection,
		HTTPSignerV4:               o.HTTPSignerV4,
		Logger:                     o.Logger,
		MeterProvider:              o.MeterProvider,
		Region:                     o.Region,
		RuntimeEnvironment:         o.RuntimeEnvironment,
		TracerProvider:             o.TracerProvider,
		HTTPClient:                 o.HTTPClient,
		Interceptors:               o.Interceptors,
		AuthSchemePreference:       o.AuthSchemePreference,
	}
	s.EndpointOptions.UseFIPSEndpoint = o.EndpointOptions.UseFIPSEndpoint
	s.EndpointOptions.UseDualStackEndpoint = o.EndpointOptions.UseDualStackEndpoint
	s.EndpointOptions.DisableHTTPS = o.EndpointOptions.DisableHTTPS
	if o.BaseEndpoint != nil {
		if u, err := url.Parse(*o.BaseEndpoint); err != nil || !partition.OfAWS(u.Hostname()) {
			s.BaseEndpoint = o.BaseEndpoint
		}
	}
	return dynamodbstreams.New(s, options...)
}
