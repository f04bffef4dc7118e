package cost_test

import (
	"testing"

	"github.com/tablewright/tablewright/cost"
)

// Messages of a room are found in an index of keys, read one by one, and for each message there is a query of its own.
const roomRequirements = `
tablewright: 1
application: rooms
entities:
  Message:
    identity: [messageId]
    attributes:
      messageId: {type: string, generated: ulid}
      roomId: {type: string, bytes: 10}
    bytes: 300
    count: 100_000
  Reaction:
    identity: [messageId, reactionId]
    attributes:
      messageId: {parent: Message, inverse: reactions, per-parent: 2}
      reactionId: {type: string, generated: ulid}
    bytes: 100
patterns:
  getMessages: {read: Message, with: [reactions], given: [roomId], page: 50, results: 1_000, rate: {average: 1/s, peak: 1/s}}
  post: {write: {create: Message}, rate: {average: 1/s, peak: 1/s}}
  react: {write: {create: Reaction}, rate: {average: 1/s, peak: 1/s}}
`

const roomModel = `
tablewright: 1
application: rooms
tables:
  Messages:
    attributes: {messageId: S, part: S, roomId: S}
    key: {partition: messageId, sort: part}
    gsi:
      ByRoom: {partition: roomId, sort: messageId, project: keys}
    items:
      Message: {key: {part: message}}
      Reaction: {key: {part: "r#{reactionId}"}}
plans:
  getMessages:
    steps:
      keys: {query: Messages.ByRoom, items: [Message], where: [roomId], evaluate: 50}
      message: {batch-get: Message, each: $keys, key: [messageId]}
      reactions: {query: Messages, items: [Reaction], each: $message, where: {messageId: $each.messageId}}
    answer: {from: [message, reactions], page: 50, cursor: keys}
  post: {steps: {a: {put: Message, if: absent}}}
  react: {steps: {a: {put: Reaction, if: absent}}}
`

// TestEachOfWhatWasRead counts a query that is made for each of what a get for each of a query's keys has read: fifty
// times, as the get, at half a unit each.
func TestEachOfWhatWasRead(t *testing.T) {
	c := cost.Price(compileText(t, roomRequirements, roomModel), nil).Pattern("getMessages")
	near(t, "keys", c.Read["Messages.ByRoom"], 0.5, 1e-9) // 50 keys of less than 81 bytes
	near(t, "messages and their reactions", c.Read["Messages"], 50*0.5+50*0.5, 1e-9)
}
