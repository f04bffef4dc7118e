package engine

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/tablewright/tablewright/engine/internal/kv"
	"github.com/tablewright/tablewright/wire"
)

// dumpedTable is a table's line of a dump: the request that makes it as it is now, and what such a request does not tell, by
// the names of the service's descriptions. What is as in any new table is left out, so that a line written by hand needs
// Create alone; times are those of RFC 3339. Where the data is kept, states on the way to others and how often settings were
// changed lately are the engine's matter and not in it.
type dumpedTable struct {
	Region    string    `json:",omitempty"` // else the engine's own
	ID        string    `json:"TableId,omitempty"`
	Created   time.Time `json:"CreationDateTime,omitzero"`
	Create    json.RawMessage
	OnDemand  time.Time      `json:"LastUpdateToPayPerRequestDateTime,omitzero"`
	Increased time.Time      `json:"LastIncreaseDateTime,omitzero"`
	Decreased time.Time      `json:"LastDecreaseDateTime,omitzero"`
	Classed   time.Time      `json:"TableClassLastUpdateDateTime,omitzero"`
	Warm      *dumpedWarmth  `json:"WarmThroughput,omitempty"`
	Indexes   []dumpedIndex  `json:"GlobalSecondaryIndexes,omitempty"` // those that have more than Create tells
	TTL       string         `json:"TimeToLive,omitempty"`             // the attribute
	Policy    *dumpedPolicy  `json:"ResourcePolicy,omitempty"`
	OfStream  *dumpedPolicy  `json:"StreamResourcePolicy,omitempty"`
	Recovery  *dumpedBackups `json:"PointInTimeRecovery,omitempty"`
	Kinesis   []dumpedStream `json:"KinesisDataStreamDestinations,omitempty"`
	Insights  []dumpedReport `json:"ContributorInsights,omitempty"`
}

type dumpedIndex struct {
	Name      string        `json:"IndexName"`
	Warm      *dumpedWarmth `json:"WarmThroughput,omitempty"`
	Increased time.Time     `json:"LastIncreaseDateTime,omitzero"`
	Decreased time.Time     `json:"LastDecreaseDateTime,omitzero"`
}

type dumpedWarmth struct {
	Read  int64 `json:"ReadUnitsPerSecond"`
	Write int64 `json:"WriteUnitsPerSecond"`
}

type dumpedPolicy struct {
	Document string `json:"Policy"`
	Revision string `json:"RevisionId"`
}

type dumpedBackups struct {
	Days  int       `json:"RecoveryPeriodInDays"`
	Since time.Time `json:"EnabledDateTime,omitzero"`
}

type dumpedStream struct {
	ARN       string `json:"StreamArn"`
	Status    string `json:"DestinationStatus"`
	Precision string `json:"ApproximateCreationDateTimePrecision,omitempty"`
}

type dumpedReport struct {
	Index   string    `json:"IndexName,omitempty"`
	Enabled bool      `json:"Enabled"`
	Mode    string    `json:"ContributorInsightsMode,omitempty"`
	Changed time.Time `json:"LastUpdateDateTime,omitzero"`
}

// timeOf is a time that definitions have in nanoseconds since 1970, 0 for none.
func timeOf(n int64) time.Time {
	if n == 0 {
		return time.Time{}
	}
	return time.Unix(0, n).UTC()
}

func nanosecondsOf(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixNano()
}

// dumped is the line of a definition.
func (def *definition) dumped() ([]byte, error) {
	create := def.Create
	create.Warm, create.Global = nil, slices.Clone(create.Global) // what was asked for once
	for i := range create.Global {
		create.Global[i].Warm = nil
	}
	request, err := json.Marshal(create)
	if err != nil {
		return nil, err
	}
	d := &dumpedTable{Region: def.Region, ID: def.ID, Created: timeOf(def.Created), Create: request, OnDemand: timeOf(def.OnDemandSince),
		Increased: timeOf(def.Increased), Decreased: timeOf(def.Decreased), Warm: def.Warm.dumped(def.Create.Throughput), TTL: def.TTL}
	if l := def.Budgets.ClassChanges; len(l) > 0 {
		d.Classed = timeOf(l[len(l)-1])
	}
	for i := range def.Create.Global {
		x := &def.Create.Global[i]
		own := def.Indexes[slices.IndexFunc(def.Indexes, func(o indexDefinition) bool { return o.Name == x.Name })]
		more := dumpedIndex{x.Name, own.Warm.dumped(x.Throughput), timeOf(own.Increased), timeOf(own.Decreased)}
		if more != (dumpedIndex{Name: x.Name}) {
			d.Indexes = append(d.Indexes, more)
		}
	}
	for _, p := range def.Policies {
		switch p.Stream {
		case "":
			d.Policy = &dumpedPolicy{p.Document, p.Revision}
		case def.StreamLabel:
			d.OfStream = &dumpedPolicy{p.Document, p.Revision}
		}
	}
	if b := def.Backups; b.Enabled {
		d.Recovery = &dumpedBackups{b.Days, timeOf(b.Since)}
	}
	for _, k := range def.Kinesis {
		d.Kinesis = append(d.Kinesis, dumpedStream{k.StreamARN, k.Status, k.Precision})
	}
	for _, x := range def.Insights {
		d.Insights = append(d.Insights, dumpedReport{x.Index, x.Enabled, x.Mode, timeOf(x.Changed)})
	}
	return json.Marshal(d)
}

// dumped is nil for what a table or index of that throughput has anyway.
func (w warmth) dumped(t *wire.Throughput) *dumpedWarmth {
	if base := baseWarmth(t); w.Read == base.Read && w.Write == base.Write {
		return nil
	}
	return &dumpedWarmth{w.Read, w.Write}
}

// readDumped reads a table's line of a dump, and the request in it, which is held to what CreateTable holds it to.
func readDumped(text []byte) (*dumpedTable, *wire.CreateTableInput, error) {
	d := new(dumpedTable)
	r := json.NewDecoder(bytes.NewReader(text))
	r.DisallowUnknownFields()
	if err := r.Decode(d); err != nil {
		return nil, nil, err
	}
	if d.Create == nil {
		return nil, nil, errors.New("it has no Create, the request that makes the table")
	}
	create, err := wire.DecodeCreateTable(d.Create)
	if err != nil {
		return nil, nil, err
	}
	if err := checkCapacity(create); err != nil {
		return nil, nil, err
	}
	if err := checkCreate(create); err != nil {
		return nil, nil, err
	}
	return d, create, nil
}

// define makes the table's definition: that of a new one, and what is told beside the request.
func (d *dumpedTable) define(e *session, create *wire.CreateTableInput, w kv.Writer) (*definition, error) {
	def, err := e.newDefinition(create, w)
	if err != nil {
		return nil, err
	}
	def.settle()
	def.ID, def.Created = cmp.Or(d.ID, def.ID), cmp.Or(nanosecondsOf(d.Created), def.Created)
	def.OnDemandSince = cmp.Or(nanosecondsOf(d.OnDemand), def.OnDemandSince)
	def.Increased, def.Decreased = nanosecondsOf(d.Increased), nanosecondsOf(d.Decreased)
	if n := nanosecondsOf(d.Classed); n != 0 { // it is told, as that of the last change
		def.Budgets.ClassChanges = []int64{n}
	}
	d.Warm.read(&def.Warm)
	for _, x := range d.Indexes {
		for i := range def.Indexes {
			if own := &def.Indexes[i]; own.Name == x.Name && own.Kind == globalIndex {
				x.Warm.read(&own.Warm)
				own.Increased, own.Decreased = nanosecondsOf(x.Increased), nanosecondsOf(x.Decreased)
			}
		}
	}
	if def.TTL = d.TTL; d.TTL != "" {
		def.Indexes = append(def.Indexes, indexDefinition{Name: expiryName, Kind: expiryIndex, Space: e.number(w)})
	}
	if d.Policy != nil {
		def.Policies = []policy{{Document: d.Policy.Document, Revision: d.Policy.Revision}}
	}
	if d.OfStream != nil && def.StreamLabel != "" {
		def.Policies = append(def.Policies, policy{Stream: def.StreamLabel, Document: d.OfStream.Document, Revision: d.OfStream.Revision})
	}
	if b := d.Recovery; b != nil {
		def.Backups = pointInTime{Enabled: true, Days: b.Days, Since: nanosecondsOf(b.Since)}
	}
	for _, k := range d.Kinesis {
		def.Kinesis = append(def.Kinesis, kinesisDestination{StreamARN: k.ARN, Status: k.Status, Precision: k.Precision})
	}
	for _, x := range d.Insights {
		def.Insights = append(def.Insights, insights{Index: x.Index, Enabled: x.Enabled, Mode: x.Mode, Changed: nanosecondsOf(x.Changed)})
	}
	return def, nil
}

// read does nothing where nothing was dumped: then it is what it is anyway.
func (d *dumpedWarmth) read(w *warmth) {
	if d != nil {
		*w = warmth{Read: d.Read, Write: d.Write}
	}
}

// relabel gives a definition and what is of its stream another label of the stream.
func (def *definition) relabel(label string) {
	def.Policies = slices.Clone(def.Policies)
	for i := range def.Policies {
		if p := &def.Policies[i]; p.Stream == def.StreamLabel {
			p.Stream = label
		}
	}
	def.StreamLabel = label
}
