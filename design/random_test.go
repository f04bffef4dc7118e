package design_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/design"
	"github.com/tablewright/tablewright/internal/norace"
	"github.com/tablewright/tablewright/model"
	"github.com/tablewright/tablewright/plan"
)

// randomRequirements is a small application made by chance: up to three entities in a row of parents or references, and
// reads by whatever there is.
func randomRequirements(seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 1))
	var b strings.Builder
	pick := func(xs ...string) string { return xs[r.IntN(len(xs))] }
	rate := func() string {
		average := pick("0.1", "2", "30", "400")
		return fmt.Sprintf("{average: %s/s, peak: %s0/s}", average, average)
	}
	n := 1 + r.IntN(3)
	fmt.Fprintf(&b, "tablewright: 1\napplication: random\nentities:\n")
	names := []string{"Aa", "Bb", "Cc"}[:n]
	parents, paired := make([]bool, n), make([]bool, n)
	for i, e := range names {
		id := strings.ToLower(e) + "Id"
		parents[i] = i > 0 && r.IntN(2) == 0
		paired[i] = parents[i] && i == n-1 && r.IntN(2) == 0
		identity := id
		if paired[i] {
			identity = strings.ToLower(names[i-1]) + "Id, " + id
		}
		fmt.Fprintf(&b, "  %s:\n    identity: [%s]\n    attributes:\n      %s: {type: string, generated: %s}\n", e, identity, id, pick("ulid", "uuid"))
		if i > 0 {
			kind := "references"
			if parents[i] {
				kind = "parent"
			}
			fmt.Fprintf(&b, "      %sId: {%s: %s, inverse: %ss, per-parent: {average: 4, max: %s}}\n", strings.ToLower(names[i-1]), kind, names[i-1], strings.ToLower(e), pick("20", "90", "300"))
		}
		fmt.Fprintf(&b, "      kind: {enum: [x, y, z], share: {x: 2%%}}\n      at: timestamp\n      score: {type: number, digits: 4, min: 0}\n      text: string\n")
		fmt.Fprintf(&b, "    bytes: {average: %s, max: %s}\n", pick("300", "900", "4_000"), pick("4_000", "9_000"))
		if !parents[i] {
			fmt.Fprintf(&b, "    count: %d\n", 1_000*[]int{1, 4, 16}[i])
		}
	}
	b.WriteString("patterns:\n")
	for i, e := range names {
		id := strings.ToLower(e) + "Id"
		given := id
		if paired[i] {
			given = strings.ToLower(names[i-1]) + "Id, " + id
		}
		fmt.Fprintf(&b, "  get%s:\n    read: %s\n    given: [%s]\n    consistency: %s\n    rate: %s\n", e, e, given, pick("eventual", "strong"), rate())
		if r.IntN(2) == 0 {
			fmt.Fprintf(&b, "  list%s:\n    read: %s\n    given: [kind]\n    order: %s\n    page: 20\n    results: {average: 40, max: 400}\n    rate: %s\n",
				e, e, pick("at descending", "at", "score"), rate())
		}
		if i > 0 {
			up := strings.ToLower(names[i-1]) + "Id"
			fmt.Fprintf(&b, "  of%s:\n    read: %s\n    given: [%s]\n    %s\n    results: {average: 4, max: 20}\n    rate: %s\n", e, e, up,
				pick("order: at descending", "where: at between $from and $to", "where: score >= $least", "order: [at, score descending]"), rate())
			if r.IntN(2) == 0 {
				fmt.Fprintf(&b, "  with%s:\n    read: %s\n    given: [%s]\n    with: [%ss]\n    rate: %s\n", e, names[i-1], strings.Join(keyOf(names, paired, i-1), ", "), strings.ToLower(e), rate())
			}
		}
		if r.IntN(3) == 0 {
			fmt.Fprintf(&b, "  change%s:\n    write: {update: %s, set: [%s]}\n    rate: %s\n", e, e, pick("score", "text", "at"), rate())
		}
	}
	inside := r.IntN(2) == 0
	for i, e := range names {
		if inside && i == 1 {
			continue
		}
		with := ""
		if inside && i == 0 && n > 1 {
			with = ", with: [bbs]"
		}
		fmt.Fprintf(&b, "  create%s:\n    write: {create: %s%s}\n    rate: {average: 0.2/s, peak: 5/s}\n", e, e, with)
	}
	return b.String()
}

func keyOf(names []string, paired []bool, i int) []string {
	out := []string{strings.ToLower(names[i]) + "Id"}
	if paired[i] {
		out = append([]string{strings.ToLower(names[i-1]) + "Id"}, out...)
	}
	return out
}

// TestRandom designs applications made by chance. Every design compiles without a problem, or there is none and the error
// says why.
func TestRandom(t *testing.T) {
	if !norace.Here(t) {
		return
	}
	count, served := 40, 0
	if testing.Short() {
		count = 12
	}
	for seed := range uint64(count) {
		text := randomRequirements(seed)
		if _, _, ds := model.ReadRequirements("random.yaml", []byte(text)); slices.ContainsFunc(ds, func(d model.Diagnostic) bool { return d.Code == "too-many-actions" }) {
			continue // no transaction holds it, whatever the model is
		}
		r := parse(t, text)
		d, err := design.Design(t.Context(), r, design.Options{})
		var none *design.InfeasibleError
		var unsupported *design.UnsupportedError
		switch {
		case errors.As(err, &none), errors.As(err, &unsupported):
			t.Logf("seed %d: %v", seed, err)
			continue
		case err != nil:
			t.Errorf("seed %d: %v", seed, err)
			continue
		}
		served++
		_, problems := plan.Compile(d.Model, r)
		problems = slices.DeleteFunc(problems, func(p plan.Problem) bool {
			return p.Severity == plan.Warning && p.Code == plan.CodeServe // keys of children, then the children: served, and not seen
		})
		for _, p := range problems {
			t.Errorf("seed %d: %v", seed, p)
		}
		if len(problems) > 0 {
			t.Log(text)
			for _, q := range d.Model.Plans {
				t.Logf("%s %+v %v", q.Name, q.Steps, q.Answer)
			}
		}
	}
	if served < count/2 {
		t.Errorf("only %d of %d were served", served, count)
	}
}
