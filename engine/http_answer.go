package engine

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"hash/crc32"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// packFrom is the size in bytes from which on an answer is packed for a client that accepts it. The service packs "large"
// answers and does not say from when on.
const packFrom = 4096

// answer writes a response with the headers that SDKs look at; the checksum is of what is sent, packed or not.
func answer(w http.ResponseWriter, r *http.Request, status int, contentType string, body []byte) {
	h := w.Header()
	if contentType != "" {
		h.Set("Content-Type", contentType)
	}
	if len(body) >= packFrom {
		if encoding := acceptedEncoding(r.Header.Values("Accept-Encoding")); encoding != "" {
			p := packers[encoding].Get().(*packer)
			defer packers[encoding].Put(p)
			body = p.pack(body)
			h.Set("Content-Encoding", encoding)
		}
	}
	h.Set("x-amz-crc32", strconv.FormatUint(uint64(crc32.ChecksumIEEE(body)), 10))
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body) // the client may be gone
}

// packer packs answers, one after another.
type packer struct {
	z interface {
		io.WriteCloser
		Reset(io.Writer)
	}
	packed bytes.Buffer
}

// pack packs; what it returns is good until it packs again.
func (p *packer) pack(body []byte) []byte {
	if p.packed.Cap() > maxKeptBody {
		p.packed = bytes.Buffer{}
	}
	p.packed.Reset()
	p.z.Reset(&p.packed)
	_, _ = p.z.Write(body) // a buffer takes everything
	_ = p.z.Close()
	return p.packed.Bytes()
}

// packers are those at rest, by encoding. The fastest level is chosen: between processes of one machine time is dearer than
// bytes.
var packers = map[string]*sync.Pool{
	"gzip": {New: func() any {
		z, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed) // fails for unknown levels only
		return &packer{z: z}
	}},
	"deflate": {New: func() any {
		z, _ := zlib.NewWriterLevel(nil, zlib.BestSpeed)
		return &packer{z: z}
	}},
}

// acceptedEncoding is the encoding that a client would have of those there are; empty if it wants none. A weight of 0 refuses,
// * stands for those that are not named (RFC 9110, 12.5.3).
func acceptedEncoding(headers []string) (best string) {
	if len(headers) == 0 {
		return ""
	}
	most := 0.0
	named := map[string]bool{}
	for part := range strings.SplitSeq(strings.Join(headers, ","), ",") {
		name, parameters, _ := strings.Cut(part, ";")
		name = strings.ToLower(strings.TrimSpace(name))
		weight := 1.0
		if q, ok := strings.CutPrefix(strings.ToLower(strings.ReplaceAll(parameters, " ", "")), "q="); ok {
			n, err := strconv.ParseFloat(q, 64)
			if err != nil {
				continue
			}
			weight = n
		}
		if name == "*" {
			name = "gzip"
			if named[name] {
				continue
			}
		}
		named[name] = true
		if packers[name] != nil && weight > 0 && (weight > most || weight == most && name == "gzip") {
			best, most = name, weight
		}
	}
	return best
}

// cors lets scripts of web pages ask and read, as far as Options.Origins goes, as the service lets all (captured on AWS).
// done is whether the request was only a question whether they may.
func (e *Engine) cors(w http.ResponseWriter, r *http.Request) (done bool) {
	origin := r.Header.Get("Origin")
	if origin == "" {
		return false
	}
	allowed := e.options.Origins
	if allowed == nil && e.keys != nil {
		allowed = []string{"*"}
	}
	any := slices.Contains(allowed, "*")
	if !any && !slices.Contains(allowed, origin) {
		return false
	}
	h := w.Header()
	if any {
		h.Set("Access-Control-Allow-Origin", "*")
	} else {
		h.Set("Access-Control-Allow-Origin", origin)
		h.Set("Vary", "Origin")
	}
	if r.Method != http.MethodOptions {
		h.Set("Access-Control-Expose-Headers", "x-amzn-RequestId,x-amzn-ErrorType,x-amzn-ErrorMessage,Date,x-amz-crc32")
		return false
	}
	for asked, granted := range map[string]string{
		"Access-Control-Request-Headers": "Access-Control-Allow-Headers",
		"Access-Control-Request-Method":  "Access-Control-Allow-Methods",
	} {
		if v := r.Header.Get(asked); v != "" {
			h.Set(granted, v)
		}
	}
	h.Set("Access-Control-Max-Age", "172800")
	h.Set("Content-Length", "0")
	w.WriteHeader(http.StatusOK)
	return true
}
