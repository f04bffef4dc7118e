package cost_test

import (
	"testing"

	"github.com/tablewright/tablewright/cost"
	"github.com/tablewright/tablewright/spec"
)

// Tickets are written with every message: what stays in its state changes nothing.
const ticketRequirements = `
tablewright: 1
application: desk
entities:
  Ticket:
    identity: [ticketId]
    attributes:
      ticketId: {type: string, generated: ulid}
      owner: {type: string, bytes: 10}
      state:
        states:
          waiting: [waiting, assigned, looked-at, done]
          assigned: [assigned, looked-at, done]
          looked-at: [looked-at, done]
          done: [done]
        share: {waiting: 10%, assigned: 10%, looked-at: 10%}
      heldBy: {type: string, bytes: 10, optional: true, share: 1%}
      heldAt: {type: timestamp, optional: true, share: 1%}
    bytes: 300
    count: 1_000
  Message:
    identity: [ticketId, messageId]
    attributes:
      ticketId: {parent: Ticket, inverse: messages, per-parent: 6}
      messageId: {type: string, generated: ulid}
      becomes: {enum: [waiting, assigned, looked-at, done], share: {waiting: 25%, assigned: 25%, looked-at: 25%}}
      text: string
    bytes: 400
patterns:
  openTicket: {write: {create: Ticket}, rate: {average: 1/s, peak: 1/s}}
  addMessage:
    write:
      - create: Message
      - update: Ticket
        key: {ticketId: $message.ticketId}
        set: {state: $message.becomes}
    rate: {average: 6/s, peak: 6/s}
  hold: {write: {update: Ticket, set: {heldBy: $by, heldAt: now}}, rate: {average: 1/s, peak: 1/s}}
  release: {write: {update: Ticket, remove: [heldBy, heldAt]}, rate: {average: 1/s, peak: 1/s}}
  getMessages: {read: Message, given: [ticketId], rate: {average: 1/s, peak: 1/s}}
`

const ticketModel = `
tablewright: 1
application: desk
tables:
  Tickets:
    attributes: {ticketId: S, part: S, owner: S, state: S, heldBy: S, heldAt: S, waiting: S}
    key: {partition: ticketId, sort: part}
    gsi:
      ByOwner: {partition: owner, project: all}
      ByState: {partition: state, sort: ticketId, project: keys}
      Held: {partition: heldBy, sort: heldAt, project: keys}
      Waiting: {partition: waiting, project: keys}
    items:
      Ticket:
        key: {part: ticket}
        set: {waiting: {value: "{ticketId}", when: "state in (waiting, assigned)"}}
      Message: {key: {part: "m#{messageId}"}}
plans:
  openTicket: {steps: {t: {put: Ticket, if: absent}}}
  addMessage:
    steps:
      tx:
        transact:
          - {put: Message, if: absent}
          - update: Ticket
            key: {ticketId: $message.ticketId}
            set: {state: $message.becomes}
            if: [present, "state in before($message.becomes)"]
  hold: {steps: {t: {update: Ticket, key: [ticketId], set: {heldBy: $by, heldAt: now}, if: present}}}
  release: {steps: {t: {update: Ticket, key: [ticketId], remove: [heldBy, heldAt], if: present}}}
  getMessages: {steps: {m: {query: Tickets, items: [Message], where: [ticketId]}}}
`

func TestLives(t *testing.T) {
	p := compileText(t, ticketRequirements, ticketModel)
	got := cost.Estimate(p, cost.Figures{})
	arm := func(pattern, place string, want float64) {
		t.Helper()
		near(t, pattern+" "+place, got[pattern][place], want, 1e-9)
	}
	// Of six messages three move the ticket on, from waiting to done: half of all.
	arm("addMessage", "Tickets", 2+2)
	arm("addMessage", "Tickets.ByOwner", 0.5)   // in place
	arm("addMessage", "Tickets.ByState", 0.5*2) // moves
	arm("addMessage", "Tickets.Waiting", 0.5/3) // one in three moves leaves; the one before changes nothing that is projected
	arm("addMessage", "Tickets.Held", 0)        // keys do not change
	arm("openTicket", "Tickets.Waiting", 1)     // begins as waiting
	arm("openTicket", "Tickets.Held", 0.01)     // both of its key attributes come together: not 1 % of 1 %
	arm("hold", "Tickets.Held", 1)              // few are held: what is held now was not before
	arm("release", "Tickets.Held", 1)           // only what is held can be released
	arm("release", "Tickets.Waiting", 0)
	near(t, "held", cost.Price(p, nil).Place("Tickets.Held").Items[0].Count, 10, 1e-9)

	// With two messages per ticket each of them moves it.
	messages := p.Requirements.Entity("Message").Parent
	got = cost.Estimate(p, cost.Figures{Children: map[*spec.Relationship]spec.Children{messages: {Stated: true, Average: 2, Max: 2}}})
	arm("addMessage", "Tickets.ByOwner", 1)
}

// TestCopies prices a whole entity that lies under two keys, and a value copied to others and rewritten with its source.
func TestCopies(t *testing.T) {
	p := compileText(t, `
tablewright: 1
application: links
entities:
  User:
    identity: [userId]
    attributes:
      userId: {type: string, bytes: 10}
      name: {type: string, bytes: 20}
    bytes: 200
    count: 100
  Link:
    identity: [fromId, toId]
    attributes:
      fromId: {references: User, as: from, inverse: linksOut, per-parent: 4}
      toId: {references: User, as: to, inverse: linksIn, per-parent: 4}
      fromName: {derived: from.name}
      since: {type: timestamp, generated: now}
    count: 400
patterns:
  addUser: {write: {create: User}, rate: {average: 1/s, peak: 1/s}}
  rename: {write: {update: User, set: [name]}, rate: {average: 1/s, peak: 1/s}}
  link: {write: {create: Link, requires: [from]}, rate: {average: 1/s, peak: 1/s}}
  unlink: {write: {delete: Link}, rate: {average: 1/s, peak: 1/s}}
  linksFrom: {read: Link, given: [fromId], consistency: strong, rate: {average: 1/s, peak: 1/s}}
  linksTo: {read: Link, given: [toId], consistency: strong, returns: [fromId, toId, since], rate: {average: 1/s, peak: 1/s}}
`, `
tablewright: 1
application: links
tables:
  Links:
    attributes: {PK: S, SK: S}
    key: {partition: PK, sort: SK}
    items:
      User: {key: {PK: "u#{userId}", SK: user}, stamp: stamp}
      Link:
        key: {PK: "o#{fromId}", SK: "{toId}"}
        stores: [fromId, toId, since]
        copies: {fromName: {from: from.name, kept: {by: [rename]}}}
      LinkIn:
        holds: {copy-of: Link}
        key: {PK: "i#{toId}", SK: "{fromId}"}
        stores: [fromId, toId, since]
plans:
  addUser: {steps: {u: {put: User, if: absent}}}
  rename:
    steps:
      u: {get: User, key: [userId], consistent: true}
      l: {query: Links, items: [Link], where: {fromId: $userId}, consistent: true, after: [u]}
      tx:
        transact:
          - {update: User, key: [userId], set: [name], if: present, still: $u}
          - {update: Link, each: $l, key: {fromId: $each.fromId, toId: $each.toId}, set: {fromName: $name}, if: present}
  link:
    steps:
      u: {get: User, key: {userId: $link.fromId}, consistent: true}
      tx:
        transact:
          - {put: Link, with: {from.name: $u.name}, if: absent}
          - {put: LinkIn}
          - {update: User, key: {userId: $link.fromId}, if: [present, name = $u.name], stamp: true}
  unlink:
    steps:
      tx:
        transact:
          - {delete: Link, key: [fromId, toId], if: present}
          - {delete: LinkIn, key: [fromId, toId]}
  linksFrom: {steps: {l: {query: Links, items: [Link], where: [fromId], consistent: true}}}
  linksTo: {steps: {l: {query: Links, items: [LinkIn], where: [toId], consistent: true}}}
`)
	r := cost.Price(p, nil)
	units := func(pattern string, read, write float64) {
		t.Helper()
		gotRead, gotWrite := r.Pattern(pattern).Units()
		near(t, pattern+" read", gotRead, read, 1e-9)
		near(t, pattern+" write", gotWrite, write, 1e-9)
	}
	units("rename", 2, 2+4*2) // the user and the links, then the user, and its name in each of four links
	units("link", 1, 2+2+2)   // both items, and the check
	units("unlink", 0, 2+2)
	units("linksTo", 1, 0)
	near(t, "copies stored", r.Place("Links").Items[0].Count+r.Place("Links").Items[1].Count, 400+400, 1e-9)
}
