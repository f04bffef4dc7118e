package s3blobs

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
	"github.com/aws/aws-sdk-go-v2/config"

	"github.com/tablewright/tablewright"
)

// Options of Open. Bucket is wanted, all else may be left out.
type Options struct {
	Bucket string
	Prefix string // of all keys in the bucket, such as "documents/"; List tells only what is below it

	AWS      *aws.Config // used instead of AWS's own configuration chain
	Region   string      // of the bucket; "": the chain's
	Endpoint string      // such as http://127.0.0.1:9000; "": AWS_ENDPOINT_URL_S3, else S3's own in the Region
	Style    Style       // "": as the endpoint and the bucket's name say
	Owner    string      // number of the account that the bucket has to be of: S3 refuses requests if it is another's

	HTTP  aws.HTTPClient // nil: one of its own
	Retry Retry
}

// Retry bounds how often a request is repeated.
type Retry struct {
	Attempts int           // tries of a request, the first included; 0: 5
	Pause    time.Duration // the first pause is a random part of it, each further one of twice as much; 0: 100 ms
}

// Store is a bucket, or what is below a prefix in it. It is safe for concurrent use.
type Store struct {
	o           Options
	endpoint    endpoint
	region      string
	credentials aws.CredentialsProvider
	client      aws.HTTPClient
	signer      *v4.Signer
	now         func() time.Time
}

var _ tablewright.BlobStore = (*Store)(nil)

// Open makes a Store. Nothing is sent: an error says that the configuration is unusable.
func Open(ctx context.Context, o Options) (*Store, error) {
	var cfg aws.Config
	if o.AWS != nil {
		cfg = o.AWS.Copy()
	} else {
		var err error
		if cfg, err = config.LoadDefaultConfig(ctx); err != nil {
			return nil, fmt.Errorf("s3blobs: AWS configuration: %w", err)
		}
	}
	if o.Region != "" {
		cfg.Region = o.Region
	}
	if o.Retry.Attempts <= 0 {
		o.Retry.Attempts = 5
	}
	if o.Retry.Pause <= 0 {
		o.Retry.Pause = 100 * time.Millisecond
	}
	e, err := newEndpoint(ctx, cfg, &o)
	if err != nil {
		return nil, err
	}
	s := &Store{o: o, endpoint: e, region: cfg.Region, client: o.HTTP, now: time.Now,
		signer: v4.NewSigner(func(o *v4.SignerOptions) { o.DisableURIPathEscaping = true })}
	if s.region == "" {
		s.region = "us-east-1" // what servers that know no Regions sign for
	}
	if cfg.Credentials == nil {
		return nil, errors.New("s3blobs: Options.AWS has no Credentials")
	}
	s.credentials = aws.NewCredentialsCache(cfg.Credentials)
	if s.client == nil {
		s.client = newHTTPClient()
	}
	return s, nil
}

// Put writes an object, in place of one that has the key.
func (s *Store) Put(ctx context.Context, key string, data []byte) error {
	r, err := s.object("PutObject", http.MethodPut, key)
	if err != nil {
		return err
	}
	r.upload(data)
	_, err = s.do(ctx, r)
	return err
}

// Create writes an object if there is none with the key. If there is one the error is fs.ErrExist.
func (s *Store) Create(ctx context.Context, key string, data []byte) error {
	r, err := s.object("PutObject", http.MethodPut, key)
	if err != nil {
		return err
	}
	sum := r.upload(data)
	r.header.Set("If-None-Match", "*")
	a, err := s.do(ctx, r)
	var e *Error
	if !errors.As(err, &e) || e.Status != http.StatusPreconditionFailed {
		return err
	}
	if a.lost { // what is there is perhaps what an earlier try wrote, whose answer was lost
		head, bad := s.object("HeadObject", http.MethodHead, key)
		if bad != nil {
			return bad
		}
		head.header.Set("X-Amz-Checksum-Mode", "ENABLED")
		if found, bad := s.do(ctx, head); bad == nil && found.header.Get(checksumHeader) == sum {
			return nil
		}
	}
	return fmt.Errorf("%w: %w", fs.ErrExist, err)
}

// Get reads an object. The error of one that is not there is fs.ErrNotExist.
func (s *Store) Get(ctx context.Context, key string) ([]byte, error) {
	r, err := s.object("GetObject", http.MethodGet, key)
	if err != nil {
		return nil, err
	}
	r.header.Set("X-Amz-Checksum-Mode", "ENABLED")
	r.verify = true
	a, err := s.do(ctx, r)
	var e *Error
	if errors.As(err, &e) && e.Status == http.StatusNotFound && (e.Code == "NoSuchKey" || e.Code == "NotFound") {
		return nil, fmt.Errorf("%w: %w", fs.ErrNotExist, err)
	}
	if err != nil {
		return nil, err
	}
	return a.body, nil
}

// Delete removes an object; one that is not there is no error. In a bucket with versions it is hidden, and what lifecycle
// rules say becomes of it.
func (s *Store) Delete(ctx context.Context, key string) error {
	r, err := s.object("DeleteObject", http.MethodDelete, key)
	if err != nil {
		return err
	}
	_, err = s.do(ctx, r)
	var e *Error
	if errors.As(err, &e) && e.Code == "NoSuchKey" { // of servers that tell
		return nil
	}
	return err
}

// List yields the objects below the prefix, by their keys without it, in no promised order.
func (s *Store) List(ctx context.Context) iter.Seq2[tablewright.StoredBlob, error] {
	return func(yield func(tablewright.StoredBlob, error) bool) {
		for token := ""; ; {
			query := url.Values{"list-type": {"2"}, "encoding-type": {"url"}}
			if s.o.Prefix != "" {
				query.Set("prefix", s.o.Prefix)
			}
			if token != "" {
				query.Set("continuation-token", token)
			}
			a, err := s.do(ctx, &request{operation: "ListObjectsV2", method: http.MethodGet, query: query, header: http.Header{}, sum: emptySum})
			var page listing
			if err == nil {
				err = page.read(a.body)
			}
			if err != nil {
				yield(tablewright.StoredBlob{}, err)
				return
			}
			for _, c := range page.Contents {
				key, below := strings.CutPrefix(c.Key, s.o.Prefix)
				if !below || key == "" {
					continue // a folder of some consoles
				}
				if !yield(tablewright.StoredBlob{Key: key, Stored: c.LastModified}, nil) {
					return
				}
			}
			if token = page.NextContinuationToken; !page.IsTruncated || token == "" {
				return
			}
		}
	}
}

// listing is the answer of ListObjectsV2 (docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html).
type listing struct {
	EncodingType          string
	IsTruncated           bool
	NextContinuationToken string
	Contents              []struct {
		Key          string
		LastModified time.Time
	}
}

func (l *listing) read(text []byte) error {
	if err := xml.Unmarshal(text, l); err != nil {
		return fmt.Errorf("s3blobs: ListObjectsV2: answer: %w", err)
	}
	if l.EncodingType != "url" {
		return nil
	}
	for i := range l.Contents {
		key, err := url.QueryUnescape(l.Contents[i].Key)
		if err != nil {
			return fmt.Errorf("s3blobs: ListObjectsV2: key: %w", err)
		}
		l.Contents[i].Key = key
	}
	return nil
}

// maxKey is the most bytes of a key (docs.aws.amazon.com/AmazonS3/latest/userguide/object-keys.html).
const maxKey = 1024

// object is a request for an object.
func (s *Store) object(operation, method, key string) (*request, error) {
	full := s.o.Prefix + key
	if key == "" || len(full) > maxKey {
		return nil, fmt.Errorf("s3blobs: %q is no key: with the prefix it has 1 to %d bytes", key, maxKey)
	}
	return &request{operation: operation, method: method, key: full, header: http.Header{}, sum: emptySum}, nil
}

// upload gives a request its body, and answers the checksum as headers have it.
func (r *request) upload(data []byte) string {
	sum := sha256.Sum256(data)
	text := base64.StdEncoding.EncodeToString(sum[:])
	r.body, r.sum = data, fmt.Sprintf("%x", sum)
	r.header.Set("Content-Type", "application/octet-stream")
	r.header.Set(checksumHeader, text)
	return text
}
