package tablewright

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/wire"
)

// CreateTables creates the program's tables with their indexes, time to live and streams, and waits until all are usable.
// Their names are what [Options.TableName] or [DB.WithTableName] makes of the model's: give them a prefix there to work
// beside other tables. A table that exists already is ErrExists, and then the ones made before it stay. What the service
// needs to make tables and their indexes is waited for without limit: ctx ends it.
func (p *Program) CreateTables(ctx context.Context, db *DB) error {
	for _, t := range p.plan.Tables {
		if err := createTable(ctx, db, t.Document, settings{}); err != nil {
			return err
		}
	}
	for _, t := range p.plan.Tables {
		if err := awaitTable(ctx, db, t.Document); err != nil {
			return err
		}
	}
	return nil
}

// DeleteTables deletes the program's tables and all they hold, and waits until they are gone. Tables that do not exist are
// passed over; one that is still being made or changed is waited for, since the service deletes none before. It goes on
// with the others after an error of one: the error joins all. For a clean-up that is to be done whatever has ended, give it
// context.WithoutCancel: by itself it gives up on a table that is not gone after 5 minutes.
func (p *Program) DeleteTables(ctx context.Context, db *DB) error {
	var errs []error
	left := make(map[string]bool)
	each := func(f func(context.Context, *DB, string) (bool, error)) {
		for _, t := range p.plan.Tables {
			if !left[t.Name] {
				continue
			}
			gone, err := f(ctx, db, t.Name)
			if err != nil {
				errs = append(errs, err)
			}
			if gone || err != nil {
				delete(left, t.Name)
			}
		}
	}
	for _, t := range p.plan.Tables {
		left[t.Name] = true
	}
	each(deleteTable)
	giveUp := func(detail string, cause error) {
		for _, name := range slices.Sorted(maps.Keys(left)) {
			errs = append(errs, &Error{Operation: "DeleteTable", Table: name, Time: db.clock.Now(), detail: detail, cause: cause})
		}
		clear(left)
	}
	var waited time.Duration
	for wait := firstPoll; len(left) > 0; wait = min(2*wait, longestPoll) {
		each(deleted)
		if len(left) == 0 {
			break
		}
		if waited >= deletionTime { // counted, since Options.Clock may stand still
			giveUp(fmt.Sprintf("the table is still there after %v: look at its state", deletionTime), nil)
			break
		}
		waited += wait
		if err := pause(ctx, db.clock, wait); err != nil {
			giveUp("the deletion was asked for, its end not awaited", err)
		}
	}
	return errors.Join(errs...)
}

// deleteTable asks for a table's deletion; gone tells that there is none.
func deleteTable(ctx context.Context, db *DB, table string) (gone bool, err error) {
	err = control(ctx, db, "DeleteTable", table, func(*body) {}, nil)
	if hasCode(err, wire.CodeResourceInUse) { // it is being made, changed or deleted
		return false, nil
	}
	return noneThere(err)
}

// deleted tells whether a table whose deletion was asked for is gone, and asks again for that of one that is usable.
func deleted(ctx context.Context, db *DB, table string) (gone bool, err error) {
	usable, err := describe(ctx, db, table)
	if err != nil || !usable {
		return noneThere(err)
	}
	return deleteTable(ctx, db, table)
}

// noneThere makes the answer of an error that says that there is no table.
func noneThere(err error) (gone bool, other error) {
	if notThere(err) {
		return true, nil
	}
	return false, err
}

const (
	firstPoll   = 20 * time.Millisecond
	longestPoll = 2 * time.Second

	deletionTime = 5 * time.Minute // that DeleteTables waits for the service: it takes seconds, rarely more than a minute
)

func notThere(err error) bool { return hasCode(err, wire.CodeResourceNotFound) }

func hasCode(err error, code string) bool {
	var w *wire.Error
	return errors.As(err, &w) && w.Code == code
}

// control sends an operation on a table; members writes what it has beside the table's name.
func control(ctx context.Context, db *DB, operation, table string, members func(w *body), answer func(d *attr.Decoder)) error {
	c := newCall(operation)
	defer c.release()
	c.names(db, table)
	w := &body{b: c.Request[:0]}
	w.open()
	w.text("TableName", db.actual(table))
	members(w)
	w.close()
	c.Request = w.b
	b := db.budget()
	if err := db.send(ctx, c, &b, harmless); err != nil {
		return err
	}
	d := attr.NewDecoder(c.Response)
	if answer != nil {
		answer(d)
		if err := d.End(); err != nil {
			return fail(c, nil, fmt.Errorf("answer: %w", err))
		}
	}
	return nil
}

// createTable asks for a table; it is not usable yet when this returns.
func createTable(ctx context.Context, db *DB, t *plan.Table, s settings) error {
	return control(ctx, db, "CreateTable", t.Name, func(w *body) { writeTable(w, t); s.write(w) }, nil)
}

// awaitTable waits until a table and its indexes are usable, and then turns on its time to live, which CreateTable cannot.
func awaitTable(ctx context.Context, db *DB, t *plan.Table) error {
	for wait := firstPoll; ; wait = min(2*wait, longestPoll) {
		ready, err := describe(ctx, db, t.Name)
		if err != nil && !notThere(err) { // right after CreateTable a table may not be known everywhere
			return err
		}
		if err == nil && ready {
			break
		}
		if err := pause(ctx, db.clock, wait); err != nil {
			return err
		}
	}
	if t.TTL == "" {
		return nil
	}
	return control(ctx, db, "UpdateTimeToLive", t.Name, func(w *body) {
		w.key("TimeToLiveSpecification")
		w.open()
		w.text("AttributeName", t.TTL)
		w.flag("Enabled", true)
		w.close()
	}, nil)
}

// describe tells whether a table and all its indexes are usable.
func describe(ctx context.Context, db *DB, table string) (ready bool, err error) {
	ready = true
	active := func(d *attr.Decoder) {
		if string(d.TextBytes()) != "ACTIVE" {
			ready = false
		}
	}
	err = control(ctx, db, "DescribeTable", table, func(*body) {}, func(d *attr.Decoder) {
		for name := range d.Fields("") {
			if string(name) != "Table" {
				continue
			}
			for name := range d.Fields("") {
				switch string(name) {
				case "TableStatus":
					active(d)
				case "GlobalSecondaryIndexes":
					for range d.Elems() {
						for name := range d.Fields("") {
							if string(name) == "IndexStatus" {
								active(d)
							}
						}
					}
				}
			}
		}
	})
	return ready, err
}

// streamViews are the service's names of what a stream shows.
var streamViews = map[string]string{plan.NewAndOld: "NEW_AND_OLD_IMAGES", "new": "NEW_IMAGE", "old": "OLD_IMAGE", plan.Keys: "KEYS_ONLY"}

// writeTable writes the members of CreateTable.
func writeTable(w *body, t *plan.Table) {
	w.key("KeySchema")
	writeKeySchema(w, one(t.Key.Partition), one(t.Key.Sort))
	used := map[string]bool{t.Key.Partition: true}
	note := func(names ...string) {
		for _, n := range names {
			if n != "" {
				used[n] = true
			}
		}
	}
	note(t.Key.Sort)
	indexes := func(member string, of map[string]plan.Index, local bool) {
		if len(of) == 0 {
			return
		}
		w.key(member)
		w.b = append(w.b, '[')
		for i, name := range slices.Sorted(maps.Keys(of)) {
			if i > 0 {
				w.b = append(w.b, ',')
			}
			x := of[name]
			if local && len(x.Partition) == 0 {
				x.Partition = one(t.Key.Partition)
			}
			note(x.Partition...)
			note(x.Sort...)
			w.open()
			w.text("IndexName", name)
			w.key("KeySchema")
			writeKeySchema(w, x.Partition, x.Sort)
			writeProjection(w, x)
			if !local {
				writeThroughput(w, t.Billing)
				writeWarm(w, x.Warm)
			}
			w.close()
		}
		w.b = append(w.b, ']')
		w.full = true
	}
	indexes("GlobalSecondaryIndexes", t.GSI, false)
	indexes("LocalSecondaryIndexes", t.LSI, true)
	w.key("AttributeDefinitions") // those of keys only: the service refuses others
	w.b = append(w.b, '[')
	for i, name := range slices.Sorted(maps.Keys(used)) {
		if i > 0 {
			w.b = append(w.b, ',')
		}
		w.open()
		w.text("AttributeName", name)
		w.text("AttributeType", string(t.Attributes[name]))
		w.close()
	}
	w.b = append(w.b, ']')
	w.full = true
	if t.Billing == (plan.Billing{}) {
		w.text("BillingMode", "PAY_PER_REQUEST")
		writeWarm(w, t.Warm)
	} else {
		w.text("BillingMode", "PROVISIONED")
		writeThroughput(w, t.Billing)
	}
	if t.Stream != "" {
		w.key("StreamSpecification")
		w.open()
		w.flag("StreamEnabled", true)
		w.text("StreamViewType", streamViews[t.Stream])
		w.close()
	}
	if t.Class == "infrequent-access" {
		w.text("TableClass", "STANDARD_INFREQUENT_ACCESS")
	}
}

func one(name string) []string {
	if name == "" {
		return nil
	}
	return []string{name}
}

func writeKeySchema(w *body, partition, sort []string) {
	w.b = append(w.b, '[')
	w.full = false
	element := func(name, kind string) {
		if w.full {
			w.b = append(w.b, ',')
		}
		w.open()
		w.text("AttributeName", name)
		w.text("KeyType", kind)
		w.close()
	}
	for _, name := range partition {
		element(name, "HASH")
	}
	for _, name := range sort {
		element(name, "RANGE")
	}
	w.b = append(w.b, ']')
	w.full = true
}

func writeProjection(w *body, x plan.Index) {
	w.key("Projection")
	w.open()
	switch x.Project {
	case plan.Keys:
		w.text("ProjectionType", "KEYS_ONLY")
	case "include":
		w.text("ProjectionType", "INCLUDE")
		w.key("NonKeyAttributes")
		w.b = append(w.b, '[')
		for i, name := range x.Include {
			if i > 0 {
				w.b = append(w.b, ',')
			}
			w.b = attr.AppendText(w.b, name)
		}
		w.b = append(w.b, ']')
	default:
		w.text("ProjectionType", "ALL")
	}
	w.close()
}

// writeWarm writes what a table or index on demand is to take from the start. No less can be asked for than a new one takes
// anyway (warm-throughput).
func writeWarm(w *body, warm plan.Billing) {
	if warm == (plan.Billing{}) {
		return
	}
	w.key("WarmThroughput")
	w.open()
	w.int("ReadUnitsPerSecond", int(max(warm.Read, float64(capacity.NewTableReads))))
	w.int("WriteUnitsPerSecond", int(max(warm.Write, float64(capacity.NewTableWrites))))
	w.close()
}

func writeThroughput(w *body, b plan.Billing) {
	if b == (plan.Billing{}) {
		return
	}
	w.key("ProvisionedThroughput")
	w.open()
	w.int("ReadCapacityUnits", int(max(b.Read, 1)))
	w.int("WriteCapacityUnits", int(max(b.Write, 1)))
	w.close()
}
