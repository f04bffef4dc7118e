package wire

// ScanInput is the request of Scan. Its answer is a ReadOutput.
type ScanInput struct {
	Reading
	Segment       *int
	TotalSegments *int
	ScanFilter    []Comparison // from before expressions
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
			in.ScanFilter = r.comparisons("Condition")
		default:
			in.member(r, name)
		}
	}
	return in, r.finish(func() {
		r.within("limit", in.Limit, 1, 0)
		in.checkFirst(r)
		r.within("segment", in.Segment, 0, 999_999)
		in.Select = r.enum("select", in.words, wordsSelect)
		r.checkComparisons("scanFilter", in.ScanFilter, true)
		in.ConditionalOperator = r.enum("conditionalOperator", in.operator, wordsConditional)
		r.within("totalSegments", in.TotalSegments, 1, 1_000_000)
		in.checkLast(r)
	})
}

// Append appends the request's JSON to dst.
func (in *ScanInput) Append(dst []byte) []byte {
	o := begin(dst)
	in.append(&o)
	o.optionalInt("Segment", in.Segment)
	o.optionalInt("TotalSegments", in.TotalSegments)
	o.comparisons("ScanFilter", in.ScanFilter)
	return o.end()
}
