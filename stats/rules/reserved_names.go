package rules

import (
	"fmt"
	"maps"
	"regexp"
	"slices"

	"github.com/tablewright/tablewright/expr"
	"github.com/tablewright/tablewright/stats"
)

var reservedNames = &Rule{
	ID:       "reserved-names",
	Title:    "Attribute names that are refused, or say nothing",
	Category: Practice,
	Looks: "At the names of attributes, those that expressions have without a placeholder among them, at what was refused as invalid, and at the names that the items " +
		"of a table have.",
	Fires: "When calls are refused as invalid whose expressions have one of DynamoDB's 573 reserved words without a placeholder; and when a table has three or more " +
		"attributes with one general name and a number, such as data1, data2, data3. Everything of a table is one finding.",
	Rests: "On a reserved word that stands behind a placeholder, as this library's expressions have it: name, status and date are good names, and cost nothing. On " +
		"numbers in the names of keys, such as GSI1PK, and in others that say what they are, such as line1 and line2 of an address. On short names, which save bytes.",
	Sources: []string{page("ReservedWords"), page("Expressions.ExpressionAttributeNames"), page("HowItWorks.NamingRulesDataTypes")},
	Find:    findReservedNames,
}

// general are names that say nothing but which one it is.
var general = regexp.MustCompile(`(?i)^(arg|attr|attribute|item|field|data|value|val|col|column|prop|property|param|parameter|misc|info|extra|tmp|temp|var|str|string|text|num|number|obj|object|custom|spare|generic)[_-]?[0-9]+$`)

// severalAlike is how many names with one stem are a habit.
const severalAlike = 3

func findReservedNames(in *Input) (found []Finding) {
	for _, table := range in.tables() {
		var refused, bare float64
		reserved := map[string]bool{}
		var operations []*stats.Operation
		for _, o := range in.Stats.Operations {
			if o.Table != table || o.Outcomes[stats.Invalid] == 0 {
				continue
			}
			hit := false
			for name, a := range o.Attributes {
				if a.Bare > 0 && expr.IsReserved(name) {
					reserved[name], hit = true, true
					bare = max(bare, a.Bare)
				}
			}
			if hit {
				refused += o.Outcomes[stats.Invalid]
				operations = append(operations, o)
			}
		}
		nothing := in.generalNames(table)
		if len(reserved) == 0 && len(nothing) == 0 {
			continue
		}
		f := Finding{Severity: Advice, Table: table, Cause: cause(ofTable, table, "names"), Confidence: 0.5, Because: "Whoever works on the program may know well what they hold.",
			Remedy: Remedy{Ease: Code}}
		if len(nothing) > 0 {
			f.Title = fmt.Sprintf("%s of %s say nothing of what they hold", and(nothing), table)
			f.Evidence = append(f.Evidence, Evidence{What: "attributes that differ in a number only: " + and(nothing), Value: float64(len(nothing)), Unit: "attributes", Limit: severalAlike})
			f.Remedy.Text = "Give attributes names that say what they hold, or make one list of what is of one kind. The tag was=OLD has the program read both names and write the new one, " +
				"so that items need not be rewritten at once; migrate.Backfill does that when it suits."
			f.Remedy.Snippets = []Snippet{{"go", fmt.Sprintf("City string `ddb:\"city,was=%s\"`", nothing[0])}}
		}
		if len(reserved) > 0 {
			names := slices.Sorted(maps.Keys(reserved))
			f.Severity, f.Confidence, f.Because = Warning, 0.9, "The calls may have been refused for another reason, too."
			f.Title = fmt.Sprintf("Calls on %s are refused: %s cannot be named without a placeholder", table, and(names))
			f.Evidence = append([]Evidence{
				{What: "calls refused as invalid, of operations whose expressions name a reserved word as it is", Value: in.perSecond(refused), Unit: "a second"},
				{What: "expressions that do", Value: in.perSecond(bare), Unit: "a second"},
			}, f.Evidence...)
			first := names[0]
			f.Remedy.Text = "Stand a placeholder for the name, in every expression: DynamoDB refuses a reserved word, in whatever case. The attribute keeps its name. Conditions and changes " +
				"made of declared attributes, and texts of Where and Clause, do it by themselves. " + f.Remedy.Text
			f.Remedy.Snippets = append([]Snippet{{"go", fmt.Sprintf(`Items.Where("%s = ?", value) // the client writes #n and ExpressionAttributeNames`, first)}}, f.Remedy.Snippets...)
		}
		in.affect(&f, operations...)
		found = append(found, f)
	}
	return found
}

// generalNames are the attributes of a table whose names say nothing, of stems that several have.
func (in *Input) generalNames(table string) (names []string) {
	seen := map[string]bool{}
	for _, item := range in.sample(table) {
		for _, p := range item.Attributes {
			seen[p.Name] = true
		}
	}
	for _, o := range in.Stats.Operations {
		if o.Table == table {
			for name := range o.Attributes {
				seen[name] = true
			}
		}
	}
	if t := in.table(table); t != nil {
		for index := range t.Declared.GSI {
			for _, name := range t.keyAttributes(index) {
				delete(seen, name)
			}
		}
		for _, name := range t.keyAttributes("") {
			delete(seen, name)
		}
	}
	stems := map[string][]string{}
	for _, name := range slices.Sorted(maps.Keys(seen)) {
		if m := general.FindStringSubmatch(name); m != nil {
			stems[m[1]] = append(stems[m[1]], name)
		}
	}
	for _, stem := range slices.Sorted(maps.Keys(stems)) {
		if len(stems[stem]) >= severalAlike {
			names = append(names, stems[stem]...)
		}
	}
	return names
}
