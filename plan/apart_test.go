package plan_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/plan"
)

const lockersRequirements = `
tablewright: 1
application: lockers
entities:
  Hall:
    identity: [hallId]
    attributes:
      hallId: {type: string, bytes: 6}
      sweeps: {type: number, digits: 6}
    bytes: 60
    count: 10
  Locker:
    identity: [lockerId]
    attributes:
      lockerId: {type: string, bytes: 6}
      code: {type: string, bytes: 6}
    unique: [code]
    bytes: 100
    count: 1_000
patterns:
  open: {write: {create: Hall}, rate: {average: 1/s, peak: 1/s}}
  rent: {write: {create: Locker}, rate: {average: 1/s, peak: 1/s}}
  recode: {write: {update: Locker, set: [code]}, rate: {average: 1/s, peak: 1/s}}
  sweep:
    write: [{update: Hall, set: {sweeps: sweeps + 1}}, {delete: Locker, each: $lockers}]
    parameters: {lockers: {length: {average: 20, max: 500}}}
    atomic: false
    rate: {average: 1/s, peak: 1/s}
`

const lockersModel = `
tablewright: 1
application: lockers
tables:
  Halls: {attributes: {hallId: S}, key: {partition: hallId}, items: {Hall: {key: {hallId: "{hallId}"}}}}
  Lockers: {attributes: {lockerId: S}, key: {partition: lockerId}, items: {Locker: {key: {lockerId: "{lockerId}"}}}}
  Codes: {attributes: {code: S}, key: {partition: code}, items: {Code: {holds: {unique: Locker.code}, key: {code: "{code}"}}}}
plans:
  open: {steps: {w: {put: Hall, if: absent}}}
  rent: {steps: {w: {transact: [{put: Locker, if: absent}, {put: Code, value: $locker, if: absent}]}}}
  recode:
    steps:
      was: {get: Locker, key: [lockerId], consistent: true}
      w:
        transact:
          - {update: Locker, key: [lockerId], set: [code], if: [present, code = $was.code]}
          - {delete: Code, key: {code: $was.code}}
          - {put: Code, value: $was, with: {code: $code}, if: absent}
  sweep:
    steps:
      was: {batch-get: Locker, each: $lockers, key: [lockerId], consistent: true}
      w: {update: Hall, key: [hallId], set: {sweeps: sweeps + 1}, if: present, after: [was]}
      x:
        transact:
          - {delete: Locker, key: {lockerId: $each.lockerId}, still: $was}
          - {delete: Code, key: {code: $each.code}}
        each: $was
        after: [w]
`

// lockers compiles the model of the lockers.
func lockers(t *testing.T) *plan.Program {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"r.yaml": lockersRequirements, "m.yaml": lockersModel} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	m, _ := document(t, filepath.Join(dir, "m.yaml"), nil)
	p, problems := plan.Compile(m, requirements(t, filepath.Join(dir, "r.yaml"), nil))
	for _, x := range problems {
		t.Fatal(x)
	}
	return p
}

// texts is an item of names and texts.
func texts(pairs ...string) (it attr.Item) {
	for i := 0; i < len(pairs); i += 2 {
		it.Set(pairs[i], attr.Text(pairs[i+1]))
	}
	return it
}

// TestTouches compares what the puts and the deletes of the same lockers touch. What only reads touches nothing.
func TestTouches(t *testing.T) {
	p := lockers(t)
	f := newFake(p)
	touched := func(name string, args attr.Item) (all []string) {
		t.Helper()
		call, err := p.Procedure(name).Begin(args, nil, f)
		if err != nil {
			t.Fatal(err)
		}
		for {
			requests, err := call.Next()
			if err != nil {
				t.Fatal(err)
			}
			if len(requests) == 0 {
				return all
			}
			for _, r := range requests {
				all = append(all, r.Touches()...)
				result, _ := f.do(r)
				if err := call.Done(r, result); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	hall := texts("hallId", "h1")
	hall.Set("sweeps", attr.Num(attr.Int(0)))
	made := touched("open", attr.ItemOf(attr.Field{Name: "hall", Value: attr.Map(hall)}))
	for _, id := range []string{"l1", "l2"} {
		made = append(made, touched("rent", attr.ItemOf(attr.Field{Name: "locker", Value: attr.Map(texts("lockerId", id, "code", "code of "+id))}))...)
	}
	args := texts("hallId", "h1")
	args.Set("lockers", attr.List(attr.Map(texts("lockerId", "l1")), attr.Map(texts("lockerId", "l2"))))
	swept := touched("sweep", args) // the read of the lockers is among its requests
	if len(made) != 5 || len(slices.Compact(slices.Sorted(slices.Values(made)))) != 5 || !slices.Equal(made, swept) {
		t.Errorf("creates touch %q, the sweep %q", made, swept)
	}
}

// TestApart deletes lockers, each with its marker in a transaction of its own, of which somebody gives one another code between the read
// and the write. The lockers are read again and what is left of them is deleted; what has been written before is not written again.
func TestApart(t *testing.T) {
	p := lockers(t)
	f := newFake(p)
	run := func(name string, args attr.Item) {
		t.Helper()
		if _, err := f.run(name, args, nil); err != nil {
			t.Fatal(err)
		}
	}
	hall := texts("hallId", "h1")
	hall.Set("sweeps", attr.Num(attr.Int(0)))
	run("open", attr.ItemOf(attr.Field{Name: "hall", Value: attr.Map(hall)}))
	for _, id := range []string{"l1", "l2", "l3"} {
		run("rent", attr.ItemOf(attr.Field{Name: "locker", Value: attr.Map(texts("lockerId", id, "code", "code of "+id))}))
	}
	args := texts("hallId", "h1")
	args.Set("lockers", attr.List(attr.Map(texts("lockerId", "l1")), attr.Map(texts("lockerId", "l2")), attr.Map(texts("lockerId", "l3")), attr.Map(texts("lockerId", "l4"))))
	call, err := p.Procedure("sweep").Begin(args, nil, f)
	if err != nil {
		t.Fatal(err)
	}
	transactions, updates := 0, 0
	for {
		requests, err := call.Next()
		if err != nil {
			t.Fatal(err)
		}
		if len(requests) == 0 {
			break
		}
		for _, r := range requests {
			switch r.Verb {
			case plan.Update:
				updates++
			case plan.Transact:
				if transactions++; transactions == 2 {
					run("recode", texts("lockerId", "l2", "code", "another code"))
				}
			}
			result, failures := f.do(r)
			if failures != nil {
				err = call.Refused(r, failures)
			} else {
				err = call.Done(r, result)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	if transactions != 4 || updates != 1 || len(f.tables["Lockers"]) != 0 || len(f.tables["Codes"]) != 0 {
		t.Errorf("%d transactions and %d updates, left %v", transactions, updates, f.tables)
	}
}
