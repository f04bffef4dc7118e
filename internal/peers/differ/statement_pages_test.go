package differ_test

import (
	"github.com/tablewright/tablewright/internal/peers/ledger"
)

// statementPages follows both sides through the pages of a SELECT. Of what may come in any order everything is compared
// that does not depend on it.
func (p *pair) statementPages(r request, ours, theirs ledger.Answer) []ledger.Difference {
	p.t.Helper()
	a, failed := p.allPages(p.ours, r, ours)
	b, failedToo := p.allPages(p.theirs, r, theirs)
	if failed != "" || failedToo != "" {
		return []ledger.Difference{{Operation: r.operation, At: "page", Ours: failed, Theirs: failedToo}}
	}
	return ledger.Compare(r.operation, a, b)
}

// allPages is what all pages have, from the first one on; failed is the error of a later one.
func (p *pair) allPages(url string, r request, first ledger.Answer) (all ledger.Answer, failed string) {
	body := first.Body.(map[string]any)
	items, _ := body["Items"].([]any)
	pages := 1
	token, key := body["NextToken"], body["LastEvaluatedKey"]
	for ; token != nil; pages++ {
		in := copied(r.in).(obj)
		in["NextToken"] = token
		answer := p.askAlone(url, r.operation, in)
		if answer.Failed != "" {
			return all, answer.Failed
		}
		page := answer.Body.(map[string]any)
		items = append(items, page["Items"].([]any)...)
		token = page["NextToken"]
		if pages > 1000 {
			p.t.Fatalf("no end of pages: %s", ledger.Text(r.in))
		}
	}
	if !r.total {
		ledger.Sort(items)
	}
	consumed := body["ConsumedCapacity"]
	if pages > 1 {
		consumed = nil
	}
	return ledger.Answer{Status: first.Status, Body: map[string]any{
		"Items": items, "Pages": float64(pages), "LastEvaluatedKey": key != nil, "ConsumedCapacity": consumed,
	}}, ""
}
