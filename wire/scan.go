package wire

// ScanInput is the request of Scan. Its answer is a ReadOutput.
type ScanInput struct {
	Reading
	Segment       *int
	TotalSegments *int
}

// DecodeScan reads a request. The error is an *Error.
func DecodeScan(body []byte) (*ScanInput, error) {
	in := new(ScanInput)
	r := read(body)
	for name := range r.Fields("ScanInput") {
		switch string(name) {
		case "Segment":
			in.Segment = r.intPointer()
		case "TotalSegments":
			in.TotalSegments = r.intPointer()
		case "ScanFilter":
			legacy(r, &in.Legacy, name)
		default:
			in.member(r, name)
		}
	}
	return in, r.finish(func() {
		in.check(r)
		r.within("limit", in.Limit, 1, 0)
		r.within("segment", in.Segment, 0, 999_999)
		r.within("totalSegments", in.TotalSegments, 1, 1_000_000)
	})
}

// Append appends the request's JSON to dst.
func (in *ScanInput) Append(dst []byte) []byte {
	o := begin(dst)
	in.append(&o)
	o.optionalInt("Segment", in.Segment)
	o.optionalInt("TotalSegments", in.TotalSegments)
	return o.end()
}
