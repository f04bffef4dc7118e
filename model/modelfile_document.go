package model

// The model file as it is written. Texts in the language of package spec, and templates, are kept as they are: package
// plan reads them, because what they mean depends on what they are about.

type modelDoc struct {
	Tablewright int             `doc:"tablewright,required" about:"the version of this format: 1" example:"1"`
	Application string          `doc:"application,required" about:"the application whose requirements the model serves" example:"online-shop"`
	Tables      mapOf[tableDoc] `doc:"tables,required" about:"DynamoDB tables, by name"`
	Plans       mapOf[planDoc]  `doc:"plans,required" about:"one plan for each access pattern, by its name"`
	Decisions   []decisionDoc   `doc:"decisions" about:"why the model is as it is"`
}

type tableDoc struct {
	Attributes mapOf[string]        `doc:"attributes" about:"wire attributes that keys, indexes and ttl name: S, N or B" words:"S N B" example:"{PK: S, expiresAt: N}"`
	Key        tableKeyDoc          `doc:"key,required" about:"the table's own key" example:"{partition: PK, sort: SK}"`
	GSI        mapOf[indexDoc]      `doc:"gsi" about:"global secondary indexes: 1 to 4 partition and 0 to 4 sort attributes" example:"{GSI1: {partition: [GSI1-PK], sort: [GSI1-SK]}}"`
	LSI        mapOf[localIndexDoc] `doc:"lsi" about:"local secondary indexes: the table's partition key and another sort key" example:"{ByDate: {sort: date, project: keys}}"`
	TTL        string               `doc:"ttl" about:"the N attribute after whose time (seconds since 1970) DynamoDB deletes an item" example:"expiresAt"`
	Stream     string               `doc:"stream" about:"what the table's stream shows of each change; no stream unless given" words:"new-and-old new old keys" example:"new-and-old"`
	Class      string               `doc:"class" about:"the table class" words:"standard infrequent-access" example:"infrequent-access"`
	Billing    *billingDoc          `doc:"billing" about:"on-demand unless given; else the provisioned units per second" example:"{read: 100, write: 50}"`
	Warm       *warmDoc             `doc:"warm" about:"of a table on demand: units per second that it takes from the start, if more than a new one's 12,000 and 4,000" example:"{read: 30_000, write: 10_000}"`
	Items      mapOf[itemDoc]       `doc:"items,required" about:"what lies in the table; names are unique in the model"`
}

type tableKeyDoc struct {
	Partition string `doc:"partition,required" about:"the partition key's attribute" example:"PK"`
	Sort      string `doc:"sort" about:"the sort key's attribute" example:"SK"`
}

type indexDoc struct {
	Partition several[string] `doc:"partition,required" about:"1 to 4 attributes" example:"[tenantId, region]"`
	Sort      several[string] `doc:"sort" about:"up to 4 attributes" example:"[status, placedAt]"`
	Project   *projectDoc     `doc:"project" about:"what entries hold: all, keys or {include: [names]}; all unless given" example:"all"`
	Warm      *warmDoc        `doc:"warm" about:"of a table on demand: units per second that the index takes from the start, as the table's" example:"{read: 12_000, write: 10_000}"`
}

type localIndexDoc struct {
	Sort    several[string] `doc:"sort,required" about:"the sort key's attribute" example:"placedAt"`
	Project *projectDoc     `doc:"project" about:"what entries hold: all, keys or {include: [names]}; all unless given" example:"keys"`
}

type projectDoc struct {
	How     string   `doc:"how,obvious" about:"everything, or the keys alone" words:"all keys"`
	Include []string `doc:"include" about:"stored attributes besides the keys" example:"[status, amount]"`
}

type billingDoc struct {
	Mode  string      `doc:"mode,obvious" about:"pay per request" words:"on-demand"`
	Read  *numberText `doc:"read" about:"read units per second" example:"100"`
	Write *numberText `doc:"write" about:"write units per second" example:"50"`
}

type warmDoc struct {
	Read  numberText `doc:"read,required" about:"read units per second" example:"30_000"`
	Write numberText `doc:"write,required" about:"write units per second" example:"10_000"`
}

type itemDoc struct {
	Holds   *holdsDoc          `doc:"holds" about:"the entity; or {unique: Customer.email}, {sequence: Issue.number}, {aggregate: Post.likeCount}, {copy-of: item}; the entity of the item's name unless given" example:"Customer"`
	Key     mapOf[string]      `doc:"key" about:"how the attributes of the table's key are built: wire attribute and template; a stored attribute of that name needs none" example:"{PK: \"o#{orderId}\", SK: \"p#{productId}\"}"`
	Set     mapOf[templateDoc] `doc:"set" about:"further wire attributes: a template, a constant, or {value: template, when: condition}" example:"{openDay: {value: \"{placedAt:day}\", when: \"status in (placed, paid)\"}}"`
	Stores  *[]string          `doc:"stores" about:"attributes stored under their own names; all of the entity unless given. What is left out must be readable from a template, or several items hold the same entity, each of which stores a part of it: parts are written together in transactions" example:"[orderId, status]"`
	Copies  mapOf[copyDoc]     `doc:"copies" about:"stored duplicates of other entities' attributes: name and path" example:"{name: {from: product.name, kept: snapshot}}"`
	Embed   mapOf[embedDoc]    `doc:"embed" about:"children inside the item: way back and how" example:"{items: {as: map, by: productId}}"`
	Pack    string             `doc:"pack" about:"a timestamp of the identity of which the key has a bucket: what falls into one bucket lies in one item, whatever of the identity the key lacks" example:"measuredAt"`
	Shard   *shardDoc          `doc:"shard" about:"gives the part {shard}" example:"{of: 8, by: random}"`
	Stamp   string             `doc:"stamp" about:"a wire attribute with a text that each put makes anew, and each update with stamp: true; still tests it" example:"stamp"`
	Kept    *keptDoc           `doc:"kept" about:"how an item that is no entity is kept true" example:"{by: stream, within: 5s}"`
	Promise *itemPromiseDoc    `doc:"promise" about:"what is stored" example:"{count: 40, bytes: 329}"`
}

type holdsDoc struct {
	Entity    string        `doc:"entity,obvious" about:"an entity" example:"Customer"`
	Unique    string        `doc:"unique" about:"a marker that keeps an attribute (or several: Entity.a+b) unique" example:"Customer.email"`
	While     conditionText `doc:"while" about:"of unique: which have a marker, as the requirements say; all unless given" example:"state = open"`
	Sequence  string        `doc:"sequence" about:"the last number of a sequence" example:"Issue.number"`
	Aggregate string        `doc:"aggregate" about:"a derived attribute, beside its entity" example:"Post.likeCount"`
	CopyOf    string        `doc:"copy-of" about:"an item whose entity is stored once more, under another key" example:"FollowOut"`
}

type templateDoc struct {
	Value string        `doc:"value,required,obvious" about:"text with parts {path:codec}" example:"o#{orderId}"`
	When  conditionText `doc:"when" about:"the attribute is absent unless this holds" example:"status in (placed, paid)"`
	Else  string        `doc:"else" about:"written where a part has no value, so that an index has these items too; the attribute is absent then unless given" example:"2"`
}

type copyDoc struct {
	From pathText `doc:"from,required,obvious" about:"the path it is copied from" example:"product.name"`
	Kept *keptDoc `doc:"kept" about:"immutable (unless given), snapshot, or {by: [patterns]} or {by: stream}" example:"snapshot"`
}

type keptDoc struct {
	How    string          `doc:"how,obvious" about:"immutable: the source never changes; snapshot: as it was; stream: a stream consumer follows" words:"immutable snapshot stream"`
	By     several[string] `doc:"by" about:"the patterns that rewrite it, or stream" example:"[updateProduct]"`
	Atomic bool            `doc:"atomic" about:"in the same transaction" example:"true"`
	Within durationText    `doc:"within" about:"how far it may lag behind" example:"5s"`

	Recheck bool `doc:"recheck" about:"by stream: the consumer also compares what a new item brings with its source, so that the write need not check it again" example:"true"`
}

type embedDoc struct {
	Attribute string `doc:"attribute" about:"the wire attribute that holds them; named like the way back unless given" example:"items"`
	As        string `doc:"as,required,obvious" about:"map, list, or value for a single child" words:"map list value" example:"map"`
	By        string `doc:"by" about:"the child's attribute that is the key of the map" example:"productId"`
}

type shardDoc struct {
	Of int    `doc:"of,required" about:"how many shards" example:"8"`
	By string `doc:"by,required" about:"random, or an attribute whose hash counts" example:"random"`
}

type itemPromiseDoc struct {
	Count *numberText `doc:"count" about:"items stored today" example:"2_000_000"`
	Bytes *sizeDoc    `doc:"bytes" about:"size of one" example:"{average: 478, max: 1_578}"`
}

type planDoc struct {
	Steps   mapOf[stepDoc] `doc:"steps,required" about:"requests, by name; they run as references demand, independent ones together"`
	Answer  *answerDoc     `doc:"answer" about:"how the steps' results become the answer; the only reading step's unless given" example:"{from: q, page: 50}"`
	Promise *promiseDoc    `doc:"promise" about:"what the plan was priced with, per call at average"`
	Gaps    string         `doc:"gaps" about:"allowed: a sequence may skip numbers" words:"allowed" example:"allowed"`
}

type stepDoc struct {
	Get         string        `doc:"get" about:"an item by its key" example:"Customer"`
	BatchGet    string        `doc:"batch-get" about:"items by their keys" example:"Order"`
	Query       string        `doc:"query" about:"a table or table.index" example:"OnlineShop.GSI1"`
	Scan        string        `doc:"scan" about:"a table or table.index, whole" example:"Warehouses"`
	Put         string        `doc:"put" about:"an item, whole" example:"Order"`
	Update      string        `doc:"update" about:"attributes of an item; Order.items is one of the children inside" example:"Inventory"`
	Delete      string        `doc:"delete" about:"an item" example:"Order"`
	Check       string        `doc:"check" about:"in a transaction: that an item is as it must be" example:"Customer"`
	Transact    []stepDoc     `doc:"transact" about:"writes that happen all or not at all"`
	TransactGet []stepDoc     `doc:"transact-get" about:"gets of one moment"`
	BatchWrite  []stepDoc     `doc:"batch-write" about:"puts and deletes without conditions"`
	Raw         mapOf[string] `doc:"raw" about:"imported only: an operation with its expressions as they are"`

	Items      []string               `doc:"items" about:"all items that can fall into the range" example:"[Order, OrderItem]"`
	Where      pathMap[rangeDoc]      `doc:"where" about:"parts of the key: values, then one range" example:"{customerId: $customerId, placedAt: {between: [$from, $to]}}"`
	Order      string                 `doc:"order" about:"the direction of the sort key" words:"ascending descending" example:"descending"`
	Evaluate   int                    `doc:"evaluate" about:"DynamoDB's Limit" example:"50"`
	Consistent bool                   `doc:"consistent" about:"strongly consistent reading" example:"true"`
	Filter     conditionText          `doc:"filter" about:"a condition on what is read" example:"status = $status"`
	Project    []string               `doc:"project" about:"attributes to read besides the keys" example:"[status, amount]"`
	Scatter    string                 `doc:"scatter" about:"shard, or a bucketed part: one request for each" example:"shard"`
	Key        pathMap[valueText]     `doc:"key" about:"path and value of all parts of the key" example:"[productId, warehouseId]"`
	Each       referenceText          `doc:"each" about:"once for each element, $each" example:"$order.items"`
	Value      referenceText          `doc:"value" about:"what is put; $each, else $ and the entity's name, unless given" example:"$order.invoice"`
	With       pathMap[valueText]     `doc:"with" about:"path and value that the value does not have, or not so" example:"{order.placedAt: $o.placedAt}"`
	Set        pathMap[valueText]     `doc:"set" about:"path and value" example:"{quantity: quantity - $each.quantity}"`
	Add        pathMap[valueText]     `doc:"add" about:"path and what is added: absent counts as nothing" example:"{number: 1}"`
	Remove     []pathText             `doc:"remove" about:"attributes to remove" example:"[escalatedTo]"`
	If         several[conditionText] `doc:"if" about:"conditions, all of which must hold" example:"[present, quantity >= $each.quantity]"`
	Else       nameText               `doc:"else" about:"the refusal code of the conditions that have none of their own" example:"out-of-stock"`
	Still      referenceText          `doc:"still" about:"a step before: the item must still be as it found it, or absent; else the call begins anew" example:"$ticket"`
	Stamp      bool                   `doc:"stamp" about:"makes the stamp of the item anew, so that a write that read it before begins anew" example:"true"`
	Return     string                 `doc:"return" about:"the item after or before the write, for later steps" words:"new old" example:"new"`
	Token      referenceText          `doc:"token" about:"the caller's token, which makes a transaction repeatable" example:"$token"`
	Needs      []string               `doc:"needs" about:"of a write: consistent gets that must have found something, and batch-gets that must have found an item for each element; else it is refused as missing" example:"[gymFound]"`
	After      []string               `doc:"after" about:"steps that must come before" example:"[s]"`
}

type rangeDoc struct {
	Is      valueText   `doc:"is,obvious" about:"one value" example:"$customerId"`
	Between []valueText `doc:"between" about:"both ends belong to it" example:"[$from, $to]"`
	From    valueText   `doc:"from" about:"this and behind" example:"$from"`
	To      valueText   `doc:"to" about:"this and before" example:"$to"`
	After   valueText   `doc:"after" about:"behind this" example:"$after"`
	Before  valueText   `doc:"before" about:"before this" example:"$before"`
	Prefix  valueText   `doc:"prefix" about:"all that begins with it" example:"$prefix"`
	Absent  bool        `doc:"absent" about:"with one end: also what has no value, if the key has it at the other end" example:"true"`
}

type answerDoc struct {
	From    several[string]    `doc:"from,obvious" about:"steps; several are joined by their relationships" example:"q"`
	Page    int                `doc:"page" about:"entities per call" example:"50"`
	Order   several[orderText] `doc:"order" about:"the order, when it is made at the client" example:"placedAt descending"`
	OrderOf string             `doc:"order-of" about:"the step whose order counts" example:"q"`
	Missing string             `doc:"missing" about:"what to do when a get finds nothing" words:"drop fail" example:"fail"`
	Keep    conditionText      `doc:"keep" about:"a condition tested at the client" example:"status = $status"`
	Cursor  string             `doc:"cursor" about:"the step that is paged; answer: the client sorts all that was read and cuts the page" example:"q"`
}

type promiseDoc struct {
	Rate  *rateDoc          `doc:"rate" about:"calls per second" example:"{average: 3/s, peak: 15/s}"`
	Items *numberText       `doc:"items" about:"items read or written" example:"34.8"`
	Bytes *numberText       `doc:"bytes" about:"bytes read or written" example:"14_100"`
	Read  mapOf[numberText] `doc:"read" about:"read units, by Table or Table.Index" example:"{OnlineShop.GSI1: 1.91}"`
	Write mapOf[numberText] `doc:"write" about:"write units, by Table or Table.Index" example:"{OnlineShop: 14}"`
}

type decisionDoc struct {
	About    string        `doc:"about,required" about:"what was decided: an item, an index, a plan" example:"Order.key"`
	Rule     string        `doc:"rule" about:"the rule that fired" example:"identifying relationship"`
	Because  string        `doc:"because" about:"the reason"`
	Inputs   mapOf[string] `doc:"inputs" about:"the figures it rests on" example:"{reads of both: 67%}"`
	Cost     *numberText   `doc:"cost" about:"dollars a month of the model with it" example:"969.30"`
	Rejected []rejectedDoc `doc:"rejected" about:"alternatives, with what the whole would have cost"`
}

type rejectedDoc struct {
	What    string      `doc:"what,required" about:"the alternative" example:"items embedded in the order"`
	Cost    *numberText `doc:"cost" about:"dollars a month of the best model with it" example:"985.34"`
	Because string      `doc:"because" about:"why it is not possible, if it is not a matter of cost"`
}
