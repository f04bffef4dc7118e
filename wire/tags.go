package wire

// TagsInput is the request of TagResource, UntagResource and ListTagsOfResource; each has its part of it.
type TagsInput struct {
	ResourceARN string   `json:"ResourceArn"`
	Tags        []Tag    `json:"Tags,omitempty"`    // TagResource
	Keys        []string `json:"TagKeys,omitempty"` // UntagResource
	NextToken   string   `json:"NextToken,omitempty"`
}

// DecodeTags reads a request; class is the structure's name, such as "TagResourceInput". The error is an *Error.
func DecodeTags(body []byte, class string) (*TagsInput, error) {
	in := new(TagsInput)
	r := read(body)
	var arn text
	for name := range r.Fields(class) {
		switch string(name) {
		case "ResourceArn":
			arn = r.text()
		case "Tags":
			in.Tags = r.tags()
		case "TagKeys":
			if !r.Null() {
				in.Keys = []string{}
				for range r.Elems() {
					in.Keys = append(in.Keys, r.Text())
				}
			}
		case "NextToken":
			in.NextToken = r.Text()
		}
	}
	return in, r.finish(func() {
		r.resourceARN(arn)
		in.ResourceARN = arn.s
		switch class {
		case "TagResourceInput":
			r.require("tags", in.Tags != nil)
		case "UntagResourceInput":
			r.require("tagKeys", in.Keys != nil)
		}
	})
}

// Append appends the request's JSON to dst.
func (in *TagsInput) Append(dst []byte) []byte { return appendJSON(dst, in) }

// ListTagsOutput is the answer of ListTagsOfResource.
type ListTagsOutput struct {
	Tags      []Tag  `json:"Tags"`
	NextToken string `json:"NextToken,omitempty"`
}

// Append appends the answer's JSON to dst.
func (out *ListTagsOutput) Append(dst []byte) []byte { return appendJSON(dst, out) }
