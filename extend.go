package tablewright

import (
	"bytes"
	"context"
	"errors"
	"reflect"
	"time"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/plan"
)

// What packages beside this one are made of: operations that have no method here, the client's clock and names, and items
// that come by other ways than a read, such as the records of a stream.

// Send sends an operation that no method stands for, such as TagResource or DescribeStream: signed, retried and told to
// hooks as everything else. request is its JSON, with the table's name at the service (see [DB.TableName]); table is the
// declared name that hooks and errors carry, "" if it concerns none. The operations of DynamoDB Streams go to the endpoint
// of theirs. After a lost answer only what describes, lists or reads is repeated; for others that is [ErrUnknownOutcome].
func (db *DB) Send(ctx context.Context, operation, table string, request []byte) (answer []byte, err error) {
	c := newCall(operation)
	defer c.release()
	c.foreign = true
	if c.Table = table; table != "" {
		c.names(db, table)
	}
	if request = bytes.TrimSpace(request); len(request) < len("{}") || request[0] != '{' || request[len(request)-1] != '}' {
		return nil, fail(c, ErrInvalid, errors.New("the request is no JSON object"))
	}
	c.Request = append(c.Request[:0], request...)
	if operation == "Query" || operation == "Scan" {
		c.Index = string(bytes.Trim(attr.LookupRaw(c.Request, "IndexName"), `"`))
	}
	c.readStatement()
	b := db.budget()
	rep := repeatable(reads(operation) || describes(operation))
	if err := db.send(ctx, c, &b, rep); err != nil {
		return nil, err
	}
	return bytes.Clone(c.Response), nil
}

// Now is the time by [Options.Clock].
func (db *DB) Now() time.Time { return db.clock.Now() }

// TableName is the name at the service of a table declared as name.
func (db *DB) TableName(name string) string { return db.actual(name) }

// Definition is the table as it was declared, with the types of attributes that its items told so far. The maps in it are
// the table's own: they are not to be changed.
func (t *Table) Definition() plan.Table {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.p
}

// Table is the table that the items lie in.
func (v *View[K, T]) Table() *Table { return v.d.orUndeclared().table }

// Holds reports whether an item, or its key, is of this kind, by the templates of its key; in a table of one kind every item
// is. stored is DynamoDB JSON as the table has it: of a stream's record, an export, or an answer to a request of one's own.
func (v *View[K, T]) Holds(stored []byte) bool { return Kind{v.d.orUndeclared()}.Holds(stored) }

// Decode reads an item of this kind from DynamoDB JSON as the table has it. An item that does not go into a T is a
// *[DecodeError]. Whether it is of this kind is not looked at: see [View.Holds].
func (v *View[K, T]) Decode(stored []byte) (item T, err error) {
	err = v.d.orUndeclared().decodeStored(stored, &item)
	return item, err
}

// decodeStored decodes an item of the table into item, a pointer.
func (d *decl) decodeStored(stored []byte, item any) error {
	if err := d.table.Seal(); err != nil {
		return err
	}
	return d.decode(nil, stored, item)
}

// Encode makes the item as the table has it, in DynamoDB JSON: with its defaults, computed, key and index attributes, and with
// version and times as they are in item. It is what Put writes, unsent, for dumps, imports and test data; what Put would not
// send, an item that breaks its schema among it, is [ErrInvalid] here as there. [Table.Raw] encodes anything.
func (e *Entity[K, T]) Encode(item T) ([]byte, error) {
	return e.d.orUndeclared().encoded(reflect.ValueOf(&item).Elem())
}

// encoded is an item of d with all that is computed of it, which item is given, too.
func (d *decl) encoded(item reflect.Value) ([]byte, error) {
	if err := d.table.Seal(); err != nil {
		return nil, err
	}
	err := d.prepareItem(item)
	var b []byte
	if err == nil {
		b, err = d.codec.Encode(nil, item)
	}
	if err == nil && !d.raw() {
		b, err = d.complete(b, 0, d.chooseShard())
	}
	if err != nil {
		return nil, &Error{Operation: "Encode", Table: d.table.p.Name, kinds: []error{ErrInvalid}, cause: err}
	}
	return b, nil
}
