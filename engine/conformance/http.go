package conformance

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"context"
	"fmt"
	"hash/crc32"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"github.com/tablewright/tablewright/wire"
)

// aboutHTTP begins expectations of HTTP in a Failure.
const aboutHTTP = "HTTP "

// raw does a step that is about HTTP itself, and holds the response to what is expected of it. What the response says of
// the operation is answered as Do would.
func (p *play) raw(ctx context.Context, t Sender, s step, request string) (answer []byte, refused *wire.Error, failure, err error) {
	r := Request{Method: http.MethodPost, Path: "/", Operation: s.operation, Header: http.Header{}, Body: []byte(request)}
	for _, line := range s.http {
		if err := r.set(line); err != nil {
			return nil, nil, nil, err
		}
	}
	got, err := t.Send(ctx, r)
	if err != nil {
		return nil, nil, nil, err
	}
	file, _, _ := strings.Cut(p.Place, ":")
	for _, x := range s.expect {
		if x.kind != '$' {
			continue
		}
		if is, ok := got.meets(x.text); !ok {
			return nil, nil, &Failure{file + ":" + strconv.Itoa(x.line), r.Method + " " + r.Path + " " + s.operation + " " + p.names.answer(request), aboutHTTP + x.text, p.names.answer(is)}, nil
		}
	}
	body, err := got.unpacked()
	switch {
	case err != nil:
		return nil, nil, &Failure{file + ":" + strconv.Itoa(s.line), s.operation + " " + request, "a body that can be unpacked", err.Error()}, nil
	case got.Status == http.StatusOK:
		return body, nil, nil, nil
	}
	return nil, wire.DecodeError(got.Status, body), nil, nil
}

// set changes the request as a line of a case says.
func (r *Request) set(line string) error {
	name, value, isHeader := strings.Cut(line, ":")
	switch word, path, isMethod := strings.Cut(line, " "); {
	case isHeader && !strings.Contains(name, " "):
		if value = strings.TrimSpace(value); value == "" {
			r.Header[http.CanonicalHeaderKey(name)] = nil
		} else {
			r.Header.Set(name, value)
		}
	case isMethod:
		r.Method, r.Path = word, path
	case line == "gzip" || line == "deflate":
		var b bytes.Buffer
		var w io.WriteCloser = gzip.NewWriter(&b)
		if line == "deflate" {
			w = zlib.NewWriter(&b) // RFC 9110 calls zlib's format so
		}
		if _, err := w.Write(r.Body); err != nil {
			return err
		}
		if err := w.Close(); err != nil {
			return err
		}
		r.Body = b.Bytes()
		r.Header.Set("Content-Encoding", line)
	default:
		return fmt.Errorf("conformance: %q is nothing that a request can have", line)
	}
	return nil
}

// meets reports whether a response is as a line of a case says, and what it is.
func (r *Response) meets(line string) (is string, ok bool) {
	name, want, _ := strings.Cut(line, " ")
	switch name {
	case "status":
		is = strconv.Itoa(r.Status)
	case "body":
		is = string(r.Body)
	case "crc32":
		is = r.Header.Get("X-Amz-Crc32")
		return fmt.Sprintf("%s, of the body it is %d", is, crc32.ChecksumIEEE(r.Body)), is == strconv.FormatUint(uint64(crc32.ChecksumIEEE(r.Body)), 10)
	default:
		is = r.Header.Get(strings.TrimSuffix(name, ":"))
	}
	re, err := regexp.Compile("(?s)^(?:" + want + ")$")
	if err != nil {
		return err.Error(), false
	}
	return is, re.MatchString(is)
}

// unpacked is the body without its encoding.
func (r *Response) unpacked() ([]byte, error) {
	switch r.Header.Get("Content-Encoding") {
	case "gzip":
		z, err := gzip.NewReader(bytes.NewReader(r.Body))
		if err != nil {
			return nil, err
		}
		return io.ReadAll(z)
	case "deflate":
		if z, err := zlib.NewReader(bytes.NewReader(r.Body)); err == nil {
			return io.ReadAll(z)
		}
		return io.ReadAll(flate.NewReader(bytes.NewReader(r.Body)))
	}
	return r.Body, nil
}

// needsHTTP reports whether the case is about HTTP itself.
func (c Case) needsHTTP() bool {
	for _, s := range c.steps {
		if s.raw() {
			return true
		}
	}
	return false
}

// raw reports whether the step is about HTTP itself.
func (s step) raw() bool {
	if len(s.http) > 0 {
		return true
	}
	for _, x := range s.expect {
		if x.kind == '$' {
			return true
		}
	}
	return false
}
