package tracebench

import (
	"fmt"
	"math"
	"slices"

	"github.com/tablewright/tablewright/capacity"
	"github.com/tablewright/tablewright/plan"
)

// scaling changes what is provisioned for tables as Application Auto Scaling does at a target of 70 %: the alarms that it makes look
// at the sum of a minute's units, the upper one at two minutes, the lower one, at 50 %, at fifteen, and know nothing of
// minutes without units (https://repost.aws/knowledge-center/dynamodb-auto-scaling). It asks the engine with UpdateTable,
// which refuses a decrease too many.
type scaling struct {
	w     *World
	sites []*scaled
	order []string // tables
}

// scaled is a table or index that is followed.
type scaled struct {
	at     Place
	least  Units
	have   Units
	before Units // consumed until the last minute began
	high   [2]int
	low    [2][]float64
	paid   Units // provisioned unit-minutes, an hour by its dearest minute
	hour   Units
	hours  float64
}

const (
	upper = 0.7
	lower = 0.5
)

func (w *World) scale() {
	s := &scaling{w: w}
	for _, p := range w.trace.Tables {
		if p.Billing == (plan.Billing{}) {
			continue
		}
		s.order = append(s.order, p.Name)
		places := []Place{{p.Name, ""}}
		for name := range p.GSI {
			places = append(places, Place{p.Name, name})
		}
		slices.SortFunc(places, func(a, b Place) int { return len(a.Index) - len(b.Index) })
		for _, at := range places {
			u := Units{p.Billing.Read, p.Billing.Write}
			s.sites = append(s.sites, &scaled{at: at, least: u, have: u})
		}
	}
	w.scaling = s
}

// minute looks at the minute that is over.
func (s *scaling) minute(number int64) {
	for _, table := range s.order {
		changed := false
		var sites []*scaled
		want := map[*scaled]Units{}
		for _, site := range s.sites {
			if site.at.Table != table {
				continue
			}
			sites = append(sites, site)
			site.hour = Units{max(site.hour.Read, site.have.Read), max(site.hour.Write, site.have.Write)}
			if (number+1)%60 == 0 {
				site.pay()
			}
			now := s.w.account.units[site.at]
			u := Units{now.Read - site.before.Read, now.Write - site.before.Write}
			site.before = now
			next := Units{site.look(0, u.Read, site.have.Read, site.least.Read), site.look(1, u.Write, site.have.Write, site.least.Write)}
			want[site] = next
			changed = changed || next != site.have
		}
		if changed && s.update(table, sites, want) {
			for _, site := range sites {
				for i, differs := range [2]bool{want[site].Read != site.have.Read, want[site].Write != site.have.Write} {
					if differs {
						site.high[i], site.low[i] = 0, nil
					}
				}
				site.have = want[site]
			}
		}
	}
}

func (s *scaled) pay() {
	s.paid = Units{s.paid.Read + s.hour.Read, s.paid.Write + s.hour.Write}
	s.hours, s.hour = s.hours+1, Units{}
}

// look is what an alarm asks for.
func (s *scaled) look(i int, sum, have, least float64) float64 {
	if s.high[i]++; sum <= 60*upper*have {
		s.high[i] = 0
	}
	if sum > 0 {
		s.low[i] = append(s.low[i], sum)
		s.low[i] = s.low[i][max(len(s.low[i])-15, 0):]
	}
	switch {
	case s.high[i] >= 2:
		return max(math.Ceil(sum/60/upper), least)
	case len(s.low[i]) == 15 && slices.Max(s.low[i]) < 60*lower*have:
		return min(max(math.Ceil(slices.Max(s.low[i])/60/upper), least), have)
	}
	return have
}

// update asks the engine; false: not now.
func (s *scaling) update(table string, sites []*scaled, want map[*scaled]Units) bool {
	body, indexes := fmt.Sprintf(`{"TableName":%q`, table), ""
	for _, site := range sites {
		if want[site] == site.have {
			continue
		}
		units := fmt.Sprintf(`"ProvisionedThroughput":{"ReadCapacityUnits":%.0f,"WriteCapacityUnits":%.0f}`, max(want[site].Read, 1), max(want[site].Write, 1))
		if site.at.Index == "" {
			body += "," + units
			continue
		}
		if indexes != "" {
			indexes += ","
		}
		indexes += fmt.Sprintf(`{"Update":{"IndexName":%q,%s}}`, site.at.Index, units)
	}
	if indexes != "" {
		body += `,"GlobalSecondaryIndexUpdates":[` + indexes + "]"
	}
	_, err := s.w.Engine.Do(s.w.t.Context(), "UpdateTable", []byte(body+"}"))
	return err == nil
}

// provisioned is what was provisioned of a table or index, on average.
func (s *scaling) provisioned(at Place) (read capacity.ReadUnits, write capacity.WriteUnits) {
	for _, site := range s.sites {
		if site.at == at {
			if site.hours == 0 {
				site.pay()
			}
			return capacity.ReadUnits(max(site.paid.Read/site.hours, 1)), capacity.WriteUnits(max(site.paid.Write/site.hours, 1))
		}
	}
	return 0, 0
}
