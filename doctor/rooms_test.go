package doctor_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/engine"
	"github.com/tablewright/tablewright/internal/norace"
	"github.com/tablewright/tablewright/model"
	"github.com/tablewright/tablewright/plan"
	"github.com/tablewright/tablewright/prove"
	"github.com/tablewright/tablewright/stats"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestRooms is about the chat of testdata, on days that an engine carries out: one caller after the other, which the race detector
// has nothing to say about.
func TestRooms(t *testing.T) {
	if !norace.Here(t) {
		return
	}
	t.Run("AsPromised", testAsPromised)
	t.Run("Changed", testChanged)
	t.Run("OneCause", testOneCause)
	t.Run("Strangers", testStrangers)
	t.Run("TooEarly", testTooEarly)
	t.Run("Statements", testStatements)
	t.Run("Text", testText)
	t.Run("HottestKey", testHottestKey)
	t.Run("ComputedUnits", testComputedUnits)
	t.Run("CallsOfAPattern", testCallsOfAPattern)
	t.Run("Update", testUpdate)
	t.Run("UpdateAsPlanned", testUpdateAsPlanned)
	t.Run("UpdatePeak", testUpdatePeak)
	t.Run("UpdateLeaves", testUpdateLeaves)
	t.Run("UpdateSkew", testUpdateSkew)
	t.Run("UpdateOfOthers", testUpdateOfOthers)
	t.Run("Pages", testPages)
	t.Run("Examine", testExamine)
	t.Run("SARIF", testSARIF)
}

// rooms is the chat of testdata, compiled.
func rooms(t testing.TB) *plan.Program {
	t.Helper()
	text, err := os.ReadFile("testdata/rooms.yaml")
	must(t, err)
	return compiled(t, text)
}

func compiled(t testing.TB, requirements []byte) *plan.Program {
	t.Helper()
	r, _, found := model.ReadRequirements("rooms.yaml", requirements)
	must(t, found.Err())
	m, source, found, err := model.LoadModel("testdata/rooms.model.yaml")
	must(t, err)
	must(t, found.Err())
	p, found := model.CompileModel(m, source, r)
	must(t, found.Err())
	return p
}

// traffic is what a test has the chat do.
type traffic struct {
	hours     int
	perHour   map[string]float64 // calls of each pattern
	busy      map[string]float64 // times as many in the first minute
	text      int                // bytes of a message's text
	reactions int                // of each message, before anything is watched
	hot       bool               // all messages are of one room
	also      func(db *tablewright.DB)
}

// watched runs the patterns of the chat on an engine whose clock the test moves, minute by minute, and is what a collector
// saw of it.
func watched(t testing.TB, p *plan.Program, tr traffic) *stats.Snapshot {
	t.Helper()
	clock := prove.NewSimulated(time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC))
	e, err := engine.Open("", &engine.Options{Clock: clock, SweepEvery: -1})
	must(t, err)
	t.Cleanup(func() { must(t, e.Close()) })
	c := stats.NewCollector(stats.Options{Clock: clock, Detail: 1})
	db := tablewright.New(tablewright.InProcess(e), tablewright.Options{Clock: clock, Hooks: []tablewright.Hook{tablewright.Statistics(c)}})
	for _, s := range p.Tables {
		document := *s.Document
		document.Items = nil
		must(t, tablewright.NewTable(document).CreateIn(t.Context(), db))
	}
	program := tablewright.NewProgram(p)
	rng := rand.New(rand.NewPCG(1, 2))
	var messages []string
	run := func(pattern string, args ...attr.Field) attr.Item {
		r, err := program.Run(t.Context(), db, pattern, attr.ItemOf(args...), tablewright.RunOptions{})
		if err != nil {
			t.Fatalf("%s: %v", pattern, err)
		}
		if len(r.Items) == 0 {
			return attr.Item{}
		}
		return r.Items[0]
	}
	room := func() string {
		if tr.hot {
			return "room000000"
		}
		return fmt.Sprintf("room%06d", rng.IntN(5))
	}
	react := func(message string) {
		reaction := attr.ItemOf(attr.Field{Name: "messageId", Value: attr.Text(message)})
		run("react", attr.Field{Name: "reaction", Value: attr.Map(reaction)})
	}
	calls := map[string]func(){
		"post": func() {
			message := attr.ItemOf(attr.Field{Name: "roomId", Value: attr.Text(room())}, attr.Field{Name: "text", Value: attr.Text(strings.Repeat("x", tr.text))})
			messages = append(messages, run("post", attr.Field{Name: "message", Value: attr.Map(message)}).Get("messageId").Str())
		},
		"react":          func() { react(messages[rng.IntN(len(messages))]) },
		"messagesOfRoom": func() { run("messagesOfRoom", attr.Field{Name: "roomId", Value: attr.Text(room())}) },
		"reactionsOf": func() {
			run("reactionsOf", attr.Field{Name: "messageId", Value: attr.Text(messages[rng.IntN(len(messages))])})
		},
		"message": func() {
			run("message", attr.Field{Name: "messageId", Value: attr.Text(messages[rng.IntN(len(messages))])})
		},
	}
	for range 120 {
		calls["post"]()
	}
	for i := range 120 * tr.reactions {
		react(messages[i%120])
	}
	clock.Advance(time.Minute)
	c.Reset()
	order := []string{"post", "react", "messagesOfRoom", "reactionsOf", "message"}
	for minute := range tr.hours * 60 {
		for _, name := range order {
			per := tr.perHour[name] / 60
			if b := tr.busy[name]; b > 0 && minute == 0 {
				per *= b
			}
			for n := per; n > 0; n-- {
				if n >= 1 || rng.Float64() < n {
					calls[name]()
				}
			}
		}
		clock.Advance(time.Minute)
	}
	if tr.also != nil {
		tr.also(db)
	}
	return c.Snapshot()
}

// promised is traffic as the requirements state it.
func promised() traffic {
	return traffic{hours: 26, text: 140, reactions: 2,
		perHour: map[string]float64{"messagesOfRoom": 9, "reactionsOf": 9, "message": 4.5, "post": 4.5, "react": 9},
		busy:    map[string]float64{"messagesOfRoom": 40, "react": 40}}
}
