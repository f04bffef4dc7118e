package plan

import (
	"strconv"
	"strings"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/expr"
)

// String is the request with all its values, for people who look for a mistake: one line for the operation, then one for
// each of its parts. It shows data: keep it out of logs.
func (r *Request) String() string {
	var b strings.Builder
	r.print(&b, "")
	return b.String()
}

func (r *Request) print(b *strings.Builder, indent string) {
	line := func(name, text string) {
		if text != "" {
			b.WriteString(indent + "  " + name + ": " + text + "\n")
		}
	}
	b.WriteString(indent + r.Verb.Operation())
	if r.Table != "" {
		b.WriteString(" " + r.Table)
		if r.Index != "" {
			b.WriteString("." + r.Index)
		}
	}
	for _, o := range []struct {
		on   bool
		name string
	}{
		{r.Descending, "descending"}, {r.Consistent, "consistent"}, {r.Limit > 0, "limit " + strconv.Itoa(r.Limit)},
		{r.ReturnNew, "returning new"}, {r.ReturnOld, "returning old"}, {r.Token != "", "token " + r.Token},
	} {
		if o.on {
			b.WriteString(" " + o.name)
		}
	}
	b.WriteByte('\n')
	item := func(it attr.Item) string {
		if it.Len() == 0 {
			return ""
		}
		return string(attr.AppendItem(nil, it))
	}
	line("key", item(r.Key))
	for _, k := range r.Keys {
		line("key", item(k))
	}
	line("item", item(r.Item))
	line("start", item(r.Start))
	if r.KeyExpr != nil {
		line("where", printed(func(p *expr.Printer) ([]byte, error) { return p.AppendKey(nil, r.KeyExpr) }))
	}
	if r.Filter != nil {
		line("filter", printed(func(p *expr.Printer) ([]byte, error) { return p.AppendCondition(nil, r.Filter) }))
	}
	if r.Update != nil {
		line("update", printed(func(p *expr.Printer) ([]byte, error) { return p.AppendUpdate(nil, r.Update) }))
	}
	if r.Condition != nil {
		line("condition", printed(func(p *expr.Printer) ([]byte, error) { return p.AppendCondition(nil, r.Condition) }))
	}
	if r.Projection != nil {
		line("project", printed(func(p *expr.Printer) ([]byte, error) { return p.AppendProjection(nil, r.Projection) }))
	}
	for _, a := range r.Actions {
		a.print(b, indent+"  ")
	}
}

// printed writes an expression with names and values in place of their placeholders.
func printed(text func(*expr.Printer) ([]byte, error)) string {
	var p expr.Printer
	t, err := text(&p)
	if err != nil {
		return err.Error()
	}
	var b strings.Builder
	for i := 0; i < len(t); i++ {
		n := i + 1
		for n < len(t) && t[n] >= '0' && t[n] <= '9' {
			n++
		}
		index, err := strconv.Atoi(string(t[i+1 : n]))
		switch {
		case err == nil && t[i] == '#' && index < len(p.Names()):
			b.WriteString(p.Names()[index])
			i = n - 1
		case err == nil && t[i] == ':' && index < len(p.Values()):
			b.Write(attr.AppendValue(nil, p.Values()[index]))
			i = n - 1
		default:
			b.WriteByte(t[i])
		}
	}
	return b.String()
}
