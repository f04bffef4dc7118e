package rules

import (
	_ "embed"
	"encoding/json"
	"fmt"
	html "html/template"
	"math"
	"net/http"
	"strings"
	"time"

	"github.com/tablewright/tablewright/internal/show"
	"github.com/tablewright/tablewright/stats"
)

//go:embed handler.html
var handlerPage string

var handlerTemplate = html.Must(html.New("page").Funcs(html.FuncMap{
	"number": show.Number, "percent": show.Percent, "size": show.Bytes, "units": show.Units,
	"lower": strings.ToLower, "took": lasting, "ease": easeText,
}).Parse(handlerPage))

// Handler is a page for people and JSON for programs: findings, what each operation takes, and the keys with the most load. It is
// mounted where a program keeps such pages:
//
//	http.Handle("/debug/tablewright/", adviser.Handler())
//
// What it shows is meant for who runs the program: it has keys of items, unless the collector hashes them, and names of tables and
// patterns, and it checks nobody's rights. It changes nothing. Beside the page there are, by the query of the address,
//
//	?show=findings    as JSON: the same as All
//	?show=statistics  as JSON: a Snapshot, to be read with stats.ReadSnapshot
//	?show=keys        as JSON: the keys with the most load, that were throttled, and that writers contend for
//	?rule=ID          what a rule is about: its page
//
// Answers are a minute old at most.
func (a *Adviser) Handler() http.Handler { return http.HandlerFunc(a.serve) }

func (a *Adviser) serve(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "only GET and HEAD", http.StatusMethodNotAllowed)
		return
	}
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
	query := r.URL.Query()
	if id := query.Get("rule"); id != "" {
		text := Page(id)
		if text == "" {
			http.Error(w, "there is no such rule", http.StatusNotFound)
			return
		}
		h.Set("Content-Type", "text/plain; charset=utf-8")
		_, _ = w.Write([]byte(text))
		return
	}
	found := a.All()
	s := a.snapshot()
	switch show := query.Get("show"); show {
	case "":
		h.Set("Content-Type", "text/html; charset=utf-8")
		var page strings.Builder // so that a failure is not half a page
		if err := handlerTemplate.Execute(&page, pageOf(found, s)); err != nil {
			a.logger().Error("the page of statistics cannot be made", "error", err)
			http.Error(w, "the page cannot be made", http.StatusInternalServerError)
			return
		}
		_, _ = w.Write([]byte(page.String()))
	case "findings":
		if found == nil {
			found = []Finding{}
		}
		writeJSON(w, struct {
			Format   int       `json:"tablewrightFindings"`
			From     time.Time `json:"from"`
			To       time.Time `json:"to"`
			Findings []Finding `json:"findings"`
		}{FindingsFormat, s.From, s.To, found})
	case "statistics":
		writeJSON(w, s)
	case "keys":
		writeJSON(w, map[string]any{"hashed": s.Hashed, "partitions": s.Partitions, "items": s.Items, "throttled": s.Throttled, "contended": s.Contended})
	default:
		http.Error(w, "show is findings, statistics or keys", http.StatusBadRequest)
	}
}

// FindingsFormat is the number of the form in which findings are written as JSON documents.
const FindingsFormat = 1

func writeJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v) // who asked may have gone
}

// snapshot is what the findings are of.
func (a *Adviser) snapshot() *stats.Snapshot {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.of
}

// handlerData is what the page shows.
type handlerData struct {
	From, To    time.Time
	Span        string
	Hashed      bool
	Findings    []Finding
	Operations  []operationRow
	Consumed    []consumedRow
	Keys        []keyList
	Read, Write float64 // units per second, of all
}

type operationRow struct {
	Where                   string // operation, table and index
	Pattern                 string
	Calls, Read, Write      float64 // per second
	P50, P99, P999          string
	Items, Scanned          float64
	Refused, Throttled, Bad float64 // share of calls
}

type consumedRow struct {
	Place                            string
	Read, Write, PeakRead, PeakWrite float64
	Partitions                       float64
}

type keyList struct {
	Title, Unit string
	Rows        []keyRow
	More        int
}

type keyRow struct {
	Place, Key   string
	Value, Share float64
}

// keysShown is how many keys of each list the page has.
const keysShown = 25

func pageOf(found []Finding, s *stats.Snapshot) handlerData {
	d := handlerData{From: s.From, To: s.To, Span: lasting(s.Span()), Hashed: s.Hashed, Findings: found}
	for _, o := range s.Operations {
		took := func(q float64) string { return lasting(time.Duration(o.Took.Quantile(q))) }
		calls := max(o.Calls, 1)
		row := operationRow{Where: o.Operation, Pattern: o.Pattern, Calls: s.PerSecond(o.Calls), Read: s.PerSecond(o.Read), Write: s.PerSecond(o.Write),
			P50: took(0.5), P99: took(0.99), P999: took(0.999), Items: o.Items, Scanned: o.Scanned,
			Refused: o.Outcomes[stats.Refused] / calls, Throttled: o.Outcomes[stats.Throttled] / calls,
			Bad: (o.Outcomes[stats.Invalid] + o.Outcomes[stats.Failed] + o.Outcomes[stats.Lost] + o.Outcomes[stats.Ended] + o.Outcomes[stats.Conflict]) / calls}
		if o.Table != "" {
			row.Where += " " + place(o.Table, o.Index)
		}
		d.Operations = append(d.Operations, row)
	}
	for _, c := range s.Consumed {
		peak := c.Traffic.Peak()
		// A first minute that was not seen whole is not quieter than the average.
		d.Consumed = append(d.Consumed, consumedRow{place(c.Table, c.Index), s.PerSecond(c.Read), s.PerSecond(c.Write),
			max(peak.Read, s.PerSecond(c.Read)), max(peak.Write, s.PerSecond(c.Write)), math.Round(c.Partitions.Count())})
		d.Read += s.PerSecond(c.Read)
		d.Write += s.PerSecond(c.Write)
	}
	for _, l := range []struct {
		title, unit string
		keys        *stats.Keys
		scale       float64
	}{
		{"Partition keys with the most load", "of one partition's throughput", s.Partitions, s.PerSecond(100)},
		{"Items with the most load", "of one partition's throughput", s.Items, s.PerSecond(100)},
		{"Throttled partition keys", "calls", s.Throttled, 1},
		{"Contended items", "calls", s.Contended, 1},
	} {
		list := keyList{Title: l.title, Unit: l.unit, More: max(len(l.keys.List)-keysShown, 0)}
		for i := range l.keys.List[:min(len(l.keys.List), keysShown)] {
			k := &l.keys.List[i]
			row := keyRow{Place: place(k.Table, k.Index), Key: k.Key, Value: k.Load * l.scale, Share: k.Load / max(l.keys.Total, 1e-300)}
			if row.Key == "" {
				row.Key = fmt.Sprintf("(hash %016x)", k.Hash)
			}
			list.Rows = append(list.Rows, row)
		}
		if len(list.Rows) > 0 {
			d.Keys = append(d.Keys, list)
		}
	}
	return d
}
