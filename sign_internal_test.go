package tablewright

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
)

// Our signature is the SDK's, on random requests.
func TestSignLikeSDK(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	text := func(n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = "abcXYZ019+/=-._"[r.IntN(15)]
		}
		return string(b)
	}
	for range 500 {
		s := &requestSigner{region: []string{"eu-central-1", "us-gov-west-1", "local"}[r.IntN(3)]}
		creds := aws.Credentials{AccessKeyID: text(1 + r.IntN(30)), SecretAccessKey: text(r.IntN(100))}
		if r.IntN(2) == 0 {
			creds.SessionToken = text(1 + r.IntN(2000))
		}
		for range 2 { // the key of the day is kept
			body := []byte(text(1 + r.IntN(3000)))
			sum := sha256.Sum256(body)
			now := time.Unix(1_500_000_000+r.Int64N(1e9), r.Int64N(1e9))
			host := []string{"dynamodb.eu-central-1.amazonaws.com", "127.0.0.1:8000", "123456789012.ddb.eu-west-1.amazonaws.com"}[r.IntN(3)]
			target := target([]string{"GetItem", "TransactWriteItems", "GetRecords"}[r.IntN(3)])
			req, err := http.NewRequest(http.MethodPost, "https://"+host, bytes.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			req.Header["Content-Type"] = []string{contentType}
			req.Header["X-Amz-Target"] = []string{target}
			req.Header["User-Agent"] = []string{userAgent}
			req.Header["Accept-Encoding"] = []string{acceptEncoding}
			if err := v4.NewSigner().SignHTTP(t.Context(), creds, req, hex.EncodeToString(sum[:]), signingService, s.region, now); err != nil {
				t.Fatal(err)
			}
			date, authorization := s.sign(creds, host, target, len(body), &sum, now)
			if date != req.Header.Get("X-Amz-Date") || authorization != req.Header.Get("Authorization") {
				t.Fatalf("%s\n%s, the SDK\n%s\n%s", date, authorization, req.Header.Get("X-Amz-Date"), req.Header.Get("Authorization"))
			}
		}
	}
}

func TestHMAC(t *testing.T) {
	for _, n := range []int{0, 1, 63, 64, 65, 200, 600, 5000} {
		for _, m := range []int{0, 1, 64, 511, 512, 513, 4000} {
			key, message := []byte(strings.Repeat("k", n)), []byte(strings.Repeat("m", m))
			h := hmac.New(sha256.New, key)
			h.Write(message)
			if got := hmacSHA256(key, message); !bytes.Equal(got[:], h.Sum(nil)) {
				t.Errorf("key of %d, message of %d bytes: %x", n, m, got)
			}
		}
	}
}

func BenchmarkSign(b *testing.B) {
	s := &requestSigner{region: "eu-central-1"}
	creds := aws.Credentials{AccessKeyID: "AKIDEXAMPLE", SecretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"}
	sum := sha256.Sum256([]byte("{}"))
	b.ReportAllocs()
	for b.Loop() {
		s.sign(creds, "dynamodb.eu-central-1.amazonaws.com", "DynamoDB_20120810.GetItem", 200, &sum, time.Unix(1_700_000_000, 0))
	}
}
