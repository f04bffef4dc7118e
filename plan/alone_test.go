package plan_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/plan"
)

// TestAlone: a transaction of an item, be it a check, and of a child inside it is one update, which is sent as such.
// With a token of the caller, or with another item, it stays a transaction.
func TestAlone(t *testing.T) {
	r := requirements(t, "games.yaml", []byte(`
tablewright: 1
application: games
entities:
  Game:
    identity: [gameId]
    attributes: {gameId: {type: string, bytes: 8}, board: {type: string, bytes: 64}}
    bytes: 100
    count: 1_000
  Move:
    identity: [gameId, ply]
    attributes:
      gameId: {parent: Game, inverse: moves, per-parent: 40}
      ply: {type: number, digits: 2, min: 1}
    bytes: 40
    count: 40_000
patterns:
  start: {write: {create: Game}, rate: {average: 1/s, peak: 20/s}}
  move: {write: [{create: Move}, {update: Game, key: {gameId: $move.gameId}, set: {board: $board}}], rate: {average: 40/s, peak: 40/s}}
  moveOnce: {write: [{create: Move}, {update: Game, key: {gameId: $move.gameId}, set: {board: $board}}], idempotency: token, rate: {average: 40/s, peak: 40/s}}
  moveIf: {write: [{create: Move}, {update: Game, key: {gameId: $move.gameId}, condition: board = $board, refusal: changed}], rate: {average: 1/s, peak: 1/s}}
  moveBeside: {write: [{create: Move}, {update: Game, key: {gameId: $move.gameId}, set: {board: $board}}, {update: Game, key: {gameId: $other}, set: {board: $board}}], rate: {average: 1/s, peak: 1/s}}
`))
	const both = `{update: Game, key: {gameId: $move.gameId}, set: [board], if: present}, {put: Game.moves, value: $move, if: absent}`
	m, _ := document(t, "games.model.yaml", []byte(`
tablewright: 1
application: games
tables:
  Games: {attributes: {gameId: S}, key: {partition: gameId}, items: {Game: {embed: {moves: {as: map, by: ply}}}}}
plans:
  start: {steps: {a: {put: Game, if: absent}}}
  move: {steps: {a: {transact: [`+both+`]}}}
  moveOnce: {steps: {a: {token: $token, transact: [`+both+`]}}}
  moveIf: {steps: {a: {transact: [{check: Game, key: {gameId: $move.gameId}, if: [present, board = $board], else: changed}, {put: Game.moves, value: $move, if: absent}]}}}
  moveBeside: {steps: {a: {transact: [`+both+`, {update: Game, key: {gameId: $other}, set: [board], if: present}]}}}
`))
	p, problems := plan.Compile(m, r)
	for _, x := range problems {
		t.Fatal(x)
	}
	move := attr.ItemOf(attr.Field{Name: "gameId", Value: attr.Text("g1")}, attr.Field{Name: "ply", Value: attr.Num(attr.Int(1))})
	said := func(name, text string) attr.Field { return attr.Field{Name: name, Value: attr.Text(text)} }
	common := []attr.Field{{Name: "move", Value: attr.Map(move)}, said("board", "e4")}
	for _, x := range []struct {
		pattern string
		said    []attr.Field
		want    plan.Verb
		items   int
	}{{"move", nil, plan.Update, 0}, {"moveIf", nil, plan.Update, 0}, {"moveOnce", []attr.Field{said("token", "t1")}, plan.Transact, 1}, {"moveBeside", []attr.Field{said("other", "g2")}, plan.Transact, 2}} {
		proc := p.Procedure(x.pattern)
		if got := proc.Stages[0].Transacted(); got != (x.want == plan.Transact) {
			t.Errorf("%s is sent as a transaction: %t", x.pattern, got)
		}
		call, err := proc.Begin(attr.ItemOf(append(slices.Clone(common), x.said...)...), nil, newFake(p))
		if err != nil {
			t.Fatal(x.pattern, err)
		}
		requests, err := call.Next()
		if err != nil || len(requests) != 1 || requests[0].Verb != x.want || len(requests[0].Actions) != x.items {
			t.Errorf("%s: %+v, %v", x.pattern, requests, err)
		}
	}

	f := newFake(p)
	run := func(pattern, board string, want string) {
		t.Helper()
		_, err := f.run(pattern, attr.ItemOf(attr.Field{Name: "move", Value: attr.Map(move)}, said("board", board)), nil)
		var refusal *plan.Refusal
		if errors.As(err, &refusal); (err == nil) != (want == "") || want != "" && (refusal == nil || refusal.Code != want) {
			t.Errorf("%s on %s: %v, not %q", pattern, board, err, want)
		}
	}
	run("moveIf", "e4", plan.RefusedMissing)
	game := attr.ItemOf(attr.Field{Name: "gameId", Value: attr.Text("g1")}, said("board", "e4"))
	if _, err := f.run("start", attr.ItemOf(attr.Field{Name: "game", Value: attr.Map(game)}), nil); err != nil {
		t.Fatal(err)
	}
	run("moveIf", "d4", "changed")
	run("moveIf", "e4", "")
	run("moveIf", "e4", plan.RefusedExists)
}
