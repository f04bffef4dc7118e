package stats

import (
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"time"
)

// Minute is what happened in a minute.
type Minute struct{ Calls, Read, Write float64 }

func (m *Minute) add(o Minute) {
	m.Calls += o.Calls
	m.Read += o.Read
	m.Write += o.Write
}

// Traffic is calls and units by minute. It keeps a number of hours, the newest ones; older ones are forgotten but for what
// Dropped and the peaks tell.
type Traffic struct {
	hours   []hour // in order of time
	dropped Minute
	peak    Minute // of dropped minutes, each for itself
	keep    int    // hours; 0: all
}

type hour struct {
	at      int64 // hours since 1970
	minutes [60]Minute
}

// add counts what happened in a minute, given as minutes since 1970. That may be long ago: of who tells of a minute only when
// something happens in another.
func (t *Traffic) add(minute int64, m Minute) {
	if t.keep > 0 && len(t.hours) >= t.keep && minute/60 < t.hours[0].at {
		t.dropped.add(m)
		t.peak = t.peak.max(m)
		return
	}
	t.hour(minute / 60).minutes[minute%60].add(m)
}

// hour finds an hour or makes it.
func (t *Traffic) hour(at int64) *hour {
	if n := len(t.hours); n > 0 && t.hours[n-1].at == at {
		return &t.hours[n-1]
	}
	i, found := slices.BinarySearchFunc(t.hours, at, func(h hour, at int64) int { return int(h.at - at) })
	if found {
		return &t.hours[i]
	}
	t.hours = slices.Insert(t.hours, i, hour{at: at})
	if t.keep > 0 && len(t.hours) > t.keep && i > 0 {
		t.drop()
		i--
	}
	return &t.hours[i]
}

// drop forgets the oldest hour.
func (t *Traffic) drop() {
	for _, m := range t.hours[0].minutes {
		t.dropped.add(m)
		t.peak = t.peak.max(m)
	}
	t.hours = append(t.hours[:0], t.hours[1:]...)
}

func (m Minute) max(o Minute) Minute {
	return Minute{max(m.Calls, o.Calls), max(m.Read, o.Read), max(m.Write, o.Write)}
}

// merge adds the traffic of o.
func (t *Traffic) merge(o *Traffic) {
	for i := range o.hours {
		h := t.hour(o.hours[i].at)
		for j, m := range o.hours[i].minutes {
			h.minutes[j].add(m)
		}
	}
	t.dropped.add(o.dropped)
	t.peak = t.peak.max(o.peak)
}

// All yields the minutes that had any traffic, in order.
func (t *Traffic) All() iter.Seq2[time.Time, Minute] {
	return func(yield func(time.Time, Minute) bool) {
		for i := range t.hours {
			for j, m := range t.hours[i].minutes {
				if m != (Minute{}) && !yield(time.Unix((t.hours[i].at*60+int64(j))*60, 0).UTC(), m) {
					return
				}
			}
		}
	}
}

// Dropped is what happened in minutes that are not kept any more.
func (t *Traffic) Dropped() Minute { return t.dropped }

// Sum is all traffic.
func (t *Traffic) Sum() Minute {
	sum := t.dropped
	for _, m := range t.All() {
		sum.add(m)
	}
	return sum
}

// Average is the traffic per second, from and to given: usually those of the Snapshot. Without any time between them it is 0.
func (t *Traffic) Average(from, to time.Time) Minute {
	seconds := to.Sub(from).Seconds()
	if seconds <= 0 {
		return Minute{}
	}
	sum := t.Sum()
	return Minute{sum.Calls / seconds, sum.Read / seconds, sum.Write / seconds}
}

// Peak is the traffic per second of the busiest minute, of calls, read and write units each for itself.
func (t *Traffic) Peak() Minute {
	peak := t.peak
	for _, m := range t.All() {
		peak = peak.max(m)
	}
	return Minute{peak.Calls / 60, peak.Read / 60, peak.Write / 60}
}

type trafficJSON struct {
	Hours   []hourJSON  `json:"hours"`
	Dropped *[3]float64 `json:"dropped,omitempty"`
	Peak    *[3]float64 `json:"droppedPeak,omitempty"`
}

// hourJSON has calls, read and write units of the minutes from the first that has any.
type hourJSON struct {
	Hour    int64        `json:"hour"`
	First   int          `json:"first"`
	Minutes [][3]float64 `json:"minutes"`
}

// MarshalJSON writes hours as numbers since 1970, and of each minute calls, read and write units.
func (t *Traffic) MarshalJSON() ([]byte, error) {
	out := trafficJSON{Hours: []hourJSON{}}
	for i := range t.hours {
		h := hourJSON{Hour: t.hours[i].at, First: -1}
		last := 0
		for j, m := range t.hours[i].minutes {
			if m != (Minute{}) {
				last = j
				if h.First < 0 {
					h.First = j
				}
			}
		}
		if h.First < 0 {
			continue
		}
		for _, m := range t.hours[i].minutes[h.First : last+1] {
			h.Minutes = append(h.Minutes, [3]float64{m.Calls, m.Read, m.Write})
		}
		out.Hours = append(out.Hours, h)
	}
	if t.dropped != (Minute{}) {
		out.Dropped = &[3]float64{t.dropped.Calls, t.dropped.Read, t.dropped.Write}
		out.Peak = &[3]float64{t.peak.Calls, t.peak.Read, t.peak.Write}
	}
	return json.Marshal(out)
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (t *Traffic) UnmarshalJSON(text []byte) error {
	var in trafficJSON
	if err := json.Unmarshal(text, &in); err != nil {
		return err
	}
	*t = Traffic{}
	minute := func(v [3]float64) (Minute, error) {
		if bad(v[0]) || bad(v[1]) || bad(v[2]) {
			return Minute{}, fmt.Errorf("a minute with %v", v)
		}
		return Minute{v[0], v[1], v[2]}, nil
	}
	for i, h := range in.Hours {
		if h.Hour < 0 || h.First < 0 || h.First > 60 || h.First+len(h.Minutes) > 60 || i > 0 && h.Hour <= in.Hours[i-1].Hour {
			return errors.New("hours out of order or range")
		}
		one := hour{at: h.Hour}
		for j, v := range h.Minutes {
			var err error
			if one.minutes[h.First+j], err = minute(v); err != nil {
				return err
			}
		}
		t.hours = append(t.hours, one)
	}
	var err error
	if in.Dropped != nil {
		t.dropped, err = minute(*in.Dropped)
	}
	if in.Peak != nil && err == nil {
		t.peak, err = minute(*in.Peak)
	}
	return err
}
