package s3blobs

import (
	"context"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
)

// stated is a source of configuration, as environment and profiles are.
type stated struct {
	url        string
	fips, dual bool
}

func (s stated) GetServiceBaseEndpoint(context.Context, string) (string, bool, error) {
	return s.url, s.url != "", nil
}

func (s stated) GetUseFIPSEndpoint(context.Context) (aws.FIPSEndpointState, bool, error) {
	if s.fips {
		return aws.FIPSEndpointStateEnabled, true, nil
	}
	return aws.FIPSEndpointStateUnset, false, nil
}

func (s stated) GetUseDualStackEndpoint(context.Context) (aws.DualStackEndpointState, bool, error) {
	if s.dual {
		return aws.DualStackEndpointStateEnabled, true, nil
	}
	return aws.DualStackEndpointStateUnset, false, nil
}

// TestEndpoints: addresses as docs.aws.amazon.com/AmazonS3/latest/userguide/VirtualHosting.html and
// docs.aws.amazon.com/general/latest/gr/s3.html have them.
func TestEndpoints(t *testing.T) {
	for _, c := range []struct {
		region string
		o      Options
		source stated
		want   string // or a part of the error
	}{
		{"eu-central-1", Options{Bucket: "shop"}, stated{}, "https://shop.s3.eu-central-1.amazonaws.com/"},
		{"us-east-1", Options{Bucket: "shop"}, stated{}, "https://shop.s3.us-east-1.amazonaws.com/"},
		{"cn-north-1", Options{Bucket: "shop"}, stated{}, "https://shop.s3.cn-north-1.amazonaws.com.cn/"},
		{"eu-central-1", Options{Bucket: "my.shop"}, stated{}, "https://s3.eu-central-1.amazonaws.com/my.shop/"},
		{"eu-central-1", Options{Bucket: "My_Shop"}, stated{}, "https://s3.eu-central-1.amazonaws.com/My_Shop/"},
		{"eu-central-1", Options{Bucket: "shop", Style: Path}, stated{}, "https://s3.eu-central-1.amazonaws.com/shop/"},
		{"us-west-2", Options{Bucket: "shop"}, stated{dual: true}, "https://shop.s3.dualstack.us-west-2.amazonaws.com/"},
		{"us-west-2", Options{Bucket: "shop"}, stated{fips: true}, "https://shop.s3-fips.us-west-2.amazonaws.com/"},
		{"us-west-2", Options{Bucket: "shop"}, stated{fips: true, dual: true}, "https://shop.s3-fips.dualstack.us-west-2.amazonaws.com/"},
		{"", Options{Bucket: "shop", Endpoint: "http://127.0.0.1:9000"}, stated{}, "http://127.0.0.1:9000/shop/"},
		{"", Options{Bucket: "shop", Endpoint: "https://minio.example/s3/"}, stated{}, "https://minio.example/s3/shop/"},
		{"", Options{Bucket: "shop", Endpoint: "https://r2.example", Style: VirtualHost}, stated{}, "https://shop.r2.example/"},
		{"eu-central-1", Options{Bucket: "shop"}, stated{url: "http://minio:9000"}, "http://minio:9000/shop/"},
		{"eu-central-1", Options{Bucket: "shop", Endpoint: "http://other"}, stated{url: "http://minio:9000"}, "http://other/shop/"},
		{"", Options{Bucket: "shop"}, stated{}, "no Region"},
		{"eu-central-1", Options{}, stated{}, "no name of a bucket"},
		{"eu-central-1", Options{Bucket: "a/b"}, stated{}, "no name of a bucket"},
		{"eu-central-1", Options{Bucket: "a..b"}, stated{}, "no name of a bucket"},
		{"eu-central-1", Options{Bucket: "shop", Endpoint: "minio:9000"}, stated{}, "no http or https"},
		{"eu-central-1", Options{Bucket: "shop", Endpoint: "http://u:p@minio"}, stated{}, "more than a host"},
		{"eu-central-1", Options{Bucket: "shop", Endpoint: "http://127.0.0.1:1", Style: VirtualHost}, stated{}, "use the style path"},
		{"eu-central-1", Options{Bucket: "shop", Style: "x"}, stated{}, "there is no style"},
	} {
		e, err := newEndpoint(t.Context(), aws.Config{Region: c.region, ConfigSources: []any{c.source}}, &c.o)
		switch {
		case err != nil && !strings.Contains(err.Error(), c.want):
			t.Errorf("%+v: %v", c, err)
		case err == nil && e.url.String() != c.want:
			t.Errorf("%+v: %s", c, e.url.String())
		}
	}
	for url, want := range map[string]bool{"http://minio:9000": true, "https://minio": false, "http://127.0.0.1:1": false, "http://s3.localhost": false} {
		o := Options{Bucket: "shop", Endpoint: url}
		if e, err := newEndpoint(t.Context(), aws.Config{}, &o); err != nil || e.plain != want {
			t.Errorf("%s: %v %v", url, e.plain, err)
		}
	}
}
