package tablewright

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"time"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/plan"
)

// Description is a table as it is at the service.
type Description struct {
	// Table is what a declaration would state: key, types, indexes, time to live, stream, class, capacity. NewTable takes it,
	// so that tables can be worked on of which the program has no declaration. Its name is the one that was asked for.
	Table plan.Table

	ARN     string
	Status  string // ACTIVE, CREATING, UPDATING, …
	Created time.Time

	// Items and Bytes are the service's count, which it renews about every six hours
	// (docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TableDescription.html).
	Items   int64
	Bytes   capacity.Bytes
	Indexes map[string]IndexState

	Protected bool // the service refuses to delete it
}

// IndexState is what a Description tells of an index beside its declaration. Status is "" of a local index, which is
// always usable.
type IndexState struct {
	Status string
	Items  int64
	Bytes  capacity.Bytes
	// Billing is what is provisioned for a global index; zero on demand, and of a local one, which uses its table's.
	Billing plan.Billing
}

// Describe asks for a table by its declared name, which need not be that of a [Table]. ErrNotFound says that there is none.
func Describe(ctx context.Context, db *DB, table string) (Description, error) {
	if db == nil || db.core == nil {
		return Description{}, &Error{Operation: "DescribeTable", Table: table, Time: db.instant(), kinds: []error{ErrInvalid}, cause: errNoDB}
	}
	var answer struct {
		Table struct {
			description
			TableArn, TableStatus     string
			CreationDateTime          float64 // seconds
			ItemCount, TableSizeBytes int64
			DeletionProtectionEnabled bool
		}
	}
	ttl, err := describeInto(ctx, db, table, &answer)
	if err != nil {
		return Description{}, err
	}
	a := &answer.Table
	seconds, fraction := math.Modf(a.CreationDateTime)
	d := Description{Table: a.declaration(table), ARN: a.TableArn, Status: a.TableStatus, Items: a.ItemCount, Bytes: capacity.Bytes(a.TableSizeBytes),
		Created: time.Unix(int64(seconds), int64(fraction*1e9)).UTC(), Protected: a.DeletionProtectionEnabled}
	d.Table.TTL = ttl
	for _, x := range slices.Concat(a.GlobalSecondaryIndexes, a.LocalSecondaryIndexes) {
		if d.Indexes == nil {
			d.Indexes = map[string]IndexState{}
		}
		state := IndexState{Status: x.IndexStatus, Items: x.ItemCount, Bytes: capacity.Bytes(x.IndexSizeBytes)}
		if d.Table.Billing != (plan.Billing{}) {
			state.Billing = x.ProvisionedThroughput.billing()
		}
		d.Indexes[x.IndexName] = state
	}
	return d, nil
}

// ReadDeclaration is the table that a CreateTable request makes or that an answer describes (the Table of DescribeTable, the
// TableDescription of others): schema is the JSON object with its KeySchema. Neither tells a time to live. The error says that it is
// no such object.
func ReadDeclaration(schema []byte) (plan.Table, error) {
	var d struct {
		description
		TableName string
	}
	if err := json.Unmarshal(schema, &d); err != nil {
		return plan.Table{}, fmt.Errorf("not the schema of a table: %w", err)
	}
	t := d.declaration(d.TableName)
	if t.Key.Partition == "" {
		return plan.Table{}, errors.New("not the schema of a table: KeySchema has no HASH key")
	}
	return t, nil
}

// declaration is the table that a description describes.
func (d *description) declaration(name string) plan.Table {
	first := func(names []string) string {
		if len(names) == 0 {
			return ""
		}
		return names[0]
	}
	t := plan.Table{Name: name, Attributes: map[string]plan.Type{}, Key: plan.Key{Partition: first(d.names("HASH")), Sort: first(d.names("RANGE"))}}
	for _, a := range d.AttributeDefinitions {
		t.Attributes[a.AttributeName] = plan.Type(a.AttributeType)
	}
	indexes := func(found []describedIndex) map[string]plan.Index {
		if len(found) == 0 {
			return nil
		}
		all := map[string]plan.Index{}
		for _, x := range found {
			project := map[string]string{"KEYS_ONLY": plan.Keys, "INCLUDE": plan.Include}[x.Projection.ProjectionType]
			all[x.IndexName] = plan.Index{Partition: x.names("HASH"), Sort: x.names("RANGE"), Project: project, Include: x.Projection.NonKeyAttributes}
		}
		return all
	}
	t.GSI, t.LSI = indexes(d.GlobalSecondaryIndexes), indexes(d.LocalSecondaryIndexes)
	if s := d.StreamSpecification; s.StreamEnabled {
		for name, view := range streamViews {
			if view == s.StreamViewType {
				t.Stream = name
			}
		}
	}
	if d.TableClass+d.TableClassSummary.TableClass == "STANDARD_INFREQUENT_ACCESS" {
		t.Class = "infrequent-access"
	}
	if d.BillingMode+d.BillingModeSummary.BillingMode != "PAY_PER_REQUEST" {
		t.Billing = d.ProvisionedThroughput.billing()
	}
	return t
}

// Tables yields the names of the account's tables in the Region, in their order, as they are at the service. After an error,
// which comes with "", it ends.
func (db *DB) Tables(ctx context.Context) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for after := ""; ; {
			request := []byte(`{}`)
			if after != "" {
				request = append(attr.AppendText([]byte(`{"ExclusiveStartTableName":`), after), '}')
			}
			var page struct {
				TableNames             []string
				LastEvaluatedTableName string
			}
			answer, err := db.Send(ctx, "ListTables", "", request)
			if err == nil {
				if err = json.Unmarshal(answer, &page); err != nil {
					err = &Error{Operation: "ListTables", Time: db.instant(), cause: fmt.Errorf("answer: %w", err)}
				}
			}
			if err != nil {
				yield("", err)
				return
			}
			for _, name := range page.TableNames {
				if !yield(name, nil) {
					return
				}
			}
			if after = page.LastEvaluatedTableName; after == "" {
				return
			}
		}
	}
}
