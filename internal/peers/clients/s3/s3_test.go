package s3

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/rclone/gofakes3"
	"github.com/rclone/gofakes3/s3mem"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/s3blobs"
)

const bucket = "shop"

// open starts a server with a bucket and answers stores on it in both styles, with a secret.
func open(t *testing.T, secret string) map[string]*s3blobs.Store {
	t.Helper()
	backend := s3mem.New()
	if err := backend.CreateBucket(t.Context(), bucket); err != nil {
		t.Fatal(err)
	}
	stores := map[string]*s3blobs.Store{}
	for _, style := range []s3blobs.Style{s3blobs.Path, s3blobs.VirtualHost} {
		fake := gofakes3.New(backend, gofakes3.WithHostBucket(style == s3blobs.VirtualHost), gofakes3.WithV4Auth(map[string]string{"AKID": "secret"}), gofakes3.WithIntegrityCheck(true))
		server := httptest.NewServer(fake.Server())
		t.Cleanup(server.Close)
		_, port, _ := net.SplitHostPort(server.Listener.Addr().String())
		transport := http.DefaultTransport.(*http.Transport).Clone()
		transport.DialContext = func(ctx context.Context, network, _ string) (net.Conn, error) { // shop.localhost need not resolve
			return new(net.Dialer).DialContext(ctx, network, server.Listener.Addr().String())
		}
		s, err := s3blobs.Open(t.Context(), s3blobs.Options{Bucket: bucket, Prefix: "docs/", Endpoint: "http://localhost:" + port, Region: "eu-central-1", Style: style,
			AWS:  &aws.Config{Credentials: credentials.NewStaticCredentialsProvider("AKID", secret, "")},
			HTTP: &http.Client{Transport: transport}, Retry: s3blobs.Retry{Attempts: 2, Pause: time.Millisecond}})
		if err != nil {
			t.Fatal(err)
		}
		stores[string(style)] = s
	}
	return stores
}

func keysOf(t *testing.T, s tablewright.BlobStore) (keys []string) {
	t.Helper()
	for b, err := range s.List(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if age := time.Since(b.Stored); age < -time.Minute || age > time.Minute {
			t.Errorf("%s was stored %v ago", b.Key, age)
		}
		keys = append(keys, b.Key)
	}
	slices.Sort(keys)
	return keys
}

// TestObjects: objects with keys of all kinds are put, created once, read, listed and deleted.
func TestObjects(t *testing.T) {
	for style, s := range open(t, "secret") {
		t.Run(style, func(t *testing.T) {
			ctx := t.Context()
			want := map[string][]byte{"plain": []byte("a"), "a b+c%20&d=e": []byte("b"), "über/ß/~x": {}, "q?x#y": bytes.Repeat([]byte{0, 255}, 1<<20)}
			var names []string
			for key, data := range want {
				names = append(names, key)
				if err := s.Put(ctx, key, []byte("before")); err != nil {
					t.Fatalf("%q: %v", key, err)
				}
				if err := s.Put(ctx, key, data); err != nil {
					t.Fatalf("%q: %v", key, err)
				}
				if got, err := s.Get(ctx, key); err != nil || !bytes.Equal(got, data) {
					t.Errorf("%q: %d bytes, %v", key, len(got), err)
				}
				if err := s.Create(ctx, key, []byte("other")); !errors.Is(err, fs.ErrExist) {
					t.Errorf("%q: %v", key, err)
				}
				if got, err := s.Get(ctx, key); err != nil || !bytes.Equal(got, data) {
					t.Errorf("%q was replaced: %v", key, err)
				}
			}
			slices.Sort(names)
			if got := keysOf(t, s); !slices.Equal(got, names) {
				t.Errorf("listed %q", got)
			}
			for key := range want {
				for range 2 { // the second time there is none
					if err := s.Delete(ctx, key); err != nil {
						t.Errorf("%q: %v", key, err)
					}
				}
				if _, err := s.Get(ctx, key); !errors.Is(err, fs.ErrNotExist) {
					t.Errorf("%q: %v", key, err)
				}
				if err := s.Create(ctx, key, []byte("new")); err != nil {
					t.Errorf("%q: %v", key, err)
				}
				if err := s.Delete(ctx, key); err != nil {
					t.Errorf("%q: %v", key, err)
				}
			}
			if got := keysOf(t, s); got != nil {
				t.Errorf("left %q", got)
			}
		})
	}
}

// TestPages: a listing of several pages is whole.
func TestPages(t *testing.T) {
	s := open(t, "secret")["path"]
	var wait sync.WaitGroup
	for i := range 4 {
		wait.Go(func() {
			for n := i; n < 1203; n += 4 {
				if err := s.Put(t.Context(), fmt.Sprintf("%05d", n), nil); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
	if keys := slices.Compact(keysOf(t, s)); len(keys) != 1203 || keys[1202] != "01202" {
		t.Errorf("%d objects", len(keys))
	}
}

// TestWrongSecret: the server refuses what is not signed with its secret, and says why.
func TestWrongSecret(t *testing.T) {
	s := open(t, "another")["virtual-host"]
	var e *s3blobs.Error
	if err := s.Put(t.Context(), "a", []byte("x")); !errors.As(err, &e) || e.Status != http.StatusForbidden || e.Code == "" {
		t.Error(err)
	}
}

type Document struct {
	ID   string           `ddb:"id"`
	Text tablewright.Blob `ddb:"text"`
}

var Documents = tablewright.Declare[tablewright.Entity[string, Document]](
	tablewright.NewTable(plan.Table{Name: "Documents", Key: plan.Key{Partition: "id"}}), plan.Item{Name: "Document"})

// TestOffload: values lie in the bucket, those of before and of writes that failed are removed, and a sweep finds what a crash
// has left and nothing else.
func TestOffload(t *testing.T) {
	s := open(t, "secret")["path"]
	ctx := t.Context()
	db := tablewright.New(tablewright.InProcess(engine.New(t, engine.Options{})), tablewright.Options{})
	if err := Documents.Table().CreateIn(ctx, db); err != nil {
		t.Fatal(err)
	}
	large := tablewright.Offload{Store: s, Threshold: 1 << 10, Compress: true}
	text := []byte(strings.Repeat("all work and no play ", 50_000))
	create := func(b tablewright.Blob) error { return Documents.Create(Document{"d1", b}).Run(ctx, db) }
	if err := large.Write(ctx, tablewright.Blob{}, text, create); err != nil {
		t.Fatal(err)
	}
	d, err := Documents.Get("d1").Run(ctx, db)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := large.Load(ctx, d.Text); err != nil || !bytes.Equal(got, text) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	if keys := keysOf(t, s); !slices.Equal(keys, []string{d.Text.Key()}) {
		t.Errorf("stored %q, the item has %s", keys, d.Text.Key())
	}
	// It is there already: the new object goes.
	if err := large.Write(ctx, tablewright.Blob{}, text, create); !errors.Is(err, tablewright.ErrExists) {
		t.Error(err)
	}
	// A new text: the old object goes.
	if err := large.Write(ctx, d.Text, append(text, '.'), func(b tablewright.Blob) error { return Documents.Put(Document{"d1", b}).Run(ctx, db) }); err != nil {
		t.Fatal(err)
	}
	if keys := keysOf(t, s); len(keys) != 1 || keys[0] == d.Text.Key() {
		t.Errorf("stored %q", keys)
	}
	// A crash between the object and its item.
	if _, err := large.Save(ctx, append(text, '!')); err != nil {
		t.Fatal(err)
	}
	var referred iter.Seq2[tablewright.Blob, error] = func(yield func(tablewright.Blob, error) bool) {
		for d, err := range Documents.Scan().Intended().All(ctx, db) {
			if !yield(d.Text, err) {
				return
			}
		}
	}
	if n, err := large.Sweep(ctx, referred, time.Hour); n != 0 || err != nil {
		t.Errorf("swept %d within the grace: %v", n, err)
	}
	if n, err := large.Sweep(ctx, referred, -time.Minute); n != 1 || err != nil {
		t.Errorf("swept %d: %v", n, err)
	}
	if d, err = Documents.Get("d1").Run(ctx, db); err != nil {
		t.Fatal(err)
	}
	if got, err := large.Load(ctx, d.Text); err != nil || len(got) != len(text)+1 {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	if err := s.Delete(ctx, d.Text.Key()); err != nil {
		t.Fatal(err)
	}
	if _, err := large.Load(ctx, d.Text); !errors.Is(err, tablewright.ErrNotFound) {
		t.Errorf("a value that is gone: %v", err)
	}
}
