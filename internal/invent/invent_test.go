package invent

import (
	"bytes"
	"context"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/internal/norace"
	"github.com/tablewright/tablewright/model"
)

var update = flag.Bool("update", false, "rewrite golden files")

// TestSame: a seed is one text, and another seed another.
func TestSame(t *testing.T) {
	for _, size := range []Size{Small, Large} {
		seen := map[string]uint64{}
		for seed := range uint64(20) {
			text := Requirements(seed, size)
			if again := Requirements(seed, size); !bytes.Equal(text, again) {
				t.Errorf("seed %d is made twice, and differs", seed)
			}
			if other, ok := seen[string(text)]; ok {
				t.Errorf("seeds %d and %d are the same", seed, other)
			}
			seen[string(text)] = seed
		}
	}
}

// TestAccepted: nine of ten applications have no errors as they are drawn, before repair. What Requirements returns has none.
func TestAccepted(t *testing.T) {
	if !norace.Here(t) {
		return
	}
	const n = 60
	first := 0
	for seed := range uint64(n) {
		for _, size := range []Size{Small, Large} {
			root := newInventor(seed, size).application(seed)
			if accepted(print(root)) != nil {
				first++
			}
			_, _, found := model.ReadRequirements("requirements.yaml", Requirements(seed, size))
			if found.Errors() > 0 {
				t.Errorf("seed %d: %v", seed, found.Err())
			}
		}
	}
	if first < 2*n*90/100 {
		t.Errorf("%d of %d are accepted as they are drawn, want 90 %%", first, 2*n)
	}
	t.Logf("%d of %d are accepted as they are drawn", first, 2*n)
}

// TestVariant: most requirements have variants, a seed is one text, and no variant has errors or is what it was made of.
func TestVariant(t *testing.T) {
	if !norace.Here(t) {
		return
	}
	files, err := filepath.Glob("../../design/testdata/workloads/b*.yaml")
	if err != nil || len(files) < 5 {
		t.Fatal(files, err)
	}
	made := 0
	for seed, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		v := Variant(uint64(seed), text)
		if v == nil {
			continue
		}
		made++
		if again := Variant(uint64(seed), text); !bytes.Equal(v, again) {
			t.Errorf("%s: the variant is made twice, and differs", file)
		}
		if accepted(v) == nil || bytes.Equal(v, text) {
			t.Errorf("%s: %s", file, v)
		}
	}
	if made < len(files)/2 {
		t.Errorf("%d of %d have a variant", made, len(files))
	}
	if v := Variant(1, []byte("tablewright: 1\n")); v != nil {
		t.Errorf("of nothing: %s", v)
	}
}

// TestLanguage: some hundred seeds use every construct of the language. The table lists how often; a construct that is counted
// and not in it, or the other way round, is a difference.
func TestLanguage(t *testing.T) {
	if !norace.Here(t) {
		return
	}
	all, seen := Constructs{}, 0
	for seed := range uint64(150) {
		for _, size := range []Size{Small, Large} {
			if r := accepted(Requirements(seed, size)); r != nil {
				seen++
				for k, n := range Count(r) {
					all[k] += n
				}
			}
		}
	}
	names := slices.Sorted(maps.Keys(all))
	got := strings.Join(names, "\n") + "\n"
	const file = "testdata/language.txt"
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for name := range strings.Lines(string(want)) {
		if name = strings.TrimSuffix(name, "\n"); all[name] == 0 {
			t.Errorf("%s does not occur", name)
		}
	}
	for _, name := range names {
		if !strings.Contains("\n"+string(want), "\n"+name+"\n") {
			t.Errorf("%s is not in %s", name, file)
		}
		t.Logf("%6d %s", all[name], name)
	}
}

// TestChanges: what a change makes is accepted wherever there is something to change, and says what it should.
func TestChanges(t *testing.T) {
	if !norace.Here(t) {
		return
	}
	const later = "references: what is declared later" // which depends on the order
	applied := map[string]int{}
	const n = 10
	for seed := range uint64(n) {
		text := Requirements(seed, Size(seed%2))
		before := Count(accepted(text))
		delete(before, later)
		for _, c := range Changes {
			changed := c.Apply(seed, text)
			if changed == nil {
				continue
			}
			applied[c.Name]++
			if again := c.Apply(seed, text); !bytes.Equal(changed, again) {
				t.Errorf("seed %d: %s differs the second time", seed, c.Name)
			}
			r := accepted(changed)
			if r == nil {
				t.Fatalf("seed %d: %s is not accepted", seed, c.Name)
			}
			if c.Name == "not atomic" {
				for _, p := range accepted(text).Patterns {
					if p.Atomic && !r.Pattern(p.Name).Atomic && !p.LeavesNothing() {
						t.Errorf("seed %d: %s may leave something behind when it is not atomic, which is not less", seed, p.Name)
					}
				}
			}
			after := Count(r)
			delete(after, later)
			if c.Holds == Same && !maps.Equal(before, after) {
				for k := range before {
					if before[k] != after[k] {
						t.Errorf("seed %d: %s: %s %d times, was %d", seed, c.Name, k, after[k], before[k])
					}
				}
			}
			if c.Name == "renamed" && len(changed) != len(print(mustParse(text))) {
				t.Errorf("seed %d: renamed, it has %d bytes, not %d", seed, len(changed), len(print(mustParse(text))))
			}
		}
	}
	for _, c := range Changes {
		if applied[c.Name] < n*2/3 && c.Name != "not atomic" || applied[c.Name] == 0 {
			t.Errorf("%s could be applied %d times of %d", c.Name, applied[c.Name], n)
		}
	}
	if accepted(Alone(model.Starter())) == nil {
		t.Error("what is added is not accepted alone")
	}
}

// TestShrink: what is left is what it fails for.
func TestShrink(t *testing.T) {
	if !norace.Here(t) {
		return
	}
	shrunk := 0
	for seed := range uint64(60) {
		text := Requirements(seed, Large)
		fails := func(text []byte) bool {
			r := accepted(text)
			return r != nil && Count(r)["page"] > 0 && Count(r)["order: descending"] > 0
		}
		if !fails(text) {
			continue
		}
		small := Shrink(context.Background(), text, fails)
		r := accepted(small)
		if r == nil || !fails(small) {
			t.Fatalf("seed %d: what is left does not fail\n%s", seed, small)
		}
		reads := 0
		for _, p := range r.Patterns {
			if p.Read != nil {
				reads++
			}
		}
		if reads > 2 || len(r.Entities) > 3 || len(r.Patterns) > len(r.Entities)+2 {
			t.Errorf("seed %d: %d entities and %d patterns are left\n%s", seed, len(r.Entities), len(r.Patterns), small)
		}
		if shrunk++; shrunk == 2 {
			return
		}
	}
	t.Errorf("only %d seeds have a page and a descending order", shrunk)
}

// TestWithoutRefused: the patterns that a refusal names are gone, and nothing else is.
func TestWithoutRefused(t *testing.T) {
	text := model.Starter()
	r := accepted(text)
	var read []string
	for _, p := range r.Patterns {
		if p.Read != nil {
			read = append(read, p.Name)
		}
	}
	less := accepted(WithoutRefused(text, "no plan serves "+read[0]+": no key has its order"))
	if less == nil || less.Pattern(read[0]) != nil || len(less.Patterns) != len(r.Patterns)-1 {
		t.Errorf("without %s: %v", read[0], less)
	}
	if left := WithoutRefused(text, "no plan serves it"); left != nil {
		t.Errorf("nothing was named, and this is left: %s", left)
	}
	if left := WithoutRefused(text, strings.Join(read, ", ")); left != nil {
		t.Errorf("no read is left: %s", left)
	}
}
