package prove

import (
	"math"
	"slices"
	"time"

	"github.com/tablewright/tablewright/spec"
)

// timely are the times that patterns compare with now. Values of those that callers state lie on both sides of it, and some
// so near that they pass while the proof runs. stretch is how long ago the oldest of those that are the time of a call
// should be made, so that some lie before what patterns subtract from now.
func timely(r *spec.Requirements) (of map[*spec.Attribute]bool, stretch time.Duration) {
	of = map[*spec.Attribute]bool{}
	look := func(e *spec.Entity, c spec.Condition) {
		for t := range spec.Tests(c) {
			segments, err := e.Resolve(t.Path)
			if err != nil || len(segments) == 0 {
				continue
			}
			a := segments[len(segments)-1].Attribute
			if a == nil || a.Type != spec.Timestamp && a.Type != spec.Date {
				continue
			}
			for _, x := range t.Args {
				now, ago := false, time.Duration(0)
				for term := range x.Terms() {
					now = now || term.Now
					if term.Duration {
						ms, _ := term.Literal.Number().Int64()
						ago += time.Duration(ms) * time.Millisecond
					}
				}
				if !now {
					continue
				}
				if follows(of, a); a.Generated != "" {
					stretch = max(stretch, 2*ago.Abs())
				}
			}
		}
	}
	for _, p := range r.Patterns {
		if p.Read != nil {
			look(p.Read, p.Where)
		}
		for _, a := range p.Actions {
			look(a.Entity, a.Condition)
		}
	}
	for _, e := range r.Entities {
		if e.Expires != nil {
			return of, 0 // all would have expired meanwhile
		}
	}
	return of, stretch
}

// follows marks a time, and the same time of the entities to which it refers: a booking that points to a slot has the
// time of the slot.
func follows(of map[*spec.Attribute]bool, a *spec.Attribute) {
	if of[a] {
		return
	}
	if of[a] = true; a.Entity == nil {
		return
	}
	for _, r := range a.Entity.There {
		if i := slices.Index(r.By, a); i >= 0 {
			follows(of, r.To.Identity[i])
		}
	}
}

// sides is a time on either side of now: as a rule up to a month away, and now and then any nearer distance.
func (s *source) sides(now time.Time) time.Time {
	const month = 30 * 24 * time.Hour
	away := time.Duration(s.rnd.Int64N(int64(month)))
	if s.chance(0.15) { // a second, a minute, an hour: each as likely
		away = time.Duration(math.Exp(s.rnd.Float64() * math.Log(float64(month))))
		away = max(away, time.Second)
	}
	if s.evenChance(0.5, s, "sides") {
		away = -away
	}
	return now.Add(away).Truncate(time.Millisecond).UTC()
}
