package engine

import (
	"regexp"
	"slices"

	"github.com/tablewright/tablewright/engine/internal/kv"
	"github.com/tablewright/tablewright/wire"
)

// Kinesis streams that a table's changes shall go to are described; nothing is sent to them.

// kinesisDestination is such a stream. Status is where it is when State is over.
type kinesisDestination struct {
	StreamARN string
	Status    string
	Precision string `json:",omitempty"`
	State     state
}

// What a destination may be, and be on the way to.
const (
	enabling, disabling, enabled, disabled, enableFailed = "ENABLING", "DISABLING", "ENABLED", "DISABLED", "ENABLE_FAILED"
)

// kinesisARN is the form of what can be a destination: there is no Kinesis to ask whether it is there.
var kinesisARN = regexp.MustCompile(`^arn:[a-z-]+:kinesis:[a-z0-9-]+:[0-9]{12}:stream/[a-zA-Z0-9_.-]+$`)

// at is the destination's status at a time.
func (k *kinesisDestination) at(now int64) string {
	if is := k.State.at(now); is != "" {
		return is
	}
	return k.Status
}

const notInState = "Table is not in a valid state to enable Kinesis Streaming Destination: "

// changeKinesis changes the destination of a request, which has to be active, or nil if there is none; the texts of refusals
// are those captured on AWS (2026-10), which has "enable" in all of them.
func (e *session) changeKinesis(body []byte, class string, change func(in *wire.KinesisInput, def *definition, k *kinesisDestination) *wire.Error) ([]byte, error) {
	in, err := wire.DecodeKinesis(body, class)
	if err != nil {
		return nil, err
	}
	out := wire.KinesisOutput{TableName: e.nameOf(in.TableName), StreamARN: in.StreamARN, Enable: in.Enable, Update: in.Update}
	err = e.define(e.id(out.TableName), func(kv.Writer) (*definition, error) {
		t, err := e.settled(in.TableName)
		if err != nil {
			return nil, err
		}
		def := *t.def
		def.Kinesis = slices.Clone(def.Kinesis)
		i := slices.IndexFunc(def.Kinesis, func(k kinesisDestination) bool { return k.StreamARN == in.StreamARN })
		var k *kinesisDestination
		if i >= 0 {
			k = &def.Kinesis[i]
		}
		if err := change(in, &def, k); err != nil {
			return nil, err
		}
		i = slices.IndexFunc(def.Kinesis, func(k kinesisDestination) bool { return k.StreamARN == in.StreamARN })
		out.Status, out.Enable = def.Kinesis[i].State.Name, in.Enable // which enabling completes
		return &def, nil
	})
	if err != nil {
		return nil, err
	}
	return out.Append(nil), nil
}

// settled finds a table for a setting of it, by name: one that is being created or deleted is not there.
func (e *session) settled(name string) (*table, error) {
	t, err := e.named(name)
	if err == nil && !e.usable(t) {
		return nil, wire.NewError(wire.CodeResourceNotFound, "Requested resource not found: Table: "+t.name+" not found")
	}
	return t, err
}

func (e *session) enableKinesisStreamingDestination(body []byte) ([]byte, error) {
	return e.changeKinesis(body, "EnableKinesisStreamingDestinationInput", func(in *wire.KinesisInput, def *definition, k *kinesisDestination) *wire.Error {
		now := e.nanoseconds()
		// A table has one at a time; what is disabled or failed may stand beside it.
		if slices.ContainsFunc(def.Kinesis, func(k kinesisDestination) bool {
			is := k.at(now)
			return is != disabled && is != enableFailed
		}) {
			return wire.Invalid(notInState + "EnableKinesisStreamingDestination must be DISABLED or ENABLE_FAILED to perform ENABLE operation.")
		}
		if in.Enable == nil {
			in.Enable = &wire.KinesisConfiguration{}
		}
		to := kinesisDestination{StreamARN: in.StreamARN, Status: active, Precision: in.Enable.Precision, State: e.entering(enabling)}
		if !kinesisARN.MatchString(in.StreamARN) {
			to.Status = enableFailed
		}
		if k != nil {
			*k = to
		} else {
			def.Kinesis = slices.Insert(def.Kinesis, 0, to)
		}
		return nil
	})
}

func (e *session) disableKinesisStreamingDestination(body []byte) ([]byte, error) {
	return e.changeKinesis(body, "DisableKinesisStreamingDestinationInput", func(in *wire.KinesisInput, _ *definition, k *kinesisDestination) *wire.Error {
		switch {
		case in.Enable != nil && *in.Enable != wire.KinesisConfiguration{}:
			return wire.Invalid("Stream cannot be disabled using EnableKinesisStreamingConfiguration parameters")
		case k == nil || k.at(e.nanoseconds()) != active:
			return wire.Invalid(notInState + "KinesisStreamingDestination must be ACTIVE to perform DISABLE operation.")
		}
		k.Status, k.Precision, k.State = disabled, "", e.entering(disabling)
		return nil
	})
}

func (e *session) updateKinesisStreamingDestination(body []byte) ([]byte, error) {
	return e.changeKinesis(body, "UpdateKinesisStreamingDestinationInput", func(in *wire.KinesisInput, def *definition, k *kinesisDestination) *wire.Error {
		switch {
		case in.Update == nil || *in.Update == wire.KinesisConfiguration{}:
			return wire.Invalid("Streaming destination cannot be updated with given parameters: UpdateKinesisStreamingConfiguration cannot be null or contain only null values")
		case k == nil || k.at(e.nanoseconds()) != active:
			return wire.Invalid(notInState + "Kinesis streaming is not in ACTIVE state. Updates are only allowed in ACTIVE state. TableName: " +
				def.Create.TableName + ", kdsArn: " + in.StreamARN)
		case in.Update.Precision == k.Precision || in.Update.Precision == "MILLISECOND" && k.Precision == "":
			return wire.Invalid("Invalid Request: Precision is already set to the desired value of " + in.Update.Precision +
				" for tableId: " + def.ID + ", kdsArn: " + in.StreamARN)
		}
		k.Precision, k.State = in.Update.Precision, e.entering(updating)
		return nil
	})
}

func (e *session) describeKinesisStreamingDestination(body []byte) ([]byte, error) {
	in, err := wire.DecodeNamedTable(body, "DescribeKinesisStreamingDestinationInput")
	if err != nil {
		return nil, err
	}
	t, err := e.settled(in.TableName)
	if err != nil {
		return nil, err
	}
	out := wire.DescribeKinesisOutput{TableName: t.name, Destinations: []wire.KinesisDestination{}}
	now := e.nanoseconds()
	for i := range t.def.Kinesis {
		k := &t.def.Kinesis[i]
		d := wire.KinesisDestination{StreamARN: k.StreamARN, Status: k.at(now), Precision: k.Precision}
		if d.Status == enableFailed {
			d.Description, d.Precision = "User does not have a permission to use kinesis stream", ""
		}
		out.Destinations = append(out.Destinations, d)
	}
	return out.Append(nil), nil
}
