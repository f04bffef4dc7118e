package wire

// InsightsInput is the request of UpdateContributorInsights, DescribeContributorInsights and ListContributorInsights; each
// has its part of it.
type InsightsInput struct {
	TableName  string `json:"TableName,omitempty"` // ListContributorInsights: empty for all
	IndexName  string `json:"IndexName,omitempty"` // Update and Describe: empty for the table itself
	Action     string `json:"ContributorInsightsAction,omitempty"`
	Mode       string `json:"ContributorInsightsMode,omitempty"`
	MaxResults *int   `json:"MaxResults,omitempty"` // List; nil: MaxInsights
	NextToken  string `json:"NextToken,omitempty"`
}

// MaxInsights is how many summaries ListContributorInsights answers at most, and without MaxResults
// (API_ListContributorInsights).
const MaxInsights = 100

// DecodeInsights reads a request; class is the structure's name, such as "UpdateContributorInsightsInput". The error is an
// *Error.
func DecodeInsights(body []byte, class string) (*InsightsInput, error) {
	in := new(InsightsInput)
	r := read(body)
	var table, index, action, mode text
	for name := range r.Fields(class) {
		switch string(name) {
		case "TableName":
			table = r.text()
		case "IndexName":
			index = r.text()
		case "ContributorInsightsAction":
			action = r.text()
		case "ContributorInsightsMode":
			mode = r.text()
		case "MaxResults":
			in.MaxResults = r.intPointer()
		case "NextToken":
			in.NextToken = r.text().s
		}
	}
	return in, r.finish(func() {
		if list := class == "ListContributorInsightsInput"; table.set || !list {
			in.TableName = r.controlTable(table)
		}
		if index.set && (len(index.s) < shortestName || len(index.s) > longestName) && r.alone == nil {
			r.alone = Invalid("IndexName must be at least 3 characters long and at most 255 characters long")
		}
		in.IndexName = index.s
		if class == "UpdateContributorInsightsInput" {
			r.require("contributorInsightsAction", action.set)
		}
		in.Action = r.enum("contributorInsightsAction", action, "[ENABLE, DISABLE]")
		in.Mode = r.enum("contributorInsightsMode", mode, "[THROTTLED_KEYS, ACCESSED_AND_THROTTLED_KEYS]")
		if n := in.MaxResults; n != nil && *n > MaxInsights {
			r.within("maxResults", n, 0, MaxInsights)
		}
	})
}

// Append appends the request's JSON to dst.
func (in *InsightsInput) Append(dst []byte) []byte { return appendJSON(dst, in) }

// Insights are the contributor insights of a table or index: Status is "ENABLING", "ENABLED", "DISABLING", "DISABLED" or
// "FAILED", Updated in seconds since 1970. It is the answer of UpdateContributorInsights and DescribeContributorInsights.
type Insights struct {
	TableName string   `json:"TableName"`
	IndexName string   `json:"IndexName,omitempty"`
	Rules     []string `json:"ContributorInsightsRuleList,omitempty"`
	Status    string   `json:"ContributorInsightsStatus"`
	Updated   float64  `json:"LastUpdateDateTime,omitempty"`
	Mode      string   `json:"ContributorInsightsMode,omitempty"`
}

// Append appends the answer's JSON to dst.
func (out *Insights) Append(dst []byte) []byte { return appendJSON(dst, out) }

// ListInsightsOutput is the answer of ListContributorInsights.
type ListInsightsOutput struct {
	Summaries []Insights `json:"ContributorInsightsSummaries"`
	NextToken string     `json:"NextToken,omitempty"`
}

// Append appends the answer's JSON to dst.
func (out *ListInsightsOutput) Append(dst []byte) []byte { return appendJSON(dst, out) }
