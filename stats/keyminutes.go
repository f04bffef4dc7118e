package stats

import (
	"cmp"
	"encoding/json"
	"slices"
)

// keyMinutes is how many minutes of a key are kept. The busiest is remembered for itself; these let shards and processes that
// each saw a part of the same minute add it up.
const keyMinutes = 4

// KeyMinute is what a key took in a minute.
type KeyMinute struct {
	Minute int64   `json:"minute"` // since 1970
	Read   float64 `json:"read,omitempty"`
	Write  float64 `json:"write,omitempty"`
}

// busyMinutes are the latest minutes in which a key had load, by minute modulo keyMinutes, and the busiest there was.
type busyMinutes struct {
	recent                      [keyMinutes]keyMinute
	load, read, write           float32 // the most in a minute, each for itself
	mostRead, mostWrite         float32 // the sums of what each who was merged saw at most
	at, readMinute, writeMinute int32   // when that was
}

type keyMinute struct {
	minute      int32
	read, write float32
}

// add counts what happened in a minute. Where load is a number of calls, read is that number.
func (b *busyMinutes) add(per weights, read, write float32, minute int32) {
	m := &b.recent[uint32(minute)%keyMinutes]
	if m.minute != minute {
		if m.minute > minute { // replays may bring late ones, which are not worth a history
			return
		}
		*m = keyMinute{minute: minute}
	}
	m.read += read
	m.write += write
	b.settle(per, m)
}

// settle takes a minute for the busiest if it is.
func (b *busyMinutes) settle(per weights, m *keyMinute) {
	if load := m.load(per); load > b.load {
		b.load, b.at = load, m.minute
	}
	if m.read > b.read {
		b.read, b.readMinute = m.read, m.minute
	}
	if m.write > b.write {
		b.write, b.writeMinute = m.write, m.minute
	}
}

func (m *keyMinute) load(per weights) float32 {
	if per.call > 0 {
		return m.read * float32(per.call)
	}
	return m.read*float32(per.read) + m.write*float32(per.write)
}

// merge adds what somebody else saw of the same key. A minute that both had as the busiest adds up, as do the latest.
func (b *busyMinutes) merge(per weights, o *busyMinutes) {
	join := func(most *float32, at *int32, other float32, otherAt int32) {
		switch {
		case *at == otherAt:
			*most += other
		case other > *most:
			*most, *at = other, otherAt
		}
	}
	b.mostRead, b.mostWrite = max(b.mostRead, b.read)+max(o.mostRead, o.read), max(b.mostWrite, b.write)+max(o.mostWrite, o.write)
	join(&b.load, &b.at, o.load, o.at)
	join(&b.read, &b.readMinute, o.read, o.readMinute)
	join(&b.write, &b.writeMinute, o.write, o.writeMinute)
	for i := range o.recent {
		m, n := &b.recent[i], &o.recent[i]
		switch {
		case n.minute > m.minute:
			*m = *n
		case n.minute == m.minute:
			m.read += n.read
			m.write += n.write
		}
		b.settle(per, m)
	}
}

// peaks tells what is known of a key's minutes.
func (k *Key) peaks() {
	b := &k.busy
	k.Peak, k.PeakMinute = float64(b.load), int64(b.at)
	if k.per.call > 0 {
		return
	}
	k.PeakRead, k.PeakWrite = float64(b.read), float64(b.write)
	k.PeakReadMost, k.PeakWriteMost = float64(max(b.mostRead, b.read)), float64(max(b.mostWrite, b.write))
	k.Minutes = nil
	if k.Peak < 60*worthMinutes {
		return
	}
	for _, m := range b.recent {
		if m.minute > 0 {
			k.Minutes = append(k.Minutes, KeyMinute{int64(m.minute), float64(m.read), float64(m.write)})
		}
	}
	slices.SortFunc(k.Minutes, func(a, b KeyMinute) int { return cmp.Compare(a.Minute, b.Minute) })
}

// worthMinutes is the share of a partition's throughput from which on a key's minutes are written: exports of many processes
// stay small, and a key that is near a limit is far above it in one of them.
const worthMinutes = 0.01

// UnmarshalJSON reads a key such that it can be merged with others.
func (k *Key) UnmarshalJSON(text []byte) error {
	type plain Key
	if err := json.Unmarshal(text, (*plain)(k)); err != nil {
		return err
	}
	k.per = unitLoad
	if k.PeakRead == 0 && k.PeakWrite == 0 { // throttled or contended: a load of calls; or from before peaks were apart
		k.per = weights{call: 1}
	}
	k.busy = busyMinutes{load: float32(k.Peak), at: int32(k.PeakMinute), read: float32(k.PeakRead), write: float32(k.PeakWrite),
		mostRead: float32(k.PeakReadMost), mostWrite: float32(k.PeakWriteMost)}
	k.busy.readMinute, k.busy.writeMinute = k.busy.at, k.busy.at
	if k.per.call > 0 {
		k.busy.read = k.busy.load
	}
	for _, m := range k.Minutes {
		k.busy.recent[uint32(m.Minute)%keyMinutes] = keyMinute{int32(m.Minute), float32(m.Read), float32(m.Write)}
	}
	return nil
}
