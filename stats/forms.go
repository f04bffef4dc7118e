package stats

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/tablewright/tablewright/plan"
)

// TableForm is how a program declares a table, or how a call that passed made or described it, as far as it decides what calls cost: an
// export says by it what the names of its operations mean to whoever reads it without the program.
type TableForm struct {
	Name       string                `json:"name"`
	Partition  string                `json:"partition"`
	Sort       string                `json:"sort,omitempty"`
	Attributes map[string]plan.Type  `json:"attributes,omitempty"` // types of keys, as far as they are declared
	GSI        map[string]*IndexForm `json:"gsi,omitempty"`
	LSI        map[string]*IndexForm `json:"lsi,omitempty"`
	TTL        string                `json:"ttl,omitempty"`
	TTLUnknown bool                  `json:"ttlUnknown,omitempty"` // it was seen described, which does not tell the time to live
	Class      string                `json:"class,omitempty"`
	Read       float64               `json:"read,omitempty"` // provisioned units per second; on demand both are 0
	Write      float64               `json:"write,omitempty"`
}

// IndexForm is an index of a TableForm, as plan.Index has it.
type IndexForm struct {
	Partition []string `json:"partition,omitempty"`
	Sort      []string `json:"sort,omitempty"`
	Project   string   `json:"project,omitempty"`
	Include   []string `json:"include,omitempty"`
}

func formOf(d plan.Table) *TableForm {
	f := &TableForm{Name: d.Name, Partition: d.Key.Partition, Sort: d.Key.Sort, Attributes: maps.Clone(d.Attributes), TTL: d.TTL, Class: d.Class,
		Read: d.Billing.Read, Write: d.Billing.Write}
	forms := func(all map[string]plan.Index) (out map[string]*IndexForm) {
		for name, x := range all {
			if out == nil {
				out = map[string]*IndexForm{}
			}
			out[name] = &IndexForm{slices.Clone(x.Partition), slices.Clone(x.Sort), x.Project, slices.Clone(x.Include)}
		}
		return out
	}
	f.GSI, f.LSI = forms(d.GSI), forms(d.LSI)
	return f
}

// Plan is the form as a declaration, without what lies in the table.
func (f *TableForm) Plan() plan.Table {
	indexes := func(all map[string]*IndexForm) (out map[string]plan.Index) {
		for name, x := range all {
			if out == nil {
				out = map[string]plan.Index{}
			}
			out[name] = plan.Index{Partition: x.Partition, Sort: x.Sort, Project: x.Project, Include: x.Include}
		}
		return out
	}
	return plan.Table{Name: f.Name, Key: plan.Key{Partition: f.Partition, Sort: f.Sort}, Attributes: f.Attributes, GSI: indexes(f.GSI), LSI: indexes(f.LSI),
		TTL: f.TTL, Class: f.Class, Billing: plan.Billing{Read: f.Read, Write: f.Write}}
}

// check says what is wrong with a form that was read.
func (f *TableForm) check() error {
	switch {
	case f.Name == "" || f.Partition == "":
		return errors.New("a table without a name or key")
	case anyBad(f.Read, f.Write):
		return errors.New("a table whose capacity cannot be")
	}
	for _, all := range []map[string]*IndexForm{f.GSI, f.LSI} {
		for _, x := range all {
			if x == nil {
				return errors.New("an index is null")
			}
		}
	}
	for _, x := range f.GSI {
		if len(x.Partition) == 0 {
			return errors.New("a global index without a key")
		}
	}
	return nil
}

// checkForms says what is wrong with forms that were read.
func checkForms(all []*TableForm) error {
	for _, f := range all {
		if f == nil {
			return errors.New("a table is null")
		}
		if err := f.check(); err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	return nil
}

// mergeForms lists each table once, as the first one declares it that does so whole.
func mergeForms(all []*TableForm) []*TableForm {
	less := func(f *TableForm) int {
		if f.TTLUnknown {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(all, func(a, b *TableForm) int { return cmp.Or(cmp.Compare(a.Name, b.Name), less(a)-less(b)) })
	return slices.CompactFunc(all, func(a, b *TableForm) bool { return a.Name == b.Name })
}
