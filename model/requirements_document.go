package model

// The requirements file as it is written. The tags are the reference of its keys: the decoder, its messages and the
// JSON Schema are made from them.

type requirementsDoc struct {
	Tablewright int                        `doc:"tablewright,required" about:"the version of this format: 1" example:"1"`
	Application applicationDoc             `doc:"application,required" about:"what the application is" example:"online-shop"`
	Types       mapOf[mapOf[attributeDoc]] `doc:"types" about:"named maps of attributes, usable as type of an attribute"`
	Entities    mapOf[entityDoc]           `doc:"entities,required" about:"what the application keeps, by name"`
	Patterns    mapOf[patternDoc]          `doc:"patterns,required" about:"how the application reads and writes it, by name"`
	Workflows   mapOf[[]nameText]          `doc:"workflows" about:"access patterns that are run one after another: name and list of patterns" example:"{checkout: [placeOrder, addPayment]}"`
	Accept      []acceptDoc                `doc:"accept" about:"findings that are known and meant"`
}

type applicationDoc struct {
	Name       string      `doc:"name,required,obvious" about:"the name of the application" example:"online-shop"`
	Domain     string      `doc:"domain" about:"the field it works in" example:"retail"`
	Context    string      `doc:"context" about:"what it does, for readers"`
	Source     string      `doc:"source" about:"where entities and patterns come from"`
	Figures    string      `doc:"figures" about:"whose the counts, sizes and rates are"`
	Note       string      `doc:"note" about:"anything else"`
	Compliance []string    `doc:"compliance" about:"rules that the data is under" example:"[GDPR]"`
	Regions    []string    `doc:"regions" about:"AWS Regions it runs in" example:"[eu-north-1]"`
	Recovery   recoveryDoc `doc:"recovery" about:"what a disaster may cost" example:"{rpo: 5min, rto: 4h}"`
	Streams    []nameText  `doc:"streams" about:"entities whose changes others follow" example:"[Order]"`
	School     string      `doc:"school" about:"the modelling conventions to follow; aggregates unless given" words:"aggregates single-table"`
	Prices     string      `doc:"prices" about:"the Region whose prices count; us-east-1 unless given" example:"us-east-1"`
	PeakHours  *float64    `doc:"peak-hours" about:"hours a day at peak; 2 unless given" example:"2"`
}

type recoveryDoc struct {
	RPO durationText `doc:"rpo" about:"how much of the newest data may be lost" example:"5min"`
	RTO durationText `doc:"rto" about:"how long a recovery may take" example:"4h"`
}

type acceptDoc struct {
	Code    string `doc:"code,required" about:"the code of the finding, as it is printed in parentheses" example:"unread-write"`
	Of      string `doc:"of,required" about:"the entity, Entity.attribute or pattern that it is about" example:"createAgent"`
	Because string `doc:"because,required" about:"why it is meant"`
}

type entityDoc struct {
	Identity   []nameText                             `doc:"identity,required" about:"the attributes that together are unique; create refuses a second" example:"[orderId, productId]"`
	Attributes mapOf[attributeDoc]                    `doc:"attributes,required" about:"what is kept of one, by name"`
	Bytes      *sizeDoc                               `doc:"bytes" about:"size of the whole entity, names included; the sum of its attributes unless given. Attributes without a size share what the others leave" example:"{average: 400, max: 1_500}"`
	Count      *numberText                            `doc:"count" about:"how many are stored today; follows from the parent if there is one" example:"40_000_000"`
	Growth     *rateText                              `doc:"growth" about:"how many are created; follows from the patterns unless given" example:"3_900_000/month"`
	Retention  retentionText                          `doc:"retention" about:"how long one is kept, from its creation or after the named timestamp; then time to live deletes it, within a few days, if that time is an attribute and nothing has to follow. Without that timestamp it is kept" example:"18 months after closedAt"`
	Expires    nameText                               `doc:"expires" about:"the timestamp after which no read returns it" example:"expiresAt"`
	Unique     []either[several[nameText], uniqueDoc] `doc:"unique" about:"further attributes, or lists of attributes, that are unique; a map says while what they are" example:"[email, [tenant, slug], {of: plate, while: state = parked}]"`
	External   bool                                   `doc:"external" about:"kept by another system: others refer to it, and it is counted, but it is never stored, read or written here" example:"true"`
	Group      string                                 `doc:"group" about:"entities of one group are backed up, streamed and permitted together" example:"orders"`
	Note       string                                 `doc:"note" about:"anything else"`
}

type attributeDoc struct {
	Type       string                               `doc:"type,obvious" about:"string, number, bool, binary, timestamp (milliseconds), date, map, list, set, or the name of a type" example:"string"`
	References nameText                             `doc:"references" about:"the entity that this foreign key points to; type and size are those of its identity" example:"Customer"`
	Parent     nameText                             `doc:"parent" about:"the entity that this foreign key points to and that this one lives and dies with" example:"Order"`
	Inverse    nameText                             `doc:"inverse" about:"the name of the way back, in the other entity" example:"items"`
	As         nameText                             `doc:"as" about:"the name of the way there; the attribute's name without its final Id unless given" example:"buyer"`
	By         []nameText                           `doc:"by" about:"all attributes of a composite foreign key, in the order of the identity it points to; then as is required" example:"[projectId, issueNo]"`
	PerParent  *childrenDoc                         `doc:"per-parent" about:"how many of these one parent has" example:"{average: 20, max: 5_000}"`
	States     *either[[]string, mapOf[[]string]]   `doc:"states" about:"a life cycle: a list only moves forward, any number of steps; a map says the next states of each" example:"[placed, paid, shipped]"`
	Also       []string                             `doc:"also" about:"end states that can be entered from any state but the last" example:"[cancelled]"`
	Enum       []string                             `doc:"enum" about:"values without order or guard" example:"[gift-card, credit-card]"`
	Ordered    *bool                                `doc:"ordered" about:"of states and enum: true if they sort in the order in which they are stated, false if as text; wanted where something is ordered by them" example:"true"`
	Share      *either[shareText, mapOf[shareText]] `doc:"share" about:"share of stored values of states, enum or bool; those not named share the rest. On an optional attribute a percentage: how often it is there" example:"{placed: 4%}"`
	Distinct   *numberText                          `doc:"distinct" about:"how many different values it has among all that are stored" example:"700"`
	Hottest    *shareText                           `doc:"hottest" about:"share of those that have it whose value is the most frequent; an equal part unless given" example:"3%"`
	Derived    *functionText                        `doc:"derived" about:"what it follows from: a path to one, count(path), sum(path), min(path), max(path) or last(path), what the newest of children has, and count(path where condition) of some. Never passed in, always true" example:"count(likes)"`
	Within     durationText                         `doc:"within" about:"how far a derived attribute may lag behind" example:"5s"`
	Generated  string                               `doc:"generated" about:"set by the client at the call, returned; callers cannot pass it" words:"ulid uuid ksuid now version" example:"ulid"`
	Sequence   nameText                             `doc:"sequence" about:"next number per value of that attribute" example:"projectId"`
	Bytes      *sizeDoc                             `doc:"bytes" about:"size of the value" example:"{average: 26, max: 120}"`
	Digits     *int                                 `doc:"digits" about:"significant digits of a number; 6 unless given" example:"4"`
	Scale      *int                                 `doc:"scale" about:"decimals of a number; 0 unless given" example:"2"`
	Min        *numberText                          `doc:"min" about:"the smallest number allowed" example:"0"`
	Max        *numberText                          `doc:"max" about:"the largest number allowed" example:"100"`
	Attributes mapOf[attributeDoc]                  `doc:"attributes" about:"what is inside a map"`
	Of         *attributeDoc                        `doc:"of" about:"what a list or set is of" example:"string"`
	Length     *countDoc                            `doc:"length" about:"how many elements a list or set has" example:"{average: 3, max: 20}"`
	Optional   bool                                 `doc:"optional" about:"whether it may be absent; false unless given" example:"true"`
	Sensitive  string                               `doc:"sensitive" about:"the kind of secrecy it is under" example:"personal"`
	Note       string                               `doc:"note" about:"anything else"`
}

type uniqueDoc struct {
	Of    several[nameText] `doc:"of,required" about:"the attributes that are unique together" example:"[employeeId]"`
	While conditionText     `doc:"while,required" about:"which of them count, by what is kept of them; the others may be alike" example:"state = open"`
}

type sizeDoc struct {
	Average *sizeText `doc:"average,required,obvious" about:"average size" example:"400"`
	Max     *sizeText `doc:"max,required" about:"largest size" example:"1_500"`
}

type countDoc struct {
	Average *numberText `doc:"average,required,obvious" about:"average number" example:"6"`
	Max     *numberText `doc:"max,required" about:"largest number" example:"1_500"`
}

type childrenDoc struct {
	Average *numberText `doc:"average,required,obvious" about:"average number of children per parent" example:"2.5"`
	Max     *numberText `doc:"max,required" about:"largest number of children of one parent" example:"45"`
	Skew    skewText    `doc:"skew" about:"which parent a new child gets; uniform unless given" example:"zipf 0.8"`
}

type patternDoc struct {
	Read        nameText                              `doc:"read" about:"the entity that is answered" example:"Order"`
	Write       several[actionDoc]                    `doc:"write" about:"the actions of a write" example:"{create: Order}"`
	Given       []pathText                            `doc:"given" about:"equalities that every call states; the parameter is the last name of the path" example:"[order.customerId]"`
	Where       conditionText                         `doc:"where" about:"the rest: ranges, prefixes, filters" example:"placedAt between $from and $to"`
	With        []pathText                            `doc:"with" about:"related entities returned inside, whole" example:"[items, shipments.items]"`
	Returns     []pathText                            `doc:"returns" about:"attributes and paths to one; all means the entity's own, and is what is returned unless given" example:"[all, order.placedAt]"`
	Aggregate   mapOf[functionText]                   `doc:"aggregate" about:"answer these instead of entities: name and count, exists, sum(path), min(path) or max(path)" example:"{likes: count}"`
	Order       several[orderDoc]                     `doc:"order" about:"the order of the answer; any, but stable, unless given" example:"placedAt descending"`
	Page        int                                   `doc:"page" about:"entities per call, with a cursor to go on" example:"50"`
	Top         int                                   `doc:"top" about:"at most so many, without a cursor" example:"10"`
	Whole       bool                                  `doc:"whole" about:"the whole set is wanted: it may be served by a scan" example:"true"`
	Results     *countDoc                             `doc:"results" about:"matches of one call's given values, over all pages; follows from identity or per-parent where only these are given" example:"{average: 6, max: 1_500}"`
	Rate        *rateDoc                              `doc:"rate,needed" about:"calls per second; each page is a call" example:"{average: 3/s, peak: 15/s}"`
	Skew        *callsDoc                             `doc:"skew" about:"how calls spread over the values of given, or over what is written; uniform unless given" example:"zipf 1.0"`
	Consistency string                                `doc:"consistency" about:"eventual: what is read may be old; strong: all that was answered before is seen; snapshot: strong, and of one moment. Reads are eventual and writes strong unless given" words:"eventual strong snapshot" example:"strong"`
	Staleness   durationText                          `doc:"staleness" about:"how old an eventual answer may be" example:"5s"`
	Latency     durationText                          `doc:"latency" about:"goal for the 99th percentile" example:"20ms"`
	Atomic      *bool                                 `doc:"atomic" about:"whether several actions happen all or not at all; true unless given" example:"false"`
	Optional    *either[[]nameText, mapOf[shareText]] `doc:"optional" about:"parameters a call may leave out, with the share of calls that state them (half unless given); tests and sets that use them go too, and of a between the other end stays" example:"{status: 40%}"`
	Parameters  mapOf[parameterDoc]                   `doc:"parameters" about:"type or range of parameters where their use does not tell" example:"{delta: {min: -50, max: 500}}"`
	Idempotency nameText                              `doc:"idempotency" about:"the parameter that is the caller's token" example:"token"`
	Bulk        int                                   `doc:"bulk" about:"items per call of an ingestion" example:"100_000"`
	Note        string                                `doc:"note" about:"anything else"`
}

type callsDoc struct {
	Calls skewText          `doc:"calls,obvious" about:"how they spread on average: uniform, zipf 1.0, hottest 2%, hottest 50 have 45%; by-size: in proportion to what a call finds" example:"zipf 1.0"`
	Peak  *skewText         `doc:"peak" about:"how they spread in the busiest hours; the same unless given" example:"hottest 5%"`
	Of    several[pathText] `doc:"of" about:"of a write: the attribute over whose values they spread; the identity unless given" example:"queue"`
}

type orderDoc struct {
	By      orderText `doc:"by,required,obvious" about:"a path, and descending after it" example:"dueOn descending"`
	Missing string    `doc:"missing" about:"where what has no value comes, whatever the direction; last unless given" words:"first last" example:"first"`
}

type rateDoc struct {
	Average *rateText `doc:"average,required" about:"calls on average" example:"3/s"`
	Peak    *rateText `doc:"peak,required" about:"calls in the busiest hours" example:"15/s"`
}

type actionDoc struct {
	Create    nameText           `doc:"create" about:"the entity that is created; refused as exists if it is there" example:"Order"`
	Replace   nameText           `doc:"replace" about:"the entity that is replaced whole; refused as missing if it is not there" example:"Order"`
	Upsert    nameText           `doc:"upsert" about:"the entity that is created or replaced whole; with set, the one that is updated, or made of its key and of what is set" example:"Order"`
	Update    nameText           `doc:"update" about:"the entity of which attributes are changed; refused as missing if it is not there" example:"Order"`
	Delete    nameText           `doc:"delete" about:"the entity that is deleted" example:"Order"`
	Value     referenceText      `doc:"value" about:"what is created, replaced or upserted; $ and the entity's name with a small letter unless given" example:"$order"`
	With      []pathText         `doc:"with" about:"children created inside the value, or deleted with it" example:"[items, invoice]"`
	Each      referenceText      `doc:"each" about:"a list: the action happens once per element, $each" example:"$order.items"`
	Key       pathMap[valueText] `doc:"key" about:"which one: identity by name, of $each or as parameters unless given" example:"{complaintId: $communication.complaintId}"`
	Set       pathMap[valueText] `doc:"set" about:"new values of attributes: path and value; [a] means {a: $a}" example:"{quantity: quantity - $each.quantity}"`
	Remove    []pathText         `doc:"remove" about:"attributes that are removed" example:"[escalatedTo]"`
	Condition conditionText      `doc:"condition" about:"what must hold of the stored entity, else the write is refused" example:"quantity >= $each.quantity"`
	Refusal   nameText           `doc:"refusal" about:"the code of the refusal if the condition fails; condition unless given" example:"out-of-stock"`
	Requires  []nameText         `doc:"requires" about:"ways there that must lead to something; else refused as missing" example:"[customer]"`
}

type parameterDoc struct {
	Type   string         `doc:"type,obvious" about:"type where use does not tell" example:"string"`
	Min    *numberText    `doc:"min" about:"smallest number that callers pass" example:"-50"`
	Max    *numberText    `doc:"max" about:"largest number that callers pass" example:"500"`
	Length *countDoc      `doc:"length" about:"how many elements a list has, or children inside a value" example:"{average: 3, max: 20}"`
	Same   []string       `doc:"same" about:"attributes that all elements of a list have in common in one call" example:"[orderId]"`
	Within mapOf[spanDoc] `doc:"within" about:"how close together times of the elements of a list lie in one call" example:"{takenAt: 15min}"`
}

type spanDoc struct {
	Average durationText  `doc:"average,required,obvious" about:"from the first to the last of a call of average length" example:"10min"`
	Max     *durationText `doc:"max" about:"from the first to the last at most; the average unless given" example:"2h"`
}
