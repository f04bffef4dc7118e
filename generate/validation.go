package generate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/internal/show"
	"github.com/tablewright/tablewright/spec"
)

// validation is what the proof found.
func (in *Input) validation(p *page) {
	p.heading(2, "Validation")
	e := in.Proof
	if e == nil {
		p.text("The model has not been proven: run `tablewright prove` on it.")
		return
	}
	proven, all := e.count()
	calls := 0
	for _, r := range e.Patterns {
		calls += r.Calls
	}
	p.text("**%d of %d access patterns are proven**, in %s calls (seed %d). The data was made through the model's own writes. Every answer was compared with an oracle that knows the requirements only, never tables "+
		"or keys: contents, order, each entity exactly once over all pages, what writes change in later reads, refused writes that change nothing. Index entries lagged behind their tables while it ran. "+
		"Consumed units have to lie within 10 %% of the estimate that was computed before. The evidence in full, with the first counterexample of whatever failed, is in `proof.json`.",
		proven, all, show.Number(float64(calls)), e.Seed)
	var rows [][]string
	for _, r := range e.Patterns {
		estimated, consumed := total(r.Estimated), total(r.Consumed)
		difference := ""
		if r.Measured > 0 && estimated > 0 {
			difference = deviation(consumed/estimated - 1)
		}
		rows = append(rows, []string{code(r.Name), r.verdict(), show.Number(float64(r.Calls)), in.aims(r), counts(r.Refused), show.Units(estimated), show.Units(consumed), difference, interval(r), heat(r)})
	}
	p.table([]string{"access pattern", "verdict", ">calls", "of which", "refused, as they should be", ">units estimated", ">units consumed", ">difference", ">between", ">hottest key"}, rows)
	if slices.ContainsFunc(e.Patterns, func(v Verdict) bool { return v.High > 0 || v.Heat > 0 }) {
		p.text("Answers, units and heat are judged apart. *Between*: where the mean of any number of calls lies, with a confidence of 95 %%. *Hottest key*: what the hottest key that the pattern reads or writes takes at peak, of what one partition does.")
	}
	p.text("Units are those on the proof's data, which is smaller than the application's, so they differ from the ones above. It held %s.", entityCounts(in.Requirements, e.Entities))
	in.remarks(p)
	p.list(in.aimed()...)
	in.concurrent(p)
	in.peak(p)
	in.cuts(p)
}

// aimsOfReads and aimsOfWrites say what the calls of a proof are after, in the order in which they are told.
var (
	aimsOfReads = [][2]string{
		{"typical", "values that are there, the frequent ones most often"},
		{"largest", "the largest collection there is"},
		{"edge", "ranges that begin or end on a stored value or just beside it, and empty ones"},
		{"absent", "values that nobody has"},
		{"after a write", "what a write has just changed"},
		{"after a write, indexes lagging", "the same while index entries still lag behind"},
	}
	aimsOfWrites = [][2]string{
		{"regular", "what the application does every day"},
		{"again", "creates what exists, or claims a unique value that is taken"},
		{"absent", "changes what nobody has"},
		{"contrary", "asks for what must be refused: states backwards, more than there is, numbers beyond their range"},
		{"just made", "changes what has just been created"},
		{"freed", "claims a unique value that is free again"},
		{"concurrent", "several callers at once"},
	}
)

// aimed explains the words of the table above, those that occur.
func (in *Input) aimed() []string {
	var out []string
	for _, side := range []struct {
		name   string
		writes bool
		aims   [][2]string
	}{{"Calls of reads", false, aimsOfReads}, {"Calls of writes", true, aimsOfWrites}} {
		var said []string
		for _, aim := range side.aims {
			if slices.ContainsFunc(in.Proof.Patterns, func(v Verdict) bool {
				x := in.Requirements.Pattern(v.Name)
				return x != nil && x.Writes() == side.writes && v.Aims[aim[0]] > 0
			}) {
				said = append(said, "*"+aim[0]+"*: "+aim[1])
			}
		}
		if len(said) > 0 {
			if !side.writes {
				said = append(said, "*"+spreadAim+"*: the calls whose units are compared with the estimate")
			}
			out = append(out, side.name+": "+strings.Join(said, "; ")+".")
		}
	}
	return out
}

func interval(v Verdict) string {
	if v.High == 0 {
		return ""
	}
	return show.Units(v.Low) + " and " + show.Units(v.High)
}

func heat(v Verdict) string {
	if v.Heat == 0 {
		return ""
	}
	return show.Percent(v.Heat)
}

// deviation is a difference in percent; nothing has no sign.
func deviation(share float64) string {
	text := fmt.Sprintf("%+.1f %%", 100*share)
	if text == "-0.0 %" || text == "+0.0 %" {
		return "0.0 %"
	}
	return text
}

// concurrent tells what several callers who wanted the same at once have got. Where all were refused nothing was shown.
func (in *Input) concurrent(p *page) {
	var rows [][]string
	for _, c := range in.Proof.Concurrent {
		if c.Happened > 0 {
			rows = append(rows, []string{code(c.Pattern), c.What, show.Number(float64(c.Attempts)), show.Number(float64(c.Happened))})
		}
	}
	if len(rows) == 0 {
		return
	}
	p.text("Several callers wanting the same at once, their requests interleaved. Where one excludes the others exactly one was done; where all may be done none got lost, and none was done twice.")
	p.table([]string{"access pattern", "what they wanted", ">callers", ">done"}, rows)
}

// remarks lists where the proof's data has something else than is stated.
func (in *Input) remarks(p *page) {
	var out []string
	for _, v := range in.Proof.Patterns {
		if v.Remark != "" {
			out = append(out, code(v.Name)+": "+v.Remark+".")
		}
	}
	if len(out) > 0 {
		p.text("Where the proof's data has something else than is stated, the estimate rests on the data; the prices above rest on what is stated:")
		p.list(out...)
	}
}

// cuts says how the proof's data is smaller than the application's, and why it shows the same.
func (in *Input) cuts(p *page) {
	var counts []string
	var rows [][]string
	for _, c := range in.Proof.Cuts {
		if name, ok := strings.CutPrefix(c.What, "count of "); ok {
			counts = append(counts, fmt.Sprintf("%s %s of %s", name, show.Number(c.Used), show.Number(c.Stated)))
			continue
		}
		rows = append(rows, []string{c.What, show.Number(c.Stated), show.Number(c.Used), in.enough(c)})
	}
	if len(counts)+len(rows) == 0 {
		return
	}
	p.text("How the proof's data is smaller than the application's, and why that is enough:")
	if len(counts) > 0 {
		p.list(fmt.Sprintf("Fewer of each entity (%s). An answer comes from the keys of one call, however many others there are: what it reads depends on the collection it falls into, which is as large as its averages say. "+
			"What grows with the numbers, storage and load, is priced from the stated ones.", strings.Join(counts, ", ")))
	}
	if len(rows) > 0 {
		p.text("The largest collections are cut:")
		p.table([]string{"children per parent, at most", ">stated", ">in the proof", "why that is enough"}, rows)
	}
}

// enough says why a cut collection shows what the stated one would.
func (in *Input) enough(c Cut) string {
	if name, ok := strings.CutPrefix(c.Because, "three pages of "); ok {
		if x := in.Requirements.Pattern(name); x != nil && x.Page > 0 {
			return fmt.Sprintf("%s reads pages of %s: more than three of them have a first, an inner and a last page and the borders between; more pages would repeat the inner one", code(name), show.Number(float64(x.Page)))
		}
	}
	if name, ok := strings.CutPrefix(c.Because, "one 1 MB page of "); ok {
		return fmt.Sprintf("one call of %s reads more than 1 MB and so goes over the border of a request; more would repeat that", code(name))
	}
	if name, ok := strings.CutSuffix(c.Because, " reads it whole"); ok {
		if proc := in.Program.Procedure(name); proc != nil {
			if n, _ := in.pages(proc); n > 1 {
				return fmt.Sprintf("%s reads it whole; its largest answer takes up to %s requests, which the proof does not show here", code(name), show.Number(n))
			}
			return fmt.Sprintf("%s reads it whole, and its largest answer comes in one request as well, below the 1 MB at which it would go on with another", code(name))
		}
	}
	if c.Because == "no pattern reads the collection" {
		return in.unread(c)
	}
	return in.named(c.Because)
}

// unread says why the size of a collection does not matter that no access pattern reads on its own.
func (in *Input) unread(c Cut) string {
	child, rest, _ := strings.Cut(c.What, " per ")
	for _, e := range in.Requirements.Entities {
		for _, r := range e.There {
			if e.Name != child || rest != r.To.Name+" ("+r.Name+")" || !in.followedBack(r) {
				continue
			}
			if bytes := c.Stated * e.Bytes.Average; bytes <= float64(capacity.PageBytes) {
				return fmt.Sprintf("it comes with its %s in one request, at the stated most as well (%s of the 1 MB that a request brings)", r.To.Name, show.Bytes(bytes))
			}
			return fmt.Sprintf("it comes with its %s; the stated most takes several requests, which the proof does not show here", r.To.Name)
		}
	}
	return "no access pattern reads the collection, so its size changes no answer"
}

func total(m map[string]float64) float64 {
	n := 0.0
	for _, k := range sortedKeys(m) {
		n += m[k]
	}
	return n
}

// aims are the calls of a pattern by what their arguments were to hit. The rest have arguments as the requirements spread
// them: what such calls consume is compared with the estimate.
func (in *Input) aims(r Verdict) string {
	left := r.Calls
	var out []string
	order := aimsOfReads
	if x := in.Requirements.Pattern(r.Name); x != nil && x.Writes() {
		order = aimsOfWrites
	}
	names := sortedKeys(r.Aims)
	slices.SortStableFunc(names, func(a, b string) int {
		at := func(name string) int {
			return slices.IndexFunc(order, func(x [2]string) bool { return x[0] == name })
		}
		return at(a) - at(b)
	})
	for _, name := range names {
		left -= r.Aims[name]
		out = append(out, show.Number(float64(r.Aims[name]))+" "+name)
	}
	if left > 0 {
		out = append(out, show.Number(float64(left))+" "+spreadAim)
	}
	return strings.Join(out, "; ")
}

// spreadAim are calls whose units are compared with the estimate.
const spreadAim = "as the stated rates spread"

func counts(m map[string]int) string {
	var out []string
	for _, k := range sortedKeys(m) {
		out = append(out, fmt.Sprintf("%s %s", show.Number(float64(m[k])), k))
	}
	return strings.Join(out, ", ")
}

func entityCounts(r *spec.Requirements, n map[string]int) string {
	var out []string
	for _, e := range r.Entities {
		out = append(out, show.Number(float64(n[e.Name]))+" "+e.Name)
	}
	return show.List(out)
}
