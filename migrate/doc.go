// Package migrate brings what is stored in a table to what its declaration says today, while programs go on using it: from
// an index whose key is concatenated text to one of several attributes, from an attribute's name to another, from one
// template to the next.
//
// # From a concatenated key to several attributes
//
// An index key such as GSI1PK = "t#acme#r#eu" and GSI1SK = "paid#2026-11-21T12:00:00.000Z" becomes an index of the
// attributes themselves, with tenantId and region for its partition and status and placedAt to sort by
// (docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.DesignPattern.MultiAttributeKeys.html). Five steps,
// each of which can be broken off and begun again:
//
//  1. Declare both: the old index with its templates in Set, the new one on the attributes; and roll that out. Every write
//     keeps both keys in step from then on, updates included.
//  2. Table.AddIndex makes the new index in the table and waits until the service has filled it.
//  3. [Backfill] rewrites the items that programs before wrote: attributes that only the old key tells are read from it and
//     stored under their own names, which puts the items into the new index. It keeps to a rate in units, tells its progress,
//     and goes on where it was broken off. An item that somebody else changes meanwhile is read again, never overwritten.
//  4. [Verify] reads the table and both indexes: every item is as it would be written today and lies in both or in neither.
//     Then queries move to the new index: an Index of the declared struct with other parts, which the compiler follows up.
//  5. Take the old index and its templates out of the declaration, roll that out, Table.DropIndex, and Backfill with
//     Remove, which takes the old key attributes out of the items.
//
// An attribute that is renamed on the wire (the tag was=NAME of package attr) needs only step 3.
package migrate
