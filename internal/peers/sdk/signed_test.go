package sdk_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go"
)

// makeCertificate makes cert.pem, which is its own authority, and key.pem for 127.0.0.1.
func makeCertificate(t *testing.T, dir string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	keyDER, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	for name, block := range map[string]*pem.Block{"cert.pem": {Type: "CERTIFICATE", Bytes: der}, "key.pem": {Type: "PRIVATE KEY", Bytes: keyDER}} {
		if err := os.WriteFile(filepath.Join(dir, name), pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// writeKeys writes keys.yaml with the key that all tests here sign with.
func writeKeys(t *testing.T, dir string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, "keys.yaml"), []byte("credentials: [{key-id: peers, secret: peers, admin: true}]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestGoSigned: the SDK for Go, configured by the environment, is verified over TLS, and another secret is not.
func TestGoSigned(t *testing.T) {
	dir := t.TempDir()
	makeCertificate(t, dir)
	writeKeys(t, dir)
	url := startServeWith(t, "--credentials", filepath.Join(dir, "keys.yaml"), "--tls-cert", filepath.Join(dir, "cert.pem"), "--tls-key", filepath.Join(dir, "key.pem"))
	for secret, want := range map[string]string{"peers": "", "other": "InvalidSignatureException"} {
		for name, value := range map[string]string{"AWS_ACCESS_KEY_ID": "peers", "AWS_SECRET_ACCESS_KEY": secret, "AWS_REGION": "eu-west-1", "AWS_ENDPOINT_URL": url,
			"AWS_CA_BUNDLE": filepath.Join(dir, "cert.pem"), "AWS_CONFIG_FILE": os.DevNull, "AWS_SHARED_CREDENTIALS_FILE": os.DevNull} {
			t.Setenv(name, value)
		}
		c, err := config.LoadDefaultConfig(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		_, err = dynamodb.NewFromConfig(c, func(o *dynamodb.Options) { o.RetryMaxAttempts = 1 }).ListTables(t.Context(), &dynamodb.ListTablesInput{Limit: aws.Int32(1)})
		got := ""
		if refused := smithy.APIError(nil); errors.As(err, &refused) {
			got = refused.ErrorCode()
		} else if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("with the secret %s: %v", secret, err)
		}
	}
}
