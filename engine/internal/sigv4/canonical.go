package sigv4

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// canonical is the request in the form of which the hash is signed.
func (s *Signature) canonical(r *http.Request, body [sha256.Size]byte) []byte {
	b := make([]byte, 0, 1024)
	b = append(append(b, r.Method...), '\n')
	b = append(append(b, canonicalPath(r.URL)...), '\n')
	b = append(append(b, canonicalQuery(r.URL.RawQuery)...), '\n')
	for _, name := range s.headers {
		b = append(append(b, name...), ':')
		b = append(appendHeader(b, r, name), '\n')
	}
	b = append(b, '\n')
	b = append(append(b, strings.Join(s.headers, ";")...), '\n')
	return hex.AppendEncode(b, body[:])
}

// canonicalPath is the path, escaped once more than it came: the rule of all services but Amazon S3.
func canonicalPath(u *url.URL) string {
	path := u.EscapedPath()
	if path == "" {
		return "/"
	}
	return escape(path, true)
}

// canonicalQuery is the query sorted by name and value, each escaped, without the signature itself.
func canonicalQuery(raw string) string {
	if raw == "" {
		return ""
	}
	type parameter struct{ name, value string }
	var l []parameter
	for part := range strings.SplitSeq(raw, "&") {
		if part == "" {
			continue
		}
		name, value, _ := strings.Cut(part, "=")
		name, value = escape(unescape(name), false), escape(unescape(value), false)
		if name != "X-Amz-Signature" {
			l = append(l, parameter{name, value})
		}
	}
	slices.SortFunc(l, func(a, b parameter) int {
		if a.name != b.name {
			return strings.Compare(a.name, b.name)
		}
		return strings.Compare(a.value, b.value)
	})
	var b strings.Builder
	for i, p := range l {
		if i > 0 {
			b.WriteByte('&')
		}
		b.WriteString(p.name + "=" + p.value)
	}
	return b.String()
}

// unescape is the text that was escaped; what is no proper escape stands for itself.
func unescape(s string) string {
	if t, err := url.QueryUnescape(s); err == nil {
		return t
	}
	return s
}

// escape escapes all but the unreserved characters of RFC 3986, and slashes if they are to be kept.
func escape(s string, slashes bool) string {
	const hexDigits = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(s) {
		switch c := s[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '-', c == '_', c == '.', c == '~', c == '/' && slashes:
			b.WriteByte(c)
		default:
			b.WriteByte('%')
			b.WriteByte(hexDigits[c>>4])
			b.WriteByte(hexDigits[c&15])
		}
	}
	return b.String()
}

// appendHeader appends the values of a header, joined with commas, blanks around them removed and those inside made one.
func appendHeader(b []byte, r *http.Request, name string) []byte {
	values := r.Header.Values(name)
	switch name {
	case "host": // net/http takes these two out of the header
		values = []string{r.Host}
	case "content-length":
		if len(values) == 0 && r.ContentLength >= 0 {
			values = []string{strconv.FormatInt(r.ContentLength, 10)}
		}
	}
	for i, v := range values {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, strings.Join(strings.FieldsFunc(v, func(c rune) bool { return c == ' ' }), " ")...)
	}
	return b
}
