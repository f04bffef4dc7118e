package rules

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/tablewright/tablewright/capacity"
)

var largeAttributes = &Rule{
	ID:       "large-attributes",
	Title:    "One attribute that makes items large",
	Category: Cost,
	Looks:    "At the attributes of the large items that were seen whole: which of them has how many of the bytes.",
	Fires:    "When a single attribute, a text, a binary or a map, has half of an item of Thresholds.LargeItem (100 KB) or more.",
	Rests:    "When an item is large in many attributes; when the attribute is a list or set that grows, whose elements are items of their own: see growing-items.",
	Sources:  []string{page("bp-use-s3-too"), page("Constraints")},
	Find:     findLargeAttributes,
}

func findLargeAttributes(in *Input) (found []Finding) {
	for _, s := range in.Stats.Sizes {
		for _, kind := range kindsOf(sizedItems(s, int(in.Thresholds.LargeItem))) {
			for _, item := range kind.items {
				p, of := biggest(item)
				if p.Name == "" || of < mostOfItem || p.Type != "S" && p.Type != "B" && p.Type != "M" {
					continue
				}
				f := in.largeItem(s.Table, kind)
				f.Key = item.Key
				f.Severity = max(f.Severity, Warning)
				rest := capacity.Bytes(item.LastBytes - p.Bytes)
				f.Title = fmt.Sprintf("%s: the attribute %s has %s of the %s of the item %s", s.Table, p.Name, percent(of), inBytes(float64(item.LastBytes)), itemName(item))
				f.Confidence = 0.85
				what := "of it in the attribute " + p.Name
				f.Evidence = slices.DeleteFunc(f.Evidence, func(e Evidence) bool { return e.What == what })
				f.Evidence = append([]Evidence{
					{What: what, Value: 100 * of, Unit: "%", Limit: 100 * mostOfItem},
					{What: "bytes of the attribute", Value: float64(p.Bytes), Unit: "B"},
				}, f.Evidence...)
				f.Remedy.Ease = Migration
				f.Remedy.Text = fmt.Sprintf("Keep %s outside of the item: in S3, with its key in the item (tablewright.Blob and Offload do that, and leave small values where they are), or in an item of its own "+
					"under the same partition key. A change of anything else then costs %s instead of %s, a read %s instead of %s.", p.Name,
					figureText(float64(capacity.Write(rest, rest)), "write units"), number(float64(capacity.Write(capacity.Bytes(item.LastBytes), 0))),
					figureText(float64(capacity.Get(rest, capacity.Eventual)), "read units"), number(float64(capacity.Get(capacity.Bytes(item.LastBytes), capacity.Eventual))))
				if p.Type == "S" {
					f.Remedy.Text += " Text that is never searched can also be compressed (Offload.Compress), which makes it a third or so."
				}
				f.Remedy.Snippets = []Snippet{{"go", fmt.Sprintf(`store, err := s3blobs.Open(ctx, s3blobs.Options{Bucket: "bodies"})
large := tablewright.Offload{Store: store, Compress: true}

type Document struct {
	ID   string           `+"`ddb:\"id\"`"+`
	Body tablewright.Blob `+"`ddb:%q`"+`
}

body, err := large.Save(ctx, data)   // before the item is written
data, err := large.Load(ctx, d.Body) // when it is needed`, cmp.Or(p.Name, "body"))}}
				found = append(found, f)
				break
			}
		}
	}
	return found
}
