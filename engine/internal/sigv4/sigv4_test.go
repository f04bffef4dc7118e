package sigv4_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	signer "github.com/aws/aws-sdk-go-v2/aws/signer/v4"

	"github.com/tablewright/tablewright/engine/internal/sigv4"
)

var (
	now         = time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC)
	credentials = aws.Credentials{AccessKeyID: "AKIDEXAMPLE", SecretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"}
)

const body = `{"TableName":"Books"}`

// newRequest is a request of DynamoDB's protocol.
func newRequest(t testing.TB, url string) *http.Request {
	t.Helper()
	r, err := http.NewRequest(http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-amz-json-1.0")
	r.Header.Set("X-Amz-Target", "DynamoDB_20120810.DescribeTable")
	return r
}

// sign signs with the AWS SDK's signer.
func sign(t testing.TB, r *http.Request, c aws.Credentials, at time.Time) {
	t.Helper()
	hash := sha256.Sum256([]byte(body))
	if err := signer.NewSigner().SignHTTP(context.Background(), c, r, hex.EncodeToString(hash[:]), "dynamodb", "eu-west-1", at); err != nil {
		t.Fatal(err)
	}
}

// received is the request as a server reads it.
func received(t testing.TB, r *http.Request) *http.Request {
	t.Helper()
	r.Body = io.NopCloser(strings.NewReader(body))
	var b bytes.Buffer
	if err := r.Write(&b); err != nil {
		t.Fatal(err)
	}
	got, err := http.ReadRequest(bufio.NewReader(&b))
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func verify(r *http.Request, body, secret string, at time.Time) error {
	s, err := sigv4.Read(r, "dynamodb", at)
	if err != nil {
		return err
	}
	return s.Verify(r, sha256.Sum256([]byte(body)), secret)
}

// TestSDK: what the SDK's signer signs is verified, however odd headers, host and path are.
func TestSDK(t *testing.T) {
	for name, change := range map[string]func(r *http.Request){
		"plain":             func(*http.Request) {},
		"blanks in headers": func(r *http.Request) { r.Header.Set("X-Amz-Meta-Note", "  a   b \t c  ") },
		"two values":        func(r *http.Request) { r.Header["X-Amz-Meta-Two"] = []string{"b", "a"} },
		"empty value":       func(r *http.Request) { r.Header.Set("X-Amz-Meta-None", "") },
		"other headers":     func(r *http.Request) { r.Header.Set("Amz-Sdk-Invocation-Id", "9f; =,"); r.Header.Set("A", "ü") },
		"host without port": func(r *http.Request) { r.Host = "dynamodb.eu-west-1.amazonaws.com" },
		"path":              func(r *http.Request) { r.URL.Path = "/a b/ü%/c" },
		"query":             func(r *http.Request) { r.URL.RawQuery = "b=2&a=1&a=0&empty=&blank=%20+&slash=/" },
	} {
		t.Run(name, func(t *testing.T) {
			r := newRequest(t, "http://127.0.0.1:8000/")
			change(r)
			sign(t, r, credentials, now)
			got := received(t, r)
			s, err := sigv4.Read(got, "dynamodb", now)
			if err != nil {
				t.Fatal(err)
			}
			if s.KeyID != credentials.AccessKeyID || s.Region != "eu-west-1" || s.Token != "" {
				t.Errorf("read %+v", s)
			}
			if err := s.Verify(got, sha256.Sum256([]byte(body)), credentials.SecretAccessKey); err != nil {
				t.Error(err)
			}
			if err := s.Verify(got, sha256.Sum256([]byte(body)), credentials.SecretAccessKey+"x"); !errors.Is(err, sigv4.ErrMismatch) {
				t.Errorf("another secret: %v", err)
			}
		})
	}
}

// TestSessionToken: the token of temporary credentials is signed, and told to who asks.
func TestSessionToken(t *testing.T) {
	c := credentials
	c.SessionToken = "IQoJb3JpZ2luX2VjEXAMPLE/+=="
	r := newRequest(t, "http://127.0.0.1:8000/")
	sign(t, r, c, now)
	s, err := sigv4.Read(received(t, r), "dynamodb", now)
	if err != nil || s.Token != c.SessionToken {
		t.Errorf("%+v, %v", s, err)
	}
	r.Header.Set("X-Amz-Security-Token", "another")
	if err := verify(received(t, r), body, c.SecretAccessKey, now); !errors.Is(err, sigv4.ErrMismatch) {
		t.Errorf("with another token: %v", err)
	}
}

// TestAltered: whatever is altered after signing, the signature no longer matches.
func TestAltered(t *testing.T) {
	for name, change := range map[string]func(r *http.Request){
		"target":       func(r *http.Request) { r.Header.Set("X-Amz-Target", "DynamoDB_20120810.DeleteTable") },
		"host":         func(r *http.Request) { r.Host = "elsewhere" },
		"content type": func(r *http.Request) { r.Header.Set("Content-Type", "application/json") },
		"path":         func(r *http.Request) { r.URL.Path = "/other" },
		"query":        func(r *http.Request) { r.URL.RawQuery = "x=1" },
		"method":       func(r *http.Request) { r.Method = http.MethodPut },
		"time":         func(r *http.Request) { r.Header.Set("X-Amz-Date", "20260801T120001Z") },
		"region": func(r *http.Request) {
			r.Header.Set("Authorization", strings.Replace(r.Header.Get("Authorization"), "eu-west-1", "eu-west-2", 1))
		},
		"signature": func(r *http.Request) {
			a := r.Header.Get("Authorization")
			last := map[bool]string{true: "1", false: "0"}[strings.HasSuffix(a, "0")]
			r.Header.Set("Authorization", a[:len(a)-1]+last)
		},
		"signature cut": func(r *http.Request) {
			a := r.Header.Get("Authorization")
			r.Header.Set("Authorization", a[:len(a)-2])
		},
		"signature no hex": func(r *http.Request) {
			a := r.Header.Get("Authorization")
			r.Header.Set("Authorization", a[:len(a)-1]+"g")
		},
	} {
		r := newRequest(t, "http://127.0.0.1:8000/")
		sign(t, r, credentials, now)
		change(r)
		if err := verify(received(t, r), body, credentials.SecretAccessKey, now); !errors.Is(err, sigv4.ErrMismatch) {
			t.Errorf("%s: %v", name, err)
		}
	}
	r := newRequest(t, "http://127.0.0.1:8000/")
	sign(t, r, credentials, now)
	if err := verify(received(t, r), body+" ", credentials.SecretAccessKey, now); !errors.Is(err, sigv4.ErrMismatch) {
		t.Errorf("body: %v", err)
	}
}

// TestUnsignedPayload: Amazon S3's way around signing the body is none here.
func TestUnsignedPayload(t *testing.T) {
	r := newRequest(t, "http://127.0.0.1:8000/")
	r.Header.Set("X-Amz-Content-Sha256", "UNSIGNED-PAYLOAD")
	if err := signer.NewSigner().SignHTTP(t.Context(), credentials, r, "UNSIGNED-PAYLOAD", "dynamodb", "eu-west-1", now); err != nil {
		t.Fatal(err)
	}
	if err := verify(received(t, r), body, credentials.SecretAccessKey, now); !errors.Is(err, sigv4.ErrMismatch) {
		t.Error(err)
	}
}

// TestTime: a signature is good for 15 minutes, to either side.
func TestTime(t *testing.T) {
	for offset, want := range map[time.Duration]string{
		-15 * time.Minute:               "",
		15 * time.Minute:                "",
		-15*time.Minute - time.Second:   "Signature expired: 20260801T114459Z is now earlier than 20260801T114500Z (20260801T120000Z - 15 min.)",
		15*time.Minute + time.Second:    "Signature not yet current: 20260801T121501Z is still later than 20260801T121500Z (20260801T120000Z + 15 min.)",
		-24*time.Hour - 1*time.Second:   "Signature expired: 20260731T115959Z is now earlier than 20260801T114500Z (20260801T120000Z - 15 min.)",
		365 * 24 * time.Hour:            "Signature not yet current: 20270801T120000Z is still later than 20260801T121500Z (20260801T120000Z + 15 min.)",
		-15*time.Minute + 1*time.Second: "",
	} {
		r := newRequest(t, "http://127.0.0.1:8000/")
		sign(t, r, credentials, now.Add(offset))
		err := verify(received(t, r), body, credentials.SecretAccessKey, now)
		got := ""
		if e, ok := sigv4.IsRefusal(err); ok {
			got = e.Message
		}
		if got != want {
			t.Errorf("signed %v off: %v, want %s", offset, err, want)
		}
	}
	// The header Date stands in for X-Amz-Date.
	r := received(t, newRequest(t, "http://127.0.0.1:8000/"))
	r.Header.Set("Date", now.Format(http.TimeFormat))
	r.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20260801/eu-west-1/dynamodb/aws4_request, SignedHeaders=host;x-amz-target, Signature=00")
	if err := verify(r, body, credentials.SecretAccessKey, now); !errors.Is(err, sigv4.ErrMismatch) {
		t.Errorf("signed with Date: %v", err)
	}
}

// TestPresigned: the form in which the signature is part of the URL.
func TestPresigned(t *testing.T) {
	presign := func(c aws.Credentials, expires string) *http.Request {
		t.Helper()
		r := newRequest(t, "http://127.0.0.1:8000/?x=a%20b")
		if expires != "" {
			q := r.URL.Query()
			q.Set("X-Amz-Expires", expires)
			r.URL.RawQuery = q.Encode()
		}
		hash := sha256.Sum256([]byte(body))
		signed, header, err := signer.NewSigner().PresignHTTP(t.Context(), c, r, hex.EncodeToString(hash[:]), "dynamodb", "eu-west-1", now,
			func(o *signer.SignerOptions) { o.DisableHeaderHoisting = true })
		if err != nil {
			t.Fatal(err)
		}
		u, err := url.Parse(signed)
		if err != nil {
			t.Fatal(err)
		}
		out := newRequest(t, u.String())
		for name, values := range header {
			if name != "Host" {
				out.Header[name] = values
			}
		}
		return received(t, out)
	}
	token := credentials
	token.SessionToken = "token/+="
	for _, c := range []aws.Credentials{credentials, token} {
		r := presign(c, "")
		if err := verify(r, body, c.SecretAccessKey, now); err != nil {
			t.Error(err)
		}
		if s, err := sigv4.Read(r, "dynamodb", now); err != nil || s.Token != c.SessionToken {
			t.Errorf("%+v, %v", s, err)
		}
		if err := verify(r, body+" ", c.SecretAccessKey, now); !errors.Is(err, sigv4.ErrMismatch) {
			t.Errorf("another body: %v", err)
		}
	}
	r := presign(credentials, "3600")
	if err := verify(r, body, credentials.SecretAccessKey, now.Add(time.Hour)); err != nil {
		t.Errorf("after an hour: %v", err)
	}
	want := "InvalidSignatureException: Signature expired: 20260801T120000Z is now earlier than 20260801T120001Z (20260801T130001Z - 3600 sec.)"
	if err := verify(r, body, credentials.SecretAccessKey, now.Add(time.Hour+time.Second)); err == nil || err.Error() != want {
		t.Errorf("after it expired: %v", err)
	}
	for expires, ok := range map[string]bool{"0": true, "604800": true, "604801": false, "-1": false, "soon": false} {
		if err := verify(presign(credentials, expires), body, credentials.SecretAccessKey, now); (err == nil) != ok {
			t.Errorf("expires %s: %v", expires, err)
		}
	}
}

// TestRefusals: what is incomplete or of another service is told in AWS's words, all of it at once.
func TestRefusals(t *testing.T) {
	const signed = "SignedHeaders=host;x-amz-date;x-amz-target"
	for _, c := range []struct{ authorization, want string }{
		{"", "MissingAuthenticationTokenException: Request is missing Authentication Token"},
		{"Bearer abc", "MissingAuthenticationTokenException: Request is missing Authentication Token"},
		{"AWS4-HMAC-SHA256 Credential=a/20260801/r/dynamodb/aws4_request", "IncompleteSignatureException: Authorization header requires 'Signature' parameter. Authorization header requires 'SignedHeaders' parameter. Authorization=AWS4-HMAC-SHA256 Credential=a/20260801/r/dynamodb/aws4_request"},
		{"AWS4-HMAC-SHA256", "IncompleteSignatureException: Authorization header requires 'Credential' parameter. Authorization header requires 'Signature' parameter. Authorization header requires 'SignedHeaders' parameter. Authorization=AWS4-HMAC-SHA256"},
		{"AWS4-HMAC-SHA256 Credential=a /b", "IncompleteSignatureException: '/b' not a valid key=value pair (missing equal-sign) in Authorization header: 'AWS4-HMAC-SHA256 Credential=a /b'."},
		{"AWS4-HMAC-SHA1 Credential=a/20260801/r/dynamodb/aws4_request, " + signed + ", Signature=00", "IncompleteSignatureException: Unsupported AWS 'algorithm': 'AWS4-HMAC-SHA1'."},
		{"AWS4-HMAC-SHA256 Credential=a/20260801/r/dynamodb, " + signed + ", Signature=00", "IncompleteSignatureException: Credential must have exactly 5 slash-delimited elements, e.g. keyid/date/region/service/term, got 'a/20260801/r/dynamodb'"},
		{"AWS4-HMAC-SHA256 Credential=a/20260801/r/s3/aws4_request, " + signed + ", Signature=00", "InvalidSignatureException: Credential should be scoped to correct service: 'dynamodb'. "},
		{"AWS4-HMAC-SHA256 Credential=a/20260802/r?/s3/aws5, " + signed + ", Signature=00", "InvalidSignatureException: Credential should be scoped to a valid region, not 'r?'. Credential should be scoped to correct service: 'dynamodb'. Credential should be scoped with a valid terminator: 'aws4_request', not 'aws5'. Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from HTTP: '20260802' != '20260801', from '20260801T120000Z'. "},
		{"AWS4-HMAC-SHA256 Credential=a/20260801/r/dynamodb/aws4_request, SignedHeaders=x-amz-date, Signature=00", "InvalidSignatureException: 'Host' must be a 'SignedHeader' in the AWS Authorization. 'x-amz-target' must be a 'SignedHeader' in the AWS Authorization."},
	} {
		r := received(t, newRequest(t, "http://127.0.0.1:8000/"))
		r.Header.Set("X-Amz-Date", now.Format("20060102T150405Z"))
		if c.authorization != "" {
			r.Header.Set("Authorization", c.authorization)
		}
		if err := verify(r, body, "", now); err == nil || err.Error() != c.want {
			t.Errorf("%s:\n got %v\nwant %s", c.authorization, err, c.want)
		}
	}
	r := received(t, newRequest(t, "http://127.0.0.1:8000/"))
	r.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential=a/20260801/r/dynamodb/aws4_request, "+signed+", Signature=00")
	if err := verify(r, body, "", now); err == nil || !strings.Contains(err.Error(), "requires existence of either a 'X-Amz-Date' or a 'Date' header. ") {
		t.Errorf("no date: %v", err)
	}
	r.Header.Set("X-Amz-Date", "yesterday")
	if err := verify(r, body, "", now); err == nil || err.Error() != "IncompleteSignatureException: Date must be in ISO-8601 'basic format'. Got 'yesterday'. See http://en.wikipedia.org/wiki/ISO_8601" {
		t.Errorf("no date: %v", err)
	}
	r.URL.RawQuery = "X-Amz-Algorithm=AWS4-HMAC-SHA256"
	if err := verify(r, body, "", now); err == nil || !strings.HasPrefix(err.Error(), "InvalidSignatureException: Found both") {
		t.Errorf("both forms: %v", err)
	}
	r.Header.Del("Authorization")
	if err := verify(r, body, "", now); err == nil || err.Error() != "IncompleteSignatureException: AWS query-string parameters must include 'X-Amz-Credential'. "+
		"AWS query-string parameters must include 'X-Amz-Signature'. AWS query-string parameters must include 'X-Amz-SignedHeaders'. AWS query-string parameters must include 'X-Amz-Date'. Re-examine the query-string parameters." {
		t.Errorf("half a query: %v", err)
	}
}

// FuzzRead: no header makes it fail otherwise than with a refusal, and none is verified without the secret.
func FuzzRead(f *testing.F) {
	f.Add("AWS4-HMAC-SHA256 Credential=a/20260801/r/dynamodb/aws4_request, SignedHeaders=host;x-amz-date;x-amz-target, Signature=00", "20260801T120000Z", "")
	f.Add("", "", "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=a/20260801/r/dynamodb/aws4_request&X-Amz-Date=20260801T120000Z&X-Amz-SignedHeaders=host;x-amz-target&X-Amz-Signature=00&%zz&&=")
	f.Add("AWS4- =,==;", "Sat, 01 Aug 2026 12:00:00 GMT", "a")
	f.Fuzz(func(t *testing.T, authorization, date, query string) {
		r := newRequest(t, "http://127.0.0.1:8000/")
		r.URL.RawQuery = query
		r.Header["Authorization"] = []string{authorization}
		r.Header["X-Amz-Date"] = []string{date}
		err := verify(r, body, credentials.SecretAccessKey, now)
		if e, ok := sigv4.IsRefusal(err); !ok || e.Message == "" {
			t.Errorf("%v", err)
		}
	})
}

func ExampleRead() {
	at := time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC)
	r, _ := http.NewRequest(http.MethodPost, "http://127.0.0.1:8000/", strings.NewReader("{}"))
	_, err := sigv4.Read(r, "dynamodb", at)
	fmt.Println(err)
	// Output: MissingAuthenticationTokenException: Request is missing Authentication Token
}
