package sigv4

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Codes of the errors.
const (
	CodeMissing    = "MissingAuthenticationTokenException"
	CodeIncomplete = "IncompleteSignatureException"
	CodeInvalid    = "InvalidSignatureException"
)

// Error is a refusal in AWS's words.
type Error struct{ Code, Message string }

func (e *Error) Error() string { return e.Code + ": " + e.Message }

// Skew is how far the time of a signature may be from the verifier's, to either side.
const Skew = 15 * time.Minute

const (
	algorithm  = "AWS4-HMAC-SHA256"
	terminator = "aws4_request"
	timeFormat = "20060102T150405Z"

	// maxExpires is how long a presigned URL may be good for: a week.
	maxExpires = 7 * 24 * time.Hour
)

// Signature is what a request says about how it was signed. Nothing of it is proven before Verify.
type Signature struct {
	KeyID  string // of the access key
	Region string
	Token  string // of temporary credentials; empty if there is none

	scope     string // date, Region, service, terminator
	date      string // the first part of scope
	service   string
	time      string // of signing, as the request has it or in AWS's form
	headers   []string
	signature string
	query     bool // presigned: the parameters are in the query
}

// Read reads how a request was signed and checks everything about that but the signature itself: that it is complete,
// for the service, and of this time. The error is an *Error.
func Read(r *http.Request, service string, now time.Time) (*Signature, error) {
	s, signed, err := read(r)
	if err != nil {
		return nil, err
	}
	if err := s.checkHeaders(r); err != nil {
		return nil, err
	}
	if err := s.checkScope(service, signed); err != nil {
		return nil, err
	}
	lifetime := Skew
	if s.query {
		if lifetime, err = expires(r.URL.Query()); err != nil {
			return nil, err
		}
	}
	return s, checkTime(signed, now, lifetime)
}

// Complete checks that a request says how it was signed, and says all of it: what a server that accepts any credentials asks
// for. Whether what it says is true is not looked at. The error is an *Error, the same that Read has.
func Complete(r *http.Request) error {
	a := r.Header.Get("Authorization")
	if strings.HasPrefix(a, algorithm+" ") && strings.Contains(a, "Credential=") && strings.Contains(a, "SignedHeaders=") &&
		strings.Contains(a, "Signature=") && r.URL.RawQuery == "" && (r.Header.Get("X-Amz-Date") != "" || r.Header.Get("Date") != "") {
		return nil // as nearly all have it
	}
	_, _, err := read(r)
	return err
}

// read reads what a request says about how it was signed, and when.
func read(r *http.Request) (*Signature, time.Time, error) {
	authorization := strings.TrimSpace(r.Header.Get("Authorization"))
	var query url.Values
	if r.URL.RawQuery != "" {
		query = r.URL.Query()
	}
	presigned := query.Has("X-Amz-Algorithm")
	switch {
	case authorization != "" && presigned:
		return nil, time.Time{}, &Error{CodeInvalid, "Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP header."}
	case strings.HasPrefix(authorization, "AWS4-"):
		return fromHeader(r, authorization)
	case presigned:
		return fromQuery(query)
	default:
		return nil, time.Time{}, &Error{CodeMissing, "Request is missing Authentication Token"}
	}
}

// fromHeader reads the header Authorization.
func fromHeader(r *http.Request, authorization string) (*Signature, time.Time, error) {
	name, rest, _ := strings.Cut(authorization, " ")
	parameters := map[string]string{}
	for _, part := range strings.FieldsFunc(rest, func(c rune) bool { return c == ',' || c == ' ' }) {
		key, value, ok := strings.Cut(part, "=")
		if !ok {
			return nil, time.Time{}, &Error{CodeIncomplete, "'" + part + "' not a valid key=value pair (missing equal-sign) in Authorization header: '" + authorization + "'."}
		}
		parameters[key] = value
	}
	stamp, date := r.Header.Get("X-Amz-Date"), r.Header.Get("Date")
	missing := ""
	for _, name := range []string{"Credential", "Signature", "SignedHeaders"} {
		if parameters[name] == "" {
			missing += "Authorization header requires '" + name + "' parameter. "
		}
	}
	if stamp == "" && date == "" {
		missing += "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. "
	}
	if missing != "" {
		return nil, time.Time{}, &Error{CodeIncomplete, missing + "Authorization=" + authorization}
	}
	if name != algorithm {
		return nil, time.Time{}, &Error{CodeIncomplete, "Unsupported AWS 'algorithm': '" + name + "'."}
	}
	s := &Signature{signature: parameters["Signature"], headers: strings.Split(parameters["SignedHeaders"], ";"),
		Token: r.Header.Get("X-Amz-Security-Token")}
	signed, err := s.setTime(stamp, date)
	if err != nil {
		return nil, time.Time{}, err
	}
	return s, signed, s.setCredential(parameters["Credential"])
}

// fromQuery reads the parameters of a presigned URL.
func fromQuery(query url.Values) (*Signature, time.Time, error) {
	missing := ""
	for _, name := range []string{"X-Amz-Algorithm", "X-Amz-Credential", "X-Amz-Signature", "X-Amz-SignedHeaders", "X-Amz-Date"} {
		if query.Get(name) == "" {
			missing += "AWS query-string parameters must include '" + name + "'. "
		}
	}
	if missing != "" {
		return nil, time.Time{}, &Error{CodeIncomplete, missing + "Re-examine the query-string parameters."}
	}
	if name := query.Get("X-Amz-Algorithm"); name != algorithm {
		return nil, time.Time{}, &Error{CodeIncomplete, "Unsupported AWS 'algorithm': '" + name + "'."}
	}
	s := &Signature{signature: query.Get("X-Amz-Signature"), headers: strings.Split(query.Get("X-Amz-SignedHeaders"), ";"),
		Token: query.Get("X-Amz-Security-Token"), query: true}
	signed, err := s.setTime(query.Get("X-Amz-Date"), "")
	if err != nil {
		return nil, time.Time{}, err
	}
	return s, signed, s.setCredential(query.Get("X-Amz-Credential"))
}

// setTime reads when the request was signed: AWS's form of it, or else the header Date, in either form.
func (s *Signature) setTime(stamp, date string) (time.Time, error) {
	if stamp == "" {
		if t, err := http.ParseTime(date); err == nil {
			s.time = t.UTC().Format(timeFormat)
			return t.UTC(), nil
		}
		stamp = date
	}
	t, err := time.Parse(timeFormat, stamp)
	if err != nil {
		return t, &Error{CodeIncomplete, "Date must be in ISO-8601 'basic format'. Got '" + stamp + "'. See http://en.wikipedia.org/wiki/ISO_8601"}
	}
	s.time = stamp
	return t, nil
}

// setCredential reads key/date/Region/service/aws4_request.
func (s *Signature) setCredential(credential string) error {
	parts := strings.Split(credential, "/")
	if len(parts) != 5 {
		return &Error{CodeIncomplete, "Credential must have exactly 5 slash-delimited elements, e.g. keyid/date/region/service/term, got '" + credential + "'"}
	}
	s.KeyID, s.date, s.Region, s.service = parts[0], parts[1], parts[2], parts[3]
	s.scope = strings.Join(parts[1:], "/")
	return nil
}

// checkHeaders looks whether what has to be signed is.
func (s *Signature) checkHeaders(r *http.Request) error {
	must := []string{"Host"}
	for name := range r.Header {
		if strings.HasPrefix(name, "X-Amz-") {
			must = append(must, name)
		}
	}
	slices.Sort(must)
	message := ""
	for _, name := range must {
		lower := strings.ToLower(name)
		if !slices.Contains(s.headers, lower) {
			if lower != "host" {
				name = lower
			}
			message += "'" + name + "' must be a 'SignedHeader' in the AWS Authorization. "
		}
	}
	if message != "" {
		return &Error{CodeInvalid, strings.TrimSuffix(message, " ")}
	}
	return nil
}

// checkScope looks whether the signature is for this service, Region and day.
func (s *Signature) checkScope(service string, signed time.Time) error {
	message := ""
	if !ValidRegion(s.Region) {
		message += "Credential should be scoped to a valid region, not '" + s.Region + "'. "
	}
	if s.service != service {
		message += "Credential should be scoped to correct service: '" + service + "'. "
	}
	if last := s.scope[strings.LastIndexByte(s.scope, '/')+1:]; last != terminator {
		message += "Credential should be scoped with a valid terminator: '" + terminator + "', not '" + last + "'. "
	}
	if day := signed.Format("20060102"); s.date != day {
		message += "Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from HTTP: '" + s.date + "' != '" + day + "', from '" + s.time + "'. "
	}
	if message != "" {
		return &Error{CodeInvalid, message}
	}
	return nil
}

// longestRegion is longer than the name of any Region.
const longestRegion = 64

// ValidRegion reports whether a name can be one of a Region. Any may be used: the engine has all of them.
func ValidRegion(name string) bool {
	for i := range len(name) {
		switch c := name[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '-', c == '_', c == '.':
		default:
			return false
		}
	}
	return name != "" && len(name) <= longestRegion
}

// expires is how long a presigned URL is good for; without X-Amz-Expires as long as a signed request.
func expires(query url.Values) (time.Duration, error) {
	if !query.Has("X-Amz-Expires") {
		return Skew, nil
	}
	n, err := strconv.Atoi(query.Get("X-Amz-Expires"))
	switch d := time.Duration(n) * time.Second; {
	case err != nil:
		return 0, &Error{CodeIncomplete, "X-Amz-Expires should be a number"}
	case n < 0:
		return 0, &Error{CodeIncomplete, "X-Amz-Expires must be non-negative"}
	case n > int(maxExpires/time.Second):
		return 0, &Error{CodeIncomplete, "X-Amz-Expires must be less than a week (in seconds); that is, the given X-Amz-Expires must be less than 604800 seconds"}
	default:
		return d, nil
	}
}

// checkTime looks whether the signature is of this time: not longer ago than its lifetime, and not from beyond the skew.
func checkTime(signed, now time.Time, lifetime time.Duration) error {
	now = now.UTC().Truncate(time.Second)
	stamp := func(t time.Time) string { return t.Format(timeFormat) }
	if oldest := now.Add(-lifetime); signed.Before(oldest) {
		span := "15 min."
		if lifetime != Skew {
			span = strconv.Itoa(int(lifetime/time.Second)) + " sec."
		}
		return &Error{CodeInvalid, "Signature expired: " + stamp(signed) + " is now earlier than " + stamp(oldest) + " (" + stamp(now) + " - " + span + ")"}
	}
	if latest := now.Add(Skew); signed.After(latest) {
		return &Error{CodeInvalid, "Signature not yet current: " + stamp(signed) + " is still later than " + stamp(latest) + " (" + stamp(now) + " + 15 min.)"}
	}
	return nil
}

// ErrMismatch is the refusal of a signature that another key, or another request, makes.
var ErrMismatch = &Error{CodeInvalid, "The request signature we calculated does not match the signature you provided. " +
	"Check your AWS Secret Access Key and signing method. Consult the service documentation for details."}

// Verify looks whether the request was signed with the secret; body is the hash of what was sent, packed as it came. The
// error is ErrMismatch. It takes the same time whatever part of the signature is wrong.
func (s *Signature) Verify(r *http.Request, body [sha256.Size]byte, secret string) error {
	given, err := hex.DecodeString(s.signature)
	canonical := sha256.Sum256(s.canonical(r, body))
	text := algorithm + "\n" + s.time + "\n" + s.scope + "\n" + hex.EncodeToString(canonical[:])
	want := mac(s.key(secret), text)
	if subtle.ConstantTimeCompare(given, want) != 1 || err != nil {
		return ErrMismatch
	}
	return nil
}

// key derives the key of a day, Region and service from the secret.
func (s *Signature) key(secret string) []byte {
	key := []byte("AWS4" + secret)
	for part := range strings.SplitSeq(s.scope, "/") {
		key = mac(key, part)
	}
	return key
}

func mac(key []byte, text string) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(text))
	return h.Sum(nil)
}

// IsRefusal reports whether err is an *Error, and which.
func IsRefusal(err error) (*Error, bool) {
	var e *Error
	ok := errors.As(err, &e)
	return e, ok
}
