package httpd

import (
	"bytes"
	"net/http"
	"net/textproto"
	"net/url"
	"strconv"
	"strings"
)

// parse makes the request of a header; false if it is not of the simple kind.
func (c *conn) parse(header []byte) (length int, simple bool) {
	text := string(header[:len(header)-2]) // what the request refers to; the bytes are used again
	line, text, _ := strings.Cut(text, "\r\n")
	target, ok := strings.CutPrefix(line, "POST ")
	if !ok {
		return 0, false
	}
	target, ok = strings.CutSuffix(target, " HTTP/1.1")
	if !ok {
		return 0, false
	}
	old := c.req.Header
	clear(old)
	c.req = http.Request{Method: http.MethodPost, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: old, RequestURI: target,
		RemoteAddr: c.remote()}
	if c.req.Header == nil {
		c.req.Header = make(http.Header, 16)
	}
	if target == "/" {
		c.url = url.URL{Path: "/"}
	} else {
		u, err := url.ParseRequestURI(target)
		if err != nil || !strings.HasPrefix(target, "/") {
			return 0, false
		}
		c.url = *u
	}
	c.req.URL = &c.url
	length = -1
	values := make([]string, 0, 16)
	hosts := 0
	for len(text) > 0 {
		line, text, ok = strings.Cut(text, "\r\n")
		if !ok {
			return 0, false
		}
		raw, value, ok := strings.Cut(line, ":")
		if !ok || raw == "" || !isToken(raw) || !isFieldValue(value) {
			return 0, false
		}
		value = strings.Trim(value, " \t")
		name := c.name(raw)
		switch name {
		case "Host":
			hosts++
			c.req.Host = value
			continue
		case "Content-Length":
			if length >= 0 || value == "" || len(value) > 12 || strings.Trim(value, "0123456789") != "" {
				return 0, false
			}
			length, _ = strconv.Atoi(value)
		case "Connection":
			if !strings.EqualFold(value, "keep-alive") {
				return 0, false
			}
		case "Transfer-Encoding", "Expect", "Upgrade", "Trailer":
			return 0, false
		}
		if l := c.req.Header[name]; l != nil {
			c.req.Header[name] = append(l, value)
			continue
		}
		values = append(values, value)
		c.req.Header[name] = values[len(values)-1 : len(values) : len(values)]
	}
	if length < 0 || hosts != 1 || !isHost(c.req.Host) {
		return 0, false
	}
	c.req.ContentLength = int64(length)
	return length, true
}

// name is a header's name as net/http writes it.
func (c *conn) name(raw string) string {
	if name, ok := c.names[raw]; ok {
		return name
	}
	name := textproto.CanonicalMIMEHeaderKey(raw)
	if len(c.names) < maxNames && len(raw) <= maxName {
		c.names[strings.Clone(raw)] = strings.Clone(name)
	}
	return name
}

// remote is the address of the client.
func (c *conn) remote() string {
	if c.client == "" {
		c.client = c.RemoteAddr().String()
	}
	return c.client
}

// isToken reports whether a name has only the characters that it may (RFC 9110, 5.6.2).
func isToken(s string) bool {
	for i := range len(s) {
		if c := s[i]; c <= ' ' || c >= 0x7f || bytes.IndexByte([]byte(`"(),/:;<=>?@[\]{}`), c) >= 0 {
			return false
		}
	}
	return true
}

// isFieldValue reports whether a value has no control characters (RFC 9110, 5.5).
func isFieldValue(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' && c != '\t' || c == 0x7f {
			return false
		}
	}
	return true
}

// isHost reports whether a Host header has only the characters of names, addresses and ports; all others are left to net/http.
func isHost(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case '0' <= c && c <= '9', 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', c == '.', c == '-', c == '_', c == ':', c == '[', c == ']':
		default:
			return false
		}
	}
	return true
}
