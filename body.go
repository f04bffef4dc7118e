package tablewright

import (
	"strconv"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/expr"
)

// body writes the JSON of a request into a call's buffer. Every request begins with begin and ends with end; members are
// separated as they come.
type body struct {
	b    []byte
	full bool // the object that is open has a member

	itemFrom, itemTo int  // where the key of the one item stands, if it was told
	asks             Asks // of the write that was written last
}

func (w *body) open()  { w.b, w.full = append(w.b, '{'), false }
func (w *body) close() { w.b, w.full = append(w.b, '}'), true }

// key begins a member; its value is to follow.
func (w *body) key(name string) {
	if w.full {
		w.b = append(w.b, ',')
	}
	w.full = true
	w.b = append(w.b, '"')
	w.b = append(w.b, name...) // our own names: nothing to escape
	w.b = append(w.b, '"', ':')
}

func (w *body) text(name, value string) {
	w.key(name)
	w.b = attr.AppendText(w.b, value)
}

func (w *body) int(name string, n int) {
	w.key(name)
	w.b = strconv.AppendInt(w.b, int64(n), 10)
}

func (w *body) flag(name string, on bool) {
	if on {
		w.key(name)
		w.b = append(w.b, "true"...)
	}
}

func (w *body) item(name string, it attr.Item) {
	w.key(name)
	w.b = attr.AppendItem(w.b, it)
}

// raw writes a member whose value is JSON already.
func (w *body) raw(name string, value []byte) {
	w.key(name)
	w.b = append(w.b, value...)
}

// table opens the member of a map by table name.
func (w *body) table(name string) {
	if w.full {
		w.b = append(w.b, ',')
	}
	w.full = true
	w.b = attr.AppendText(w.b, name)
	w.b = append(w.b, ':')
}

// expression writes a member that append fills with expression text. The texts have placeholders only: nothing to escape.
func (w *body) expression(name string, text func(dst []byte) ([]byte, error)) error {
	w.key(name)
	w.b = append(w.b, '"')
	b, err := text(w.b)
	if err != nil {
		return valueless(err)
	}
	w.b = append(b, '"')
	return nil
}

// substitutions writes the names and values behind the placeholders.
func (w *body) substitutions(p *expr.Printer) {
	if names := p.Names(); len(names) > 0 {
		w.key("ExpressionAttributeNames")
		w.b = append(w.b, '{')
		for i, n := range names {
			if i > 0 {
				w.b = append(w.b, ',')
			}
			w.b = append(w.b, '"', '#')
			w.b = strconv.AppendInt(w.b, int64(i), 10)
			w.b = append(w.b, '"', ':')
			w.b = attr.AppendText(w.b, n)
		}
		w.b = append(w.b, '}')
	}
	if values := p.Values(); len(values) > 0 {
		w.key("ExpressionAttributeValues")
		w.b = append(w.b, '{')
		for i, v := range values {
			if i > 0 {
				w.b = append(w.b, ',')
			}
			w.b = append(w.b, '"', ':')
			w.b = strconv.AppendInt(w.b, int64(i), 10)
			w.b = append(w.b, '"', ':')
			w.b = attr.AppendValue(w.b, v)
		}
		w.b = append(w.b, '}')
	}
}
