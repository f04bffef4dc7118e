package prove_test

import (
	"bytes"
	"context"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/internal/norace"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/prove"
	"github.com/tablewright/tablewright/spec"
)

// A sabotage breaks a proven model in one way, or what runs it. The data must show it wherever the program can still
// run: in one of the patterns, with a cause in words that contain one of those given. What breaks a model's document must
// be told by the compiler of models too, by name and cause.
type sabotage struct {
	name     string
	app      func(t testing.TB) (*plan.Model, *spec.Requirements) // nil: the online shop
	breakIt  func(t *testing.T, m *plan.Model)
	fault    tablewright.Hook // breaks requests or answers instead of the model
	patterns []string
	compiler []string // words of a cause that the compiler tells; nil: it cannot know
	data     []string // words of a cause that the data show; nil: the program cannot run, or the data cannot differ
}

func planOf(t *testing.T, m *plan.Model, name string) *plan.Plan {
	t.Helper()
	i := slices.IndexFunc(m.Plans, func(p plan.Plan) bool { return p.Name == name })
	if i < 0 {
		t.Fatalf("the model has no plan %s", name)
	}
	return &m.Plans[i]
}

// editItem changes an item of the model's only table.
func editItem(t *testing.T, m *plan.Model, name string, edit func(it *plan.Item)) {
	t.Helper()
	for i := range m.Tables {
		if it, ok := m.Tables[i].Items[name]; ok {
			edit(&it)
			m.Tables[i].Items[name] = it
			return
		}
	}
	t.Fatalf("the model has no item %s", name)
}

// editStep changes a step of a plan.
func editStep(t *testing.T, m *plan.Model, pattern, step string, edit func(s *plan.Step)) {
	t.Helper()
	p := planOf(t, m, pattern)
	s, ok := p.Steps[step]
	if !ok {
		t.Fatalf("plan %s has no step %s", pattern, step)
	}
	edit(&s)
	p.Steps[step] = s
}

func without(list []string, text string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return strings.Contains(s, text) })
}

var putting = map[string]bool{"PutItem": true, "UpdateItem": true, "TransactWriteItems": true, "BatchWriteItem": true}

// onWrite changes what is written, past the model.
func onWrite(find *regexp.Regexp, replace string) tablewright.Hook {
	return onRequest(func(operation string) bool { return putting[operation] }, find, replace)
}

// onRead changes what is asked for.
func onRead(operation string, find *regexp.Regexp, replace string) tablewright.Hook {
	return onRequest(func(o string) bool { return o == operation }, find, replace)
}

func onRequest(applies func(operation string) bool, find *regexp.Regexp, replace string) tablewright.Hook {
	return func(next tablewright.Transport) tablewright.Transport {
		return tablewright.TransportFunc(func(ctx context.Context, c *tablewright.Call) error {
			if applies(c.Operation) {
				c.Request = find.ReplaceAll(c.Request, []byte(replace))
			}
			return next.Do(ctx, c)
		})
	}
}

// staleCursor lets every query that goes on begin where another one of the same index has ended before.
func staleCursor() tablewright.Hook {
	start := regexp.MustCompile(`"ExclusiveStartKey":\{(?:[^{}]|\{[^{}]*\})*\}`)
	var mu sync.Mutex
	last := map[string][]byte{}
	partition := regexp.MustCompile(`"ExpressionAttributeValues":.*`)
	return func(next tablewright.Transport) tablewright.Transport {
		return tablewright.TransportFunc(func(ctx context.Context, c *tablewright.Call) error {
			if c.Operation == "Query" {
				if at := start.Find(c.Request); at != nil {
					of := c.Table + "." + c.Index + string(partition.Find(c.Request))
					mu.Lock()
					stale := last[of]
					last[of] = bytes.Clone(at)
					mu.Unlock()
					if stale != nil {
						c.Request = bytes.Replace(c.Request, at, stale, 1)
					}
				}
			}
			return next.Do(ctx, c)
		})
	}
}

// find runs a broken model and says what was found: by the compiler of models, and by the data.
func find(t *testing.T, s sabotage) (compiler, data []string) {
	app := s.app
	if app == nil {
		app = published
	}
	m, r := app(t)
	if s.breakIt != nil {
		s.breakIt(t, m)
	}
	program, problems := plan.Compile(m, r)
	for _, p := range problems {
		if p.Severity == plan.Error {
			compiler = append(compiler, p.String())
		}
	}
	o := onEngine(t)
	o.Calls, o.Measured, o.Roots = 12, 32, 16
	for _, p := range r.Patterns {
		if slices.Contains(s.patterns, p.Name) {
			o.Patterns = append(o.Patterns, p.Name)
		}
	}
	if s.fault != nil {
		open := o.Open
		o.Open = func(c tablewright.Options) (*tablewright.DB, error) {
			c.Hooks = append(c.Hooks, s.fault)
			return open(c)
		}
	}
	evidence, err := prove.Run(t.Context(), program, o)
	if err != nil {
		return compiler, []string{err.Error()}
	}
	for _, p := range evidence.Patterns {
		if p.Failure != nil {
			data = append(data, p.Name+": "+p.Failure.String())
		}
	}
	return compiler, data
}

func TestSabotage(t *testing.T) {
	if !norace.Here(t) {
		return
	}
	for _, s := range sabotages {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			compiler, data := find(t, s)
			t.Logf("compiler: %.1000s", strings.Join(compiler, "\n    "))
			t.Logf("data: %.1000s", strings.Join(data, "\n    "))
			named := func(found, causes []string) bool {
				return slices.ContainsFunc(found, func(text string) bool {
					has := func(words []string) bool {
						return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) })
					}
					return has(s.patterns) && has(causes)
				})
			}
			if s.compiler != nil && !named(compiler, s.compiler) {
				t.Error("the compiler did not tell it by name and cause")
			}
			if s.data != nil && !named(data, s.data) {
				t.Error("the data did not show it by name and cause")
			}
		})
	}
}
