package prove_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/model"
	"github.com/tablewright/tablewright/prove"
	"github.com/tablewright/tablewright/spec"
)

const notes = `
tablewright: 1
application: notes
entities:
  Author:
    identity: [authorId]
    attributes:
      authorId: {type: string, bytes: 8}
      handle: {type: string, bytes: 8}
    unique: [handle]
    count: 100
  Note:
    identity: [noteId]
    attributes:
      noteId: {type: string, bytes: 8}
      authorId: {references: Author, inverse: notes, per-parent: {average: 4, max: 20}}
      title: {type: string, bytes: 20}
      rank: {type: number, digits: 3, optional: true, share: 50%}
      state: {states: [draft, shown, gone], share: {draft: 50%, shown: 40%}}
      endsAt: {type: timestamp, optional: true, share: 10%}
    expires: endsAt
    count: 400
patterns:
  addAuthor: {write: {create: Author}, rate: {average: 1/s, peak: 1/s}}
  addNote: {write: {create: Note, requires: [author]}, rate: {average: 1/s, peak: 1/s}}
  moveNote: {write: {update: Note, set: [state]}, rate: {average: 1/s, peak: 1/s}}
  endNote: {write: {update: Note, set: {endsAt: now + 1h}}, rate: {average: 1/s, peak: 1/s}}
  getAuthor: {read: Author, given: [handle], with: [notes], rate: {average: 1/s, peak: 1/s}}
  byRank: {read: Note, given: [authorId], where: rank between $from and $to, order: rank, results: {average: 2, max: 20}, rate: {average: 1/s, peak: 1/s}}
  notBelow: {read: Note, given: [authorId], where: not rank < $least, results: {average: 2, max: 20}, rate: {average: 1/s, peak: 1/s}}
  byTitle: {read: Note, given: [authorId], order: title, rate: {average: 1/s, peak: 1/s}}
  topTwo: {read: Note, given: [authorId], order: rank descending, top: 2, rate: {average: 1/s, peak: 1/s}}
  howMany: {read: Note, given: [authorId], aggregate: {n: count, best: max(rank)}, rate: {average: 1/s, peak: 1/s}}
`

func parsed(t testing.TB, text string) *spec.Requirements {
	t.Helper()
	r, _, found := model.ReadRequirements("notes.yaml", []byte(text))
	if r == nil || found.Errors() > 0 {
		t.Fatal(found)
	}
	return r
}

type notebook struct {
	t *testing.T
	r *spec.Requirements
	o *prove.Oracle
}

func newNotebook(t *testing.T) *notebook {
	r := parsed(t, notes)
	b := &notebook{t, r, prove.NewOracle(r)}
	b.o.SetNow(epoch)
	b.write("addAuthor", item("author", attr.Map(item("authorId", attr.Text("a"), "handle", attr.Text("ann")))))
	return b
}

func item(pairs ...any) attr.Item {
	var it attr.Item
	for i := 0; i < len(pairs); i += 2 {
		it.Set(pairs[i].(string), pairs[i+1].(attr.Value))
	}
	return it
}

func num(n int64) attr.Value { return attr.Num(attr.Int(n)) }

func (b *notebook) write(pattern string, args attr.Item) []string {
	b.t.Helper()
	p := b.r.Pattern(pattern)
	if p == nil {
		b.t.Fatal("no pattern", pattern)
	}
	return b.o.Write(p, args).Codes
}

func (b *notebook) note(id, title string, more ...any) []string {
	it := item(append([]any{"noteId", attr.Text(id), "authorId", attr.Text("a"), "title", attr.Text(title)}, more...)...)
	return b.write("addNote", item("note", attr.Map(it)))
}

func (b *notebook) read(pattern string, args attr.Item) *prove.Expected {
	return b.o.Read(b.r.Pattern(pattern), args)
}

func ids(x *prove.Expected) string {
	var out []string
	for _, m := range x.Matches {
		out = append(out, m.Item.Get("noteId").Str())
	}
	return strings.Join(out, " ")
}

func of(author string, more ...any) attr.Item {
	return item(append([]any{"authorId", attr.Text(author)}, more...)...)
}

func TestOracleConditions(t *testing.T) {
	b := newNotebook(t)
	b.note("n1", "x", "rank", num(1))
	b.note("n2", "x", "rank", num(2))
	b.note("n3", "x", "rank", num(3))
	b.note("n0", "x") // has no rank
	for _, c := range []struct {
		name, pattern string
		args          attr.Item
		want          string
	}{
		{"between takes both ends", "byRank", of("a", "from", num(1), "to", num(3)), "n1 n2 n3"},
		{"between one value and itself", "byRank", of("a", "from", num(2), "to", num(2)), "n2"},
		{"between ends that are exchanged", "byRank", of("a", "from", num(3), "to", num(1)), ""},
		{"an absent attribute matches no comparison", "byRank", of("a", "from", num(-999), "to", num(999)), "n1 n2 n3"},
		{"and its negation is true", "notBelow", of("a", "least", num(2)), "n2 n3 n0"},
		{"nobody", "byTitle", of("b"), ""},
	} {
		if got := ids(b.read(c.pattern, c.args)); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	got := b.read("howMany", of("a")).Aggregates
	if !attr.EqualItems(got, item("n", num(4), "best", num(3))) {
		t.Errorf("aggregates %v", got)
	}
	if got := b.read("howMany", of("b")).Aggregates; !attr.EqualItems(got, item("n", num(0))) {
		t.Errorf("aggregates of nothing: %v", got)
	}
}

// Text is ordered by its UTF-8 bytes: upper case before lower case, and what lies beyond the 16-bit plane last, where
// UTF-16 would have it before U+E000.
func TestOracleOrder(t *testing.T) {
	b := newNotebook(t)
	for i, title := range []string{"b", "a", "B", "é", "\U0001F600", "\uFF5E", "a", "a#", "a "} {
		b.note("n"+string(rune('0'+i)), title)
	}
	if got := ids(b.read("byTitle", of("a"))); got != "n2 n1 n6 n8 n7 n0 n3 n5 n4" {
		t.Error(got)
	}
}

// Where `top` cuts through a tie all of the tied are expected, since any of them may be answered; what lacks the
// attribute comes last descending.
func TestOracleTop(t *testing.T) {
	b := newNotebook(t)
	b.note("n0", "x")
	b.note("n1", "x", "rank", num(5))
	b.note("n2", "x", "rank", num(7))
	if got := ids(b.read("topTwo", of("a"))); got != "n2 n1" {
		t.Error(got)
	}
	b.note("n3", "x", "rank", num(5))
	if got := ids(b.read("topTwo", of("a"))); got != "n2 n1 n3 n0" {
		t.Error("tied:", got)
	}
}

func TestOracleRefuses(t *testing.T) {
	b := newNotebook(t)
	b.note("n1", "x")
	move := func(id, to string) []string {
		return b.write("moveNote", item("noteId", attr.Text(id), "state", attr.Text(to)))
	}
	before := b.read("byTitle", of("a")).Matches[0].Item
	for _, c := range []struct {
		name string
		got  []string
		want string
	}{
		{"a second one", b.note("n1", "y"), "exists"},
		{"a parent that must be there", b.write("addNote", item("note", attr.Map(item("noteId", attr.Text("n9"), "authorId", attr.Text("nobody"), "title", attr.Text("x"))))), "missing"},
		{"a claimed value", b.write("addAuthor", item("author", attr.Map(item("authorId", attr.Text("b"), "handle", attr.Text("ann"))))), "unique"},
		{"what nobody has", move("n9", "shown"), "missing"},
		{"the state it is in", move("n1", "draft"), "state"},
	} {
		if !slices.Equal(c.got, []string{c.want}) {
			t.Errorf("%s: refused as %v, want %s", c.name, c.got, c.want)
		}
	}
	if after := b.read("byTitle", of("a")).Matches; len(after) != 1 || !attr.EqualItems(after[0].Item, before) {
		t.Errorf("refused calls have changed something: %v", after)
	}
	if codes := move("n1", "gone"); codes != nil {
		t.Errorf("a state may be passed over: %v", codes)
	}
	if codes := move("n1", "shown"); !slices.Equal(codes, []string{"state"}) {
		t.Errorf("a state does not come back: %v", codes)
	}
}

// What expires is gone for readers from that moment on, also inside what it belongs to, while its identity is still taken.
func TestOracleExpiry(t *testing.T) {
	b := newNotebook(t)
	b.note("n1", "x")
	b.note("n2", "x")
	if codes := b.write("endNote", item("noteId", attr.Text("n1"))); codes != nil {
		t.Fatal(codes)
	}
	for _, c := range []struct {
		after time.Duration
		want  string
	}{{time.Hour - time.Millisecond, "n1 n2"}, {time.Hour, "n2"}, {2 * time.Hour, "n2"}} {
		b.o.SetNow(epoch.Add(c.after))
		if got := ids(b.read("byTitle", of("a"))); got != c.want {
			t.Errorf("after %s: %q, want %q", c.after, got, c.want)
		}
		whole := b.read("getAuthor", item("handle", attr.Text("ann"))).Matches[0].Item
		if n := len(whole.Get("notes").Elems()); n != len(strings.Fields(c.want)) {
			t.Errorf("after %s: %d notes inside their author", c.after, n)
		}
	}
	if codes := b.note("n1", "x"); !slices.Equal(codes, []string{"exists"}) {
		t.Errorf("created again: %v", codes)
	}
}
