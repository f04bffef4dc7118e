// Package tablewright is a client for DynamoDB, and for what speaks its protocol, made of declared types: tables, the
// kinds of items in them and their keys are declared once, in Go values; calls are typed, checked before anything is sent,
// and shown unsent on request.
//
//	type Book struct {
//		ISBN  string `ddb:"isbn"`
//		Title string `ddb:"title"`
//	}
//
//	var Books = tablewright.Declare[tablewright.Entity[string, Book]](
//		tablewright.NewTable(plan.Table{Name: "Books", Key: plan.Key{Partition: "isbn"}}), plan.Item{Name: "Book"})
//
//	db, err := tablewright.Connect(ctx, tablewright.Options{}) // AWS's own configuration chain
//	err = Books.Put(Book{ISBN: "978-0", Title: "Dawn"}).Run(ctx, db)
//	book, err := Books.Get("978-0").Run(ctx, db) // errors.Is(err, tablewright.ErrNotFound)
//
// # Declarations
//
// A Table holds one or several kinds of items. Declare says how a Go type lies in it: key templates such as
// "o#{orderId}" build the key and index attributes of every write, and reads hide them. The struct that Declare fills
// embeds an [Entity], which reads and writes, and has a field for every attribute and index that is to be addressed:
// descriptors ([Text], [Number], [Time], [Set], [List], [Map], [Attr]) give conditions and changes, indexes ([Index0] to
// [Index4]) give queries of which only legal forms can be written. [ViewOf] declares a smaller reading.
//
// A partition that would be too hot is spread over shards: with Shard{Of: 8, By: "voterId"} and {shard} in a template of the
// table's key or an index's, writes compute the shard from the attribute, reads by key find it again, and queries read all
// shards at once, merged in the order of the index, with pages, cursors and counts as of one partition; a query that binds
// the attribute reads one. By "random" spreads what is only appended, and counters ([NewShardCounter]). A partition
// per hour, day or month ("{at:day}") is read across its buckets by Index.Across. What there is one of has a key without parts,
// and struct{} for its type.
//
// Declarations are package-level variables, made without a service and safe for all goroutines. A wrong one panics at
// start with its file and line.
//
// # Calls
//
// A call is a value: Orders.Get(id), Orders.Update(id, changes…).If(conditions…), Orders.ByCustomer.Of(c).Is(Paid).
// Methods that configure it return a changed copy; those that take ctx and db run it, and are named by what comes back:
// Run, New, Old, All, Slice, First, One, Count, Page. The same values stand in transactions ([Transact], [Snapshot])
// and batches ([BatchOf], PutAll).
//
// [NewPattern] gives such a call a name and typed parameters: statistics, traces and errors carry the name, and
// [Table.Patterns] lists what there is, for tools that know no types. [Partial] changes what the body of an HTTP PATCH
// says, where absent, null and a value differ.
//
// # Schemas
//
// What items of a kind must be follows from the fields of its Go type and their tags `check`, in which are enumerations,
// lengths, ranges, patterns, defaults and computed attributes (package schema):
//
//	Status Status `ddb:"status" check:"enum=placed|paid|shipped"`
//
// Every write is held to that before it is sent, alone, in a batch or in a transaction; the error is [ErrInvalid] and a
// *schema.Error with all problems and their paths. Reads are checked where [DB.CheckReads] asks for it: strictly, or with
// a report. Orders.Schema() is the schema as a value: to parse the body of a request, to cut it down for changes, to write
// it as JSON Schema.
//
// # Errors
//
// errors.Is tells the kind: [ErrNotFound], [ErrExists], [ErrStale], [ErrConditionFailed], [ErrThrottled], …; Else gives a
// condition the error of the caller's. errors.As finds *[Error] (where, when, how many tries), *[TxError] (why each action
// failed), *[BatchError] (what is not done), and *wire.Error (the service's own). Orders.Refused(err) is the item that made
// a condition fail.
//
// A call repeats what may be repeated within one budget ([Retry]). After a lost answer a write is repeated only where
// that does no harm, else it is [ErrUnknownOutcome]. Where it is the network that failed the error is [ErrNetwork], too.
//
// # The way to the service
//
// [Connect] signs HTTP requests with AWS's credentials; [New] takes any [Transport], such as [InProcess] of an engine for
// tests. A [Hook] sees every request with its table, index, units and outcome, without parsing bytes. [DB.Measure] adds up
// what calls consumed.
//
// # Programs
//
// A [Program] runs the access patterns of a compiled data model (package plan) as they are, with logical values: what
// proof and tools use.
package tablewright
