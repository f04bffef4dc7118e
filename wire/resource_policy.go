package wire

// ResourcePolicyInput is the request of PutResourcePolicy, GetResourcePolicy and DeleteResourcePolicy; each has its part
// of it.
type ResourcePolicyInput struct {
	ResourceARN string  `json:"ResourceArn"`
	Policy      string  `json:"Policy,omitempty"`                          // PutResourcePolicy: the document, JSON as text
	Revision    *string `json:"ExpectedRevisionId,omitempty"`              // Put and Delete: what must be there; NoPolicy for none
	Confirm     bool    `json:"ConfirmRemoveSelfResourceAccess,omitempty"` // Put
}

// NoPolicy is the ExpectedRevisionId of a PutResourcePolicy that only adds a policy where there is none.
const NoPolicy = "NO_POLICY"

// DecodeResourcePolicy reads a request; class is the structure's name, such as "PutResourcePolicyInput". The error is an
// *Error.
func DecodeResourcePolicy(body []byte, class string) (*ResourcePolicyInput, error) {
	in := new(ResourcePolicyInput)
	r := read(body)
	var arn, policy text
	for name := range r.Fields(class) {
		switch string(name) {
		case "ResourceArn":
			arn = r.text()
		case "Policy":
			policy = r.text()
		case "ExpectedRevisionId":
			in.Revision = r.textPointer()
		case "ConfirmRemoveSelfResourceAccess":
			if b := r.boolPointer(); b != nil {
				in.Confirm = *b
			}
		}
	}
	return in, r.finish(func() {
		r.resourceARN(arn)
		in.ResourceARN = arn.s
		if class == "PutResourcePolicyInput" {
			r.require("policy", policy.set)
			in.Policy = policy.s
		}
		if v := in.Revision; v != nil {
			r.length("expectedRevisionId", "'"+*v+"'", len(*v), 1, 255)
		}
	})
}

// resourceARN requires the ARN of what tags or policies belong to.
func (r *request) resourceARN(arn text) {
	r.require("resourceArn", arn.set)
	if arn.set {
		r.length("resourceArn", "'"+arn.s+"'", len(arn.s), 1, 1283)
	}
}

// Append appends the request's JSON to dst.
func (in *ResourcePolicyInput) Append(dst []byte) []byte { return appendJSON(dst, in) }

// ResourcePolicyOutput is the answer of the three: Policy is GetResourcePolicy's.
type ResourcePolicyOutput struct {
	Policy   string `json:"Policy,omitempty"`
	Revision string `json:"RevisionId,omitempty"`
}

// Append appends the answer's JSON to dst.
func (out *ResourcePolicyOutput) Append(dst []byte) []byte { return appendJSON(dst, out) }
