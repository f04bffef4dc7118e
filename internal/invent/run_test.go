package invent

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tablewright/tablewright/internal/norace"
)

var (
	flagN         = flag.Int("invent.n", 0, "design the applications of so many seeds; 0: 80, as far as they fit into 30 seconds")
	flagFrom      = flag.Uint64("invent.from", 1, "the first seed")
	flagSize      = flag.String("invent.size", "small", "small, large or both")
	flagOf        = flag.String("invent.of", "", "design variants of the requirements in these files, a pattern, instead of what is drawn by chance")
	flagTime      = flag.Duration("invent.time", 20*time.Second, "how long one design may take")
	flagRelations = flag.Bool("invent.relations", true, "also design changes of the requirements")
	flagProve     = flag.Bool("invent.prove", false, "also prove each designed model")
	flagShrink    = flag.Bool("invent.shrink", false, "shrink the smallest example of each kind of failure")
	flagOnly      = flag.String("invent.only", "", "look only at failures whose kind or text contains this")
	flagOut       = flag.String("invent.out", "", "write the example of each kind of failure into this folder")
	flagWorkers   = flag.Int("invent.workers", 1, "how many processes at once")
)

// inGate and budget are how many seeds TestRandom looks at without -invent.n, and for how long: a fast machine looks at no
// more seeds than another.
const (
	inGate = 80
	budget = 30 * time.Second
)

// TestRandom designs what is invented. Each application is served, or refused with reasons; what is served reads back as it
// was, costs as much then, and keeps to what must hold when the requirements change. Package documentation has the flags.
func TestRandom(t *testing.T) {
	switch {
	case os.Getenv(workerEnv) != "":
		t.Skip("this is a worker")
	case !norace.Here(t):
		return
	}
	r := &run{ratios: map[string][]float64{}, kinds: map[string]int{}, refusals: map[string]int{}, unshown: map[string]int{}, groups: map[string]*group{}}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	n := *flagN
	if n == 0 {
		n = inGate
		ctx, cancel = context.WithTimeout(ctx, budget)
		defer cancel()
	}
	files, err := filepath.Glob(*flagOf)
	if err != nil || *flagOf != "" && len(files) == 0 {
		t.Fatalf("no file is %s: %v", *flagOf, err)
	}
	cases := make(chan application)
	go func() {
		defer close(cases)
		for seed := *flagFrom; n > 0; seed, n = seed+1, n-1 {
			for _, size := range sizes(seed) {
				c := application{seed: seed, size: size}
				if len(files) > 0 {
					c.of = files[seed%uint64(len(files))]
				}
				select {
				case cases <- c:
				case <-ctx.Done():
					return
				}
			}
		}
	}()
	var all sync.WaitGroup
	for range max(1, *flagWorkers) {
		all.Go(func() {
			w := &worker{}
			defer w.end()
			for c := range cases {
				r.look(w, c, t.Logf)
			}
		})
	}
	all.Wait()
	if *flagShrink {
		r.shrink(t.Context())
	}
	report := r.report()
	t.Log(report)
	if r.cases == 0 {
		t.Error("nothing was designed")
	}
	if len(r.groups) > 0 {
		t.Errorf("%d kinds of failures", len(r.groups))
	}
	if *flagOut != "" {
		if err := r.write(*flagOut, report); err != nil {
			t.Error(err)
		}
	}
}

// sizes are those of a seed: without a flag some cases of a run in a budget are large.
func sizes(seed uint64) []Size {
	switch {
	case *flagSize == "both":
		return []Size{Small, Large}
	case *flagSize == "large", *flagN == 0 && seed%8 == 0:
		return []Size{Large}
	}
	return []Size{Small}
}

// byLaw is behind what is counted of prices that rest on the laws of stated figures alone.
const byLaw = " by stated figures"

type application struct {
	seed uint64
	size Size
	of   string // the file of which it is a variant; "": none
}

// text is nil if there is no variant.
func (a application) text() []byte {
	if a.of == "" {
		return Requirements(a.seed, a.size)
	}
	text, err := os.ReadFile(a.of)
	if err != nil {
		return nil
	}
	return Variant(a.seed, text)
}

func (a application) String() string {
	if a.of != "" {
		return fmt.Sprintf("seed %d of %s", a.seed, filepath.Base(a.of))
	}
	return fmt.Sprintf("seed %d, %s", a.seed, map[Size]string{Small: "small", Large: "large"}[a.size])
}

// group are failures of one kind whose texts differ in names and numbers only.
type group struct {
	kind, detail string
	count        int
	of           application
	text         []byte  // of the smallest example
	change       *Change // what the design of the example was compared after; nil: it fails by itself
}

type run struct {
	sync.Mutex
	cases, large int
	rests        int // of applications, without what was refused
	took         []float64
	kinds        map[string]int // of the designs as they are invented
	relations    int
	refusals     map[string]int // reasons for which applications are not served, without names and numbers
	unshown      map[string]int // statements that nothing shows, likewise
	groups       map[string]*group
	ratios       map[string][]float64 // of reads and writes, as calls meet the data and by law
}

var numbers = regexp.MustCompile(`[0-9][0-9_.,]*`)

// signature is a failure without names and numbers.
func signature(kind, detail string, text []byte) string {
	root, err := parse(text)
	if r := accepted(text); err == nil && r != nil {
		known := map[string]bool{}
		for _, n := range namesIn(root, r) {
			known[n] = true
		}
		detail = nameInText.ReplaceAllStringFunc(detail, func(w string) string {
			if known[w] || known[strings.TrimSuffix(w, "s")] {
				return "…"
			}
			return w
		})
	}
	if kind == otherText { // which says nothing of why
		return kind
	}
	if kind == panicked { // the lines of frames have numbers of lines
		message, rest, _ := strings.Cut(detail, "\n")
		return kind + ": " + numbers.ReplaceAllString(message, "N") + "\n" + rest
	}
	detail, _, _ = strings.Cut(numbers.ReplaceAllString(detail, "N"), ", and N more")
	if len(detail) > 400 {
		detail = detail[:400]
	}
	return kind + ": " + detail
}

// fails reports whether an outcome is none that may be.
func fails(o outcome) bool { return o.Kind != served && o.Kind != infeasible && o.Kind != unsupported }

// problem is something that may not be.
type problem struct{ kind, detail string }

// problems are all that there is to an outcome by itself.
func (o outcome) problems() (out []problem) {
	if o.Other != "" {
		out = append(out, problem{otherText, o.Other})
	}
	for _, v := range o.Proof {
		if v.Cause != "" {
			kind := notProven
			if v.Differs { // the answers are right
				kind = unitsDiffer
			}
			out = append(out, problem{kind, v.Pattern + ": " + v.Cause})
		}
	}
	if fails(o) && o.Kind != notProven {
		out = append(out, problem{o.Kind, o.Detail})
	}
	return out
}

// nothingShown is what a proof says of a statement for which no data is: of a condition on constants that nothing
// stored meets, of values that nobody has together. Where a parameter decides, the proof could have chosen it: that
// counts as not proven.
var nothingShown = regexp.MustCompile("^no call of it (" +
	"ever found anything among .*; (`[^$]*` holds for none of them|each test of `where: [^$]*` holds for some, all of them together for none|nothing stored has what `given` states" +
	"|none of them has a |`[^$]*` and `[^$]*`, which each call asks for, hold for some of them)" +
	"|was ever done, .*: (no \\w+ that is stored has a |`condition: [^$]*` (holds for no |and `[^$]*` hold for some .*, and for none together)))")

// noneMade is what follows for reads from a write that is never done.
var noneMade = regexp.MustCompile(`^no call of it ever found anything, for no \w+ was made`)

// unshown takes the statements that nothing shows out of the problems of an outcome. What was invented asks for it by
// chance.
func unshown(all []problem) (left, unshown []problem) {
	cause := func(p problem) string {
		_, cause, _ := strings.Cut(p.detail, ": ")
		return cause
	}
	neverDone := slices.ContainsFunc(all, func(p problem) bool {
		return nothingShown.MatchString(cause(p)) && strings.Contains(p.detail, "was ever done")
	})
	for _, p := range all {
		if p.kind == notProven && (nothingShown.MatchString(cause(p)) || neverDone && noneMade.MatchString(cause(p))) {
			unshown = append(unshown, p)
		} else {
			left = append(left, p)
		}
	}
	return left, unshown
}

// look designs an application and what its changes make of it.
func (r *run) look(w *worker, c application, logf func(format string, args ...any)) {
	text := c.text()
	for i := 0; i < mostRests && text != nil; i++ {
		o := r.lookAt(w, c, text, i > 0, logf)
		if o.Kind != infeasible && o.Kind != unsupported || *flagN == 0 {
			return // rests still find what is not mended: -invent.n looks at them
		}
		text = WithoutRefused(text, o.Detail)
	}
}

// mostRests is how often patterns that are refused are taken out of an application.
const mostRests = 6

// lookAt is look at the whole of an application, or at the rest of it.
func (r *run) lookAt(w *worker, c application, text []byte, rest bool, logf func(format string, args ...any)) outcome {
	first := job{Text: text, Prove: *flagProve, Limit: *flagTime}
	if *flagRelations {
		first.Under = scaled.Apply(c.seed, text)
	}
	o := w.do(first)
	logf("%s: %s in %.1f s %.80s", c, o.Kind, o.Took, strings.ReplaceAll(o.Detail, "\n", " "))
	r.Lock()
	switch {
	case rest:
		r.rests++
	case c.size == Large:
		r.large++
		fallthrough
	default:
		r.cases++
	}
	problems, none := unshown(o.problems())
	for _, p := range none {
		r.unshown[signature(p.kind, p.detail, text)]++
	}
	if o.Kind == notProven && len(problems) == 0 {
		r.kinds[served]++
	} else {
		r.kinds[o.Kind]++
	}
	r.took = append(r.took, o.Took)
	parsed := accepted(text)
	if !fails(o) {
		for _, line := range strings.Split(o.Detail, "\n") {
			if reason, inner := strings.CutPrefix(line, "  "); inner {
				r.refusals[signature(o.Kind, reason, text)]++
			}
		}
	}
	for _, v := range o.Proof {
		if v.Consumed > 0 {
			kind := "reads"
			if parsed.Pattern(v.Pattern).Writes() {
				kind = "writes"
			}
			r.ratios[kind] = append(r.ratios[kind], v.Estimated/v.Consumed)
			r.ratios[kind+byLaw] = append(r.ratios[kind+byLaw], v.Stated/v.Consumed)
		}
	}
	r.Unlock()
	for _, p := range problems {
		r.found(p.kind, p.detail, c, text, nil)
	}
	if o.Kind == notProven || o.Kind == notProvable { // it is designed
		o.Kind = served
	}
	if !*flagRelations || fails(o) {
		return o
	}
	for i := range Changes {
		if change := &Changes[i]; o.Kind == served || change.Holds == Same {
			r.Lock()
			r.relations++
			r.Unlock()
			if kind, detail := compare(w, change, c.seed, text, &o); kind != "" {
				r.found(kind, detail, c, text, change)
			}
		}
	}
	return o
}

// How far costs that must hold may be off.
const (
	exactly = 0.001
	cents   = 0.01 // dollars
)

// scaled is the change of all rates.
var scaled = Changes[slices.IndexFunc(Changes, func(c Change) bool { return c.Holds == Scaled })]

// compare designs what a change makes of requirements, and answers what does not hold between that and the design of these;
// "" if nothing. before is the latter, if it is there.
func compare(w *worker, c *Change, seed uint64, text []byte, before *outcome) (kind, detail string) {
	changed := c.Apply(seed, text)
	if changed == nil {
		return "", ""
	}
	if before == nil {
		o := w.do(job{Text: text, Under: scaled.Apply(seed, text), Limit: *flagTime})
		before = &o
	}
	after := w.do(job{Text: changed, Limit: *flagTime})
	kind = "relation: " + c.Name
	near := func(a, b, share float64) bool { return math.Abs(a-b) <= share*math.Max(a, b)+cents }
	// What is proven to be the cheapest is its own bound. What is not may be dearer than it has to be, but not its bound.
	above := func(o outcome, most float64) bool { return o.Bound > most*(1+1e-9)+cents }
	switch {
	case fails(*before):
		return "", "" // found by itself
	case fails(after):
		return kind, after.Kind + ": " + after.Detail
	case c.Holds == Same && before.Kind != after.Kind, before.Kind == served && after.Kind != served:
		return kind, fmt.Sprintf("%s before, then %s: %s%s", before.Kind, after.Kind, before.Detail, after.Detail)
	case before.Kind != served:
		return "", ""
	}
	switch c.Holds {
	case NotMore:
		if above(after, before.Cheapest) {
			return kind, fmt.Sprintf("$%.2f a month before, then nothing below $%.2f", before.Cheapest, after.Bound)
		}
	case Same:
		if above(after, before.Cheapest) || above(*before, after.Cheapest) {
			return kind, fmt.Sprintf("$%.2f a month before and nothing below $%.2f, then $%.2f and nothing below $%.2f", before.Cheapest, before.Bound, after.Cheapest, after.Bound)
		}
		if before.Bound == before.Cheapest && after.Bound == after.Cheapest && !near(before.Cost, after.Cost, exactly) {
			return kind, fmt.Sprintf("$%.2f a month before, then $%.2f", before.Cost, after.Cost)
		}
	case Scaled:
		rest := before.Cost - before.Requests
		if !near(before.UnderRequests, Factor*before.Requests, 1e-6) || !near(before.UnderCost-before.UnderRequests, rest, 1e-6) {
			return kind, fmt.Sprintf("the same model: $%.2f for requests and $%.2f for all else before, then $%.2f and $%.2f",
				before.Requests, rest, before.UnderRequests, before.UnderCost-before.UnderRequests)
		}
		// As it is priced at these rates: what is rounded on the way does not halve to the cent.
		if above(after, before.UnderCost) {
			return kind, fmt.Sprintf("nothing below $%.2f a month, and the model before costs $%.2f at these rates", after.Bound, before.UnderCost)
		}
	case Apart:
		alone := w.do(job{Text: Alone(text), Limit: *flagTime})
		if above(after, before.Cheapest+alone.Cheapest) || before.Bound+alone.Bound > after.Cheapest+cents {
			return kind, fmt.Sprintf("$%.2f a month and nothing below $%.2f, and $%.2f and $%.2f apart, nothing below $%.2f and $%.2f",
				after.Cheapest, after.Bound, before.Cheapest, alone.Cheapest, before.Bound, alone.Bound)
		}
	}
	return "", ""
}

// found notes a failure, and keeps the smallest example of its kind.
func (r *run) found(kind, detail string, c application, text []byte, change *Change) {
	if *flagOnly != "" && !strings.Contains(kind+": "+detail, *flagOnly) {
		return
	}
	s := signature(kind, detail, text)
	r.Lock()
	defer r.Unlock()
	g := r.groups[s]
	if g == nil {
		g = &group{kind: kind}
		r.groups[s] = g
	}
	g.count++
	if g.text == nil || len(text) < len(g.text) {
		g.detail, g.of, g.text, g.change = detail, c, text, change
	}
}

// shrink makes the example of each kind smaller.
func (r *run) shrink(ctx context.Context) {
	w := &worker{}
	defer w.end()
	for _, s := range r.names() {
		g := r.groups[s]
		ctx, cancel := context.WithTimeout(ctx, 10*time.Minute)
		g.text = Shrink(ctx, g.text, func(text []byte) bool {
			var all []problem
			if g.change != nil {
				kind, detail := compare(w, g.change, g.of.seed, text, nil)
				all = []problem{{kind, detail}}
			} else {
				all = w.do(job{Text: text, Prove: *flagProve && g.kind != otherText, Limit: *flagTime}).problems()
			}
			for _, p := range all {
				if signature(p.kind, p.detail, text) == s {
					g.detail = p.detail
					return true
				}
			}
			return false
		})
		cancel()
	}
}

// names are the kinds, the most frequent first.
func (r *run) names() []string {
	var out []string
	for s := range r.groups {
		out = append(out, s)
	}
	slices.SortFunc(out, func(a, b string) int {
		return cmp.Or(cmp.Compare(r.groups[b].count, r.groups[a].count), strings.Compare(a, b))
	})
	return out
}

func quantile(xs []float64, q float64) float64 {
	if len(xs) == 0 {
		return math.NaN()
	}
	slices.Sort(xs)
	return xs[int(q*float64(len(xs)-1)+0.5)]
}

// report says what came out.
func (r *run) report() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d applications (%d large), %d rests without what was refused and %d changes; a design takes %.2f s (median), %.1f s (95 %%), %.1f s at most\n",
		r.cases, r.large, r.rests, r.relations, quantile(r.took, 0.5), quantile(r.took, 0.95), quantile(r.took, 1))
	var kinds []string
	for k := range r.kinds {
		kinds = append(kinds, k)
	}
	slices.SortFunc(kinds, func(a, b string) int { return cmp.Or(cmp.Compare(r.kinds[b], r.kinds[a]), strings.Compare(a, b)) })
	for _, k := range kinds {
		fmt.Fprintf(&b, "%6d %s\n", r.kinds[k], k)
	}
	frequent(&b, "because ", r.refusals)
	if len(r.unshown) > 0 {
		sum := 0
		for _, n := range r.unshown {
			sum += n
		}
		fmt.Fprintf(&b, "%6d statements that nothing shows\n", sum)
		frequent(&b, "as ", r.unshown)
	}
	for _, k := range []string{"reads", "writes", "reads" + byLaw, "writes" + byLaw} {
		if x := r.ratios[k]; len(x) > 0 {
			fmt.Fprintf(&b, "estimated to consumed units of %d %s: %.3f (median), %.3f (5 %%), %.3f (95 %%)\n", len(x), k, quantile(x, 0.5), quantile(x, 0.05), quantile(x, 0.95))
		}
	}
	for _, s := range r.names() {
		g := r.groups[s]
		fmt.Fprintf(&b, "\n%d times, smallest: %s (%d bytes)\n%s: %.1200s\n", g.count, g.of, len(g.text), g.kind, g.detail)
		if *flagShrink {
			fmt.Fprintf(&b, "%s", g.text)
		}
	}
	return b.String()
}

// frequent lists texts, the most frequent first.
func frequent(b *strings.Builder, before string, counts map[string]int) {
	var texts []string
	for k := range counts {
		texts = append(texts, k)
	}
	slices.SortFunc(texts, func(a, b string) int { return cmp.Or(cmp.Compare(counts[b], counts[a]), strings.Compare(a, b)) })
	for _, k := range texts[:min(25, len(texts))] {
		fmt.Fprintf(b, "%6d %s%.160s\n", counts[k], before, k)
	}
}

// write puts the report and the examples into a folder.
func (r *run) write(dir, report string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	for i, s := range r.names() {
		g := r.groups[s]
		text := fmt.Sprintf("# %s, %d times (%s)\n# %s\n%s", g.kind, g.count, g.of, strings.ReplaceAll(g.detail, "\n", "\n# "), g.text)
		file := fmt.Sprintf("%03d-%s.yaml", i+1, strings.ReplaceAll(strings.ReplaceAll(g.kind, ":", ""), " ", "-"))
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(dir, "report.txt"), []byte(report), 0o600)
}

// TestUnshown: a statement on constants that nothing shows is told from what the proof could have shown.
func TestUnshown(t *testing.T) {
	const done, found = "no call of it was ever done, all were refused: nothing is shown; most as `full`: ", "no call of it ever found anything among 9 Steps: nothing is shown; "
	for cause, want := range map[string]bool{
		done + "`condition: volunteerId >= 'a'` holds for no Volunteer that is stored; correct it":                                    true,
		done + "`condition: size(name) < 1` and `open = true` hold for some Step each, and for none together; correct one":            true,
		done + "no Visit that is stored has a last, and `condition: last = $last` tests it; correct it":                               true,
		found + "none of them has a name, which each call asks for: correct it":                                                       true,
		found + "`absent(taskId)` and `exists(task.name)`, which each call asks for, hold for some of them, and for none together":    true,
		done + "`condition: name in ('a', $name)` holds for no Step that a call with the other conditions of edit is about":           false,
		"no call of it was ever done, all were refused: nothing is shown; most as `missing`: what it is about, or what it `requires`": false,
		found + "`size(taskId) = 2` holds for none of them: correct it":                                                               true,
		found + "nothing stored has what `given` states, all together: correct it":                                                    true,
		found + "more data may show it (--data-scale)":                                                                                false,
		"item 3 is not among the 3 that match":                                                                                        false,
	} {
		left, none := unshown([]problem{{notProven, "edit: " + cause}})
		if len(none) == 1 != want || len(left)+len(none) != 1 {
			t.Errorf("%s: %d, %d", cause, len(left), len(none))
		}
	}
	const none = "get: no call of it ever found anything, for no Step was made: nothing is shown"
	if left, _ := unshown([]problem{{notProven, none}}); len(left) != 1 {
		t.Error("none was made, and nothing says why")
	}
	if left, _ := unshown([]problem{{notProven, none}, {notProven, "add: " + done + "no Step that is stored has a last, and"}}); len(left) != 0 {
		t.Error("none was made, for a reason")
	}
	if left, _ := unshown([]problem{{unitsDiffer, "edit: " + found + "nothing stored has what `given` states"}}); len(left) != 1 {
		t.Error("units differ")
	}
}
