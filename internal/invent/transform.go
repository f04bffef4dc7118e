package invent

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/tablewright/tablewright/spec"
)

// Holds is what must hold between the design of requirements and that of what a [Change] has made of them.
type Holds int

const (
	// NotMore: less is asked for, so that it costs no more, and is served if what was before is.
	NotMore Holds = iota
	// Same: the same is asked for, so that it costs the same.
	Same
	// Scaled: all calls come Factor times as often. The model that was designed before costs Factor times as much for its
	// requests, and the same for all else; what is designed now costs no more than that, if Factor is at most 1.
	Scaled
	// Apart: what is new has nothing to do with what was there. The cost rises by what the new costs alone.
	Apart
)

// Factor is by how much the change with [Scaled] multiplies all rates.
const Factor = 0.5

// Change changes requirements so that something must hold between the designs.
type Change struct {
	Name  string
	Holds Holds
	apply func(v *inventor, root *yaml.Node) bool
}

// Changes are all there are.
var Changes = []Change{
	{"a read pattern less", NotMore, lessReads},
	{"a rate halved", NotMore, rateHalved},
	{"staleness allowed", NotMore, stalenessAllowed},
	{"not atomic", NotMore, notAtomic},
	{"all rates halved", Scaled, allRates},
	{"renamed", Same, renamed},
	{"reordered", Same, reordered},
	{"an entity more", Apart, entityMore},
	{"the implied stated", Same, impliedStated},
}

// Apply changes requirements. seed says what is chosen where there is a choice. It answers nil where there is nothing to
// change, or where what comes out would not be accepted.
func (c Change) Apply(seed uint64, text []byte) []byte {
	root, err := parse(text)
	if err != nil {
		return nil
	}
	v := &inventor{Rand: rand.New(rand.NewPCG(seed, 77))}
	if !c.apply(v, root) {
		return nil
	}
	out := print(root)
	if string(out) == string(print(mustParse(text))) || accepted(out) == nil {
		return nil
	}
	return out
}

func mustParse(text []byte) *yaml.Node {
	root, err := parse(text)
	if err != nil {
		panic(err)
	}
	return root
}

// Alone is the requirements of what [Apart] adds to others, for what it costs alone in the same application.
func Alone(others []byte) []byte {
	root := block()
	set(root, "tablewright", "1")
	set(root, "application", "alone")
	if recovery := get(mustParse(others), "application", "recovery"); recovery != nil { // it is paid for by what is stored
		set(root, "application", pairs("name", "alone", "recovery", recovery))
	}
	set(root, "entities", block())
	set(root, "patterns", block())
	entityMore(nil, root)
	return print(root)
}

// those are the names of patterns that something is true of, in an order made by chance.
func those(v *inventor, root *yaml.Node, fits func(p *yaml.Node) bool) []string {
	var out []string
	for name, p := range entries(get(root, "patterns")) {
		if fits(p) {
			out = append(out, name)
		}
	}
	return some(v, len(out), out)
}

func reads(p *yaml.Node) bool { return get(p, "read") != nil }

func lessReads(v *inventor, root *yaml.Node) bool {
	names := those(v, root, reads)
	if len(names) < 2 {
		return false
	}
	drop(get(root, "patterns"), names[0])
	drop(root, "workflows")
	drop(root, "accept")
	return true
}

// times multiplies a rate.
func times(n *yaml.Node, factor float64) {
	digits, unit, ok := strings.Cut(n.Value, "/")
	if x, err := spec.ParseNumber(digits); ok && err == nil {
		n.Value = number(x.Float64()*factor) + "/" + unit
	}
}

func rateTimes(p *yaml.Node, factor float64) {
	for _, key := range []string{"average", "peak"} {
		if n := get(p, "rate", key); n != nil {
			times(n, factor)
		}
	}
}

func rateHalved(v *inventor, root *yaml.Node) bool {
	for _, e := range entries(get(root, "entities")) {
		drop(e, "growth") // it follows from the rates
	}
	names := those(v, root, func(p *yaml.Node) bool { return true })
	rateTimes(get(root, "patterns", names[0]), 0.5)
	return true
}

func allRates(_ *inventor, root *yaml.Node) bool {
	for _, p := range entries(get(root, "patterns")) {
		rateTimes(p, Factor)
	}
	for _, e := range entries(get(root, "entities")) {
		if g := get(e, "growth"); g != nil {
			times(g, Factor)
		}
	}
	return true
}

func stalenessAllowed(v *inventor, root *yaml.Node) bool {
	names := those(v, root, reads)
	if len(names) == 0 {
		return false
	}
	p := get(root, "patterns", names[0])
	set(p, "consistency", "eventual")
	set(p, "staleness", "300 days")
	return true
}

// notAtomic lets a write be done in parts. Only where a refusal leaves nothing behind that is less than to do it at
// once: of other writes, what was done before a refusal then has to stay.
func notAtomic(v *inventor, root *yaml.Node) bool {
	r := accepted(print(root))
	names := those(v, root, func(p *yaml.Node) bool {
		return get(p, "atomic") == nil && (len(actionsOf(p)) > 1 || slices.ContainsFunc(actionsOf(p), func(a *yaml.Node) bool {
			return get(a, "with") != nil || get(a, "each") != nil
		}))
	})
	names = slices.DeleteFunc(names, func(name string) bool { return r == nil || !r.Pattern(name).LeavesNothing() })
	if len(names) == 0 {
		return false
	}
	set(get(root, "patterns", names[0]), "atomic", "false")
	return true
}

func entityMore(_ *inventor, root *yaml.Node) bool {
	const name = "Zeppelin"
	if get(root, "entities", name) != nil {
		return false
	}
	e := pairs("identity", words("zeppelinId"), "attributes", pairs("zeppelinId", pairs("type", "string", "generated", "ulid"), "hull", pairs("type", "string", "bytes", "120")), "count", "5_000_000")
	set(get(root, "entities"), name, e)
	set(get(root, "patterns"), "createZeppelin", pairs("write", pairs("create", name), "rate", pairs("average", "3/s", "peak", "9/s")))
	set(get(root, "patterns"), "getZeppelin", pairs("read", name, "given", words("zeppelinId"), "rate", pairs("average", "40/s", "peak", "90/s")))
	return true
}

// reordered shuffles what has no order: entities, attributes, patterns, and the lists in which the order says nothing.
func reordered(v *inventor, root *yaml.Node) bool {
	shuffle := func(n *yaml.Node, width int) {
		if n == nil {
			return
		}
		v.Shuffle(len(n.Content)/width, func(i, j int) {
			for k := range width {
				n.Content[i*width+k], n.Content[j*width+k] = n.Content[j*width+k], n.Content[i*width+k]
			}
		})
	}
	shuffle(get(root, "entities"), 2)
	shuffle(get(root, "types"), 2)
	for _, e := range entries(get(root, "entities")) {
		shuffle(get(e, "attributes"), 2)
		shuffle(get(e, "unique"), 1)
		shuffle(e, 2)
		for _, a := range entries(get(e, "attributes")) {
			if a.Kind == yaml.MappingNode {
				shuffle(a, 2)
				shuffle(get(a, "share"), 2)
			}
		}
	}
	shuffle(get(root, "patterns"), 2)
	for _, p := range entries(get(root, "patterns")) {
		shuffle(p, 2)
		shuffle(get(p, "parameters"), 2)
		shuffle(get(p, "rate"), 2)
	}
	shuffle(root, 2)
	return true
}

// impliedStated writes down what follows from the rest.
func impliedStated(_ *inventor, root *yaml.Node) bool {
	r := accepted(print(root))
	if r == nil {
		return false
	}
	add := func(n *yaml.Node, key string, value any) {
		if n.Kind == yaml.MappingNode && get(n, key) == nil {
			set(n, key, value)
		}
	}
	for _, e := range r.Entities {
		n := get(root, "entities", e.Name)
		add(n, "count", number(e.Count))
		for _, a := range e.Attributes {
			d := get(n, "attributes", a.Name)
			if d == nil || a.Derived != nil {
				continue
			}
			if d.Kind == yaml.ScalarNode {
				d = pairs("type", d.Value)
				set(get(n, "attributes"), a.Name, d)
			}
			if a.Type == spec.Number && a.Reference == nil {
				add(d, "digits", number(float64(a.Digits)))
				add(d, "scale", number(float64(a.Scale)))
			}
			if a.Optional {
				add(d, "share", number(a.Present*100)+"%")
			} else {
				add(d, "optional", "false")
			}
			if a.Reference != nil && (get(d, "references") != nil || get(d, "parent") != nil) {
				add(d, "as", a.Reference.Name)
				if c := get(d, "per-parent"); c != nil && c.Kind == yaml.MappingNode {
					add(c, "skew", "uniform")
				}
			}
		}
	}
	for _, p := range r.Patterns {
		n := get(root, "patterns", p.Name)
		add(n, "consistency", p.Consistency)
		add(n, "skew", "uniform")
		if p.Writes() {
			add(n, "atomic", "true")
			for i, action := range actionsOf(n) {
				a := p.Actions[i]
				if len(a.Value) > 0 {
					add(action, "value", a.Value.String())
				}
				if a.Condition != nil {
					add(action, "refusal", a.Refusal)
				}
				if len(a.Key) > 0 && get(action, "key") == nil {
					key := pairs()
					for _, k := range a.Key {
						set(key, k.Path.String(), k.Value.String())
					}
					set(action, "key", key)
				}
			}
			continue
		}
		if get(n, "aggregate") == nil {
			add(n, "returns", words("all"))
		}
		add(n, "whole", "false")
		add(n, "results", spread(p.Results.Average, p.Results.Max))
	}
	return true
}

// renamed gives everything another name of the same length: names are stored, and paid for.
func renamed(v *inventor, root *yaml.Node) bool {
	r := accepted(print(root))
	if r == nil {
		return false
	}
	names := namesIn(root, r)
	for _, shift := range some(v, 25, []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25}) {
		if slices.ContainsFunc(names, func(n string) bool { return slices.Contains(language, shifted(n, shift)) }) {
			continue
		}
		n := renamer{shift: shift, names: map[string]bool{}}
		for _, name := range names {
			n.names[name] = true
		}
		n.document(root)
		return true
	}
	return false
}

// language are the words that no name may become.
var language = []string{"and", "or", "not", "in", "between", "before", "exists", "absent", "present", "begins_with", "contains", "size", "append", "prepend",
	"if_missing", "now", "true", "false", "all", "each", "count", "sum", "min", "max", "descending", "ascending", "rest", "ms", "s", "h", "day", "days", "month",
	"months", "year", "years", "string", "number", "bool", "binary", "timestamp", "date", "map", "list", "set"}

// shifted moves each letter along in the alphabet. A final Id stays: the name of a way comes from it.
func shifted(name string, by int) string {
	stem, end := name, ""
	if strings.HasSuffix(name, "Id") {
		stem, end = name[:len(name)-2], "Id"
	}
	out := []byte(stem)
	for i, c := range out {
		switch {
		case c >= 'a' && c <= 'z':
			out[i] = 'a' + (c-'a'+byte(by))%26
		case c >= 'A' && c <= 'Z':
			out[i] = 'A' + (c-'A'+byte(by))%26
		}
	}
	return string(out) + end
}

// namesIn are all names that the requirements make.
func namesIn(root *yaml.Node, r *spec.Requirements) []string {
	seen := map[string]bool{}
	var out []string
	add := func(names ...string) {
		for _, n := range names {
			if n != "" && !seen[n] {
				seen[n] = true
				out = append(out, n)
			}
		}
	}
	var attribute func(a *spec.Attribute)
	attribute = func(a *spec.Attribute) {
		if a == nil || a.Rest {
			return
		}
		add(a.Name)
		if a.Derived == nil { // else its values are those of another
			add(a.Values()...)
		}
		for _, f := range a.Fields {
			attribute(f)
		}
		attribute(a.Of)
	}
	for t := range entries(get(root, "types")) {
		add(t)
	}
	for _, e := range r.Entities {
		add(e.Name, lower(e.Name))
		for _, a := range e.Attributes {
			attribute(a)
		}
		for _, w := range e.There {
			add(w.Name, w.Inverse)
		}
	}
	for _, p := range r.Patterns {
		add(p.Name)
		for _, q := range p.Parameters {
			add(q.Name)
		}
		for _, a := range p.Aggregates {
			add(a.Name)
		}
		for _, a := range p.Actions {
			if a.Refusal != "condition" {
				add(a.Refusal)
			}
		}
	}
	for w := range entries(get(root, "workflows")) {
		add(w)
	}
	return out
}

type renamer struct {
	shift int
	names map[string]bool
}

func (n renamer) name(name string) string {
	if n.names[name] {
		return shifted(name, n.shift)
	}
	return name
}

var nameInText = regexp.MustCompile(`'[^']*'|[A-Za-z][A-Za-z0-9_-]*\(?`)

// text renames what a path, value or condition names. What stands in quotes is no name, nor is what is called.
func (n renamer) text(text string) string {
	return nameInText.ReplaceAllStringFunc(text, func(w string) string {
		if w[0] == '\'' || strings.HasSuffix(w, "(") {
			return w
		}
		return n.name(w)
	})
}

// Keys whose values name nothing, and keys of maps whose own keys are names.
var (
	unnamed = []string{"tablewright", "application", "rate", "bytes", "count", "growth", "retention", "note", "group", "generated", "digits", "scale", "min", "max", "length",
		"sensitive", "within", "per-parent", "results", "page", "top", "whole", "skew", "consistency", "staleness", "latency", "atomic", "bulk", "ordered", "missing"}
	keyed = []string{"entities", "attributes", "patterns", "types", "workflows", "aggregate", "parameters", "key", "set"}
)

func (n renamer) document(root *yaml.Node) {
	if s := get(root, "application", "streams"); s != nil {
		n.value("streams", s)
	}
	for key, value := range entries(root) {
		switch key {
		case "application", "tablewright":
		case "accept":
			for _, a := range value.Content {
				if of := get(a, "of"); of != nil {
					of.Value = n.text(of.Value)
				}
			}
		default:
			n.value(key, value)
		}
	}
}

// value renames in the value of a key.
func (n renamer) value(key string, v *yaml.Node) {
	switch {
	case slices.Contains(unnamed, key):
	case key == "share" && v.Kind == yaml.MappingNode && (get(v, "true") != nil || get(v, "false") != nil):
	case key == "states" && v.Kind == yaml.MappingNode, (key == "share" || key == "optional") && v.Kind == yaml.MappingNode:
		for i := 0; i < len(v.Content); i += 2 {
			v.Content[i].Value = n.name(v.Content[i].Value)
			for _, c := range v.Content[i+1].Content {
				c.Value = n.name(c.Value)
			}
		}
	case slices.Contains(keyed, key) && v.Kind == yaml.MappingNode:
		for i := 0; i < len(v.Content); i += 2 {
			v.Content[i].Value = n.text(v.Content[i].Value)
			n.inside(key, v.Content[i+1])
		}
	default:
		n.inside(key, v)
	}
}

func (n renamer) inside(key string, v *yaml.Node) {
	switch v.Kind {
	case yaml.ScalarNode:
		switch {
		case (key == "type" || key == "attributes" || key == "of" || key == "types") && slices.Contains(language, v.Value):
		case key == "aggregate" && (v.Value == "count" || v.Value == "exists"):
		case (key == "share" || key == "optional") && (strings.HasSuffix(v.Value, "%") || v.Value == "true" || v.Value == "false"):
		case key == "missing":
		case key == "order", key == "by" && strings.Contains(v.Value, " "):
			path, direction, _ := strings.Cut(v.Value, " ")
			v.Value = strings.TrimSuffix(n.text(path)+" "+direction, " ")
		default:
			v.Value = n.text(v.Value)
		}
	case yaml.SequenceNode:
		for _, c := range v.Content {
			n.inside(key, c)
		}
	case yaml.MappingNode:
		for i := 0; i < len(v.Content); i += 2 {
			if key == "types" { // the fields of a named type
				v.Content[i].Value = n.name(v.Content[i].Value)
				n.inside("attributes", v.Content[i+1])
				continue
			}
			n.value(v.Content[i].Value, v.Content[i+1])
		}
	}
}
