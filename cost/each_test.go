package cost_test

import (
	"math"
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

// A shelf shows its books with their publishers. Some books have none, and some have the same.
const booksRequirements = `
tablewright: 1
application: shelves
entities:
  Publisher:
    identity: [publisherId]
    attributes:
      publisherId: {type: string, bytes: 6}
      name: {type: string, bytes: 20}
    bytes: 60
    count: 50
  Book:
    identity: [shelfId, bookId]
    attributes:
      shelfId: {type: string, bytes: 6, distinct: 1_000}
      bookId: {type: string, generated: ulid}
      publisherId: {references: Publisher, inverse: books, per-parent: 480, optional: true, share: 60%}
    bytes: 100
    count: 40_000
patterns:
  getShelf: {read: Book, given: [shelfId], results: 40, returns: [all, publisher.name], rate: {average: 1/s, peak: 1/s}}
  add: {write: {create: Book}, rate: {average: 1/s, peak: 1/s}}
  addPublisher: {write: {create: Publisher}, rate: {average: 1/month, peak: 1/s}}
`

const booksModel = `
tablewright: 1
application: shelves
tables:
  Publishers:
    attributes: {publisherId: S}
    key: {partition: publisherId}
    items:
      Publisher: {}
  Books:
    attributes: {shelfId: S, bookId: S}
    key: {partition: shelfId, sort: bookId}
    items:
      Book: {}
plans:
  getShelf:
    steps:
      book: {query: Books, items: [Book], where: [shelfId]}
      publisher: {batch-get: Publisher, each: $book, key: [publisherId]}
    answer: {from: [book, publisher]}
  add: {steps: {a: {put: Book, if: absent}}}
  addPublisher: {steps: {a: {put: Publisher, if: absent}}}
`

// TestEachParentOnce: a batch asks for the publisher of 24 of the 40 books, and once for each: that is 19 of 50
// publishers.
func TestEachParentOnce(t *testing.T) {
	c := cost.Price(compileText(t, booksRequirements, booksModel), nil).Pattern("getShelf")
	near(t, "publishers", c.Read["Publishers"], 50*(1-math.Pow(1-24.0/24_000, 480))*0.5, 1e-3)
}
