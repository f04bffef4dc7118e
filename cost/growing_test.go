package cost_test

import (
	"fmt"
	"testing"

	"github.com/tablewright/tablewright/cost"
)

// TestGrowing: a game gets its moves one by one, so that a move finds half of them. A customer, of whom there have been more orders than
// are stored for each, has as many as are stored.
func TestGrowing(t *testing.T) {
	for _, x := range []struct {
		name    string
		games   string // a second
		with    string
		present float64 // moves, of 40, that a write finds
	}{
		{"each new game gets all of its moves", "1", "", 20},
		{"as many as twice what is stored come for each new game", "0.5", "", 40},
		{"one and a half times", "0.6666666666666666", "", 30},
		{"fewer than half: nothing says less than half", "10", "", 20},
		{"some moves come with the game", "1", ", with: [moves]", 40},
	} {
		t.Run(x.name, func(t *testing.T) {
			r := cost.Price(compileText(t, fmt.Sprintf(`
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
      text: {type: string, bytes: 990}
    bytes: 1_010
    count: 40_000
patterns:
  start: {write: {create: Game%s}, rate: {average: %s/s, peak: 20/s}}
  move: {write: [{create: Move}, {update: Game, key: {gameId: $move.gameId}, set: {board: $board}}], rate: {average: 40/s, peak: 40/s}}
  getGame: {read: Game, given: [gameId], with: [moves], rate: {average: 1/s, peak: 1/s}}
`, x.with, x.games), `
tablewright: 1
application: games
tables:
  Games: {attributes: {gameId: S}, key: {partition: gameId}, items: {Game: {embed: {moves: {as: map, by: ply}}}}}
plans:
  start: {steps: {a: {put: Game, if: absent}}}
  move: {steps: {a: {transact: [{update: Game, key: {gameId: $move.gameId}, set: [board], if: present}, {put: Game.moves, value: $move, if: absent}]}}}
  getGame: {steps: {a: {get: Game, key: [gameId]}}}
`), nil)
			// One update, without a transaction: 1 KB for each move that is there, and less than one for the rest.
			near(t, "units of a move", r.Pattern("move").Write["Games"], x.present+0.7, 0.05)
			near(t, "units of a game", r.Pattern("getGame").Read["Games"], 5, 0.05)
		})
	}
}
