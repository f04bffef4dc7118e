package capacity

import "strconv"

// Class is a table class. Indexes have that of their table.
type Class uint8

// The table classes.
const (
	Standard Class = iota
	InfrequentAccess
)

// String is "standard" or "infrequent-access".
func (c Class) String() string {
	switch c {
	case Standard:
		return "standard"
	case InfrequentAccess:
		return "infrequent-access"
	}
	return "Class(" + strconv.Itoa(int(c)) + ")"
}

// Billing is a table's capacity mode. Indexes have that of their table.
type Billing uint8

// The capacity modes.
const (
	OnDemand    Billing = iota // what is consumed is paid
	Provisioned                // what is provisioned is paid, consumed or not
)

// String is "on-demand" or "provisioned".
func (b Billing) String() string {
	switch b {
	case OnDemand:
		return "on-demand"
	case Provisioned:
		return "provisioned"
	}
	return "Billing(" + strconv.Itoa(int(b)) + ")"
}

// Tariff prices reads, writes and storage of a table or index of one class and capacity mode.
type Tariff struct {
	prices  *Prices
	class   Class
	billing Billing
}

// Tariff picks what holds for a class and capacity mode.
func (p *Prices) Tariff(c Class, b Billing) Tariff { return Tariff{p, c, b} }

func (t Tariff) line(of int) float64 {
	if t.class == InfrequentAccess {
		of += classLines
	}
	return float64(t.prices.lines[of].nano)
}

// Reads is what a month of so many read units per second costs: consumed on average if on demand, else provisioned
// on average (see Provision).
func (t Tariff) Reads(perSecond ReadUnits) Money {
	return t.throughput(float64(perSecond), onDemandRead, provisionedRead)
}

// Writes is Reads of write units.
func (t Tariff) Writes(perSecond WriteUnits) Money {
	return t.throughput(float64(perSecond), onDemandWrite, provisionedWrite)
}

func (t Tariff) throughput(perSecond float64, onDemand, provisioned int) Money {
	if t.billing == Provisioned {
		return MoneyOf(float64(perSecond * t.prices.Hours * t.line(provisioned)))
	}
	return MoneyOf(float64(perSecond*t.prices.Seconds()) * t.line(onDemand) / 1e6)
}

// Storage is what a month of so many stored bytes costs: see Stored.
func (t Tariff) Storage(b Bytes) Money { return t.prices.perGB(b, t.line(storage)) }

func (p *Prices) perGB(b Bytes, nano float64) Money {
	return MoneyOf(float64(float64(b)*nano) / float64(p.GB))
}

// Streams is what a month of so many GetRecords calls per second costs. Calls of Lambda triggers are free and not to be
// counted.
func (p *Prices) Streams(callsPerSecond float64) Money {
	return MoneyOf(float64(callsPerSecond*p.Seconds()) * float64(p.lines[streamRead].nano) / 1e6)
}

// PointInTime is what a month of point-in-time recovery of so many bytes, tables and local secondary indexes, costs.
func (p *Prices) PointInTime(b Bytes) Money { return p.perGB(b, float64(p.lines[pointInTime].nano)) }

// Backup is what a month of keeping backups of so many bytes in sum costs.
func (p *Prices) Backup(b Bytes) Money { return p.perGB(b, float64(p.lines[backup].nano)) }

// FreeTier is how much of a bill for so many bytes in tables of the standard class, and so many GetRecords calls per
// second, an account that uses its free tier for nothing else does not pay. No other figure of this package deducts it.
func (p *Prices) FreeTier(standard Bytes, callsPerSecond float64) Money {
	gb := float64(p.lines[freeStorage].nano) / float64(Dollar)
	free := min(standard, Bytes(gb*float64(p.GB)))
	calls := float64(p.lines[freeStreams].nano) / float64(Dollar/1e6)
	return p.Tariff(Standard, OnDemand).Storage(free) +
		p.Streams(min(callsPerSecond, calls/p.Seconds()))
}

// Stored is what so many items, or index entries, of a size on average are billed as: 100 bytes more each
// (CapacityUnitCalculations).
func Stored(count, averageBytes float64) Bytes {
	b := float64(count * (averageBytes + float64(StoredItemOverhead)))
	if !(b > 0) {
		return 0
	}
	if b >= 1<<62 {
		return 1 << 62
	}
	return Bytes(b + 0.5)
}

// Provision is how many units per second auto scaling provisions, averaged over a month, to carry a load of so many on
// average at its usual target: 1/0.7 of it, and at least 1.
func Provision[U ReadUnits | WriteUnits](average U) U { return max(1, average/TargetUtilization) }

// Usage is what one table or index does and holds: averages over a month.
type Usage struct {
	Read    ReadUnits  // per second: consumed, or provisioned
	Write   WriteUnits // per second: consumed, or provisioned
	Stored  Bytes      // as billed: see Stored
	Recover bool       // point-in-time recovery, of tables
	Streams float64    // GetRecords calls per second on the table's stream, of tables
}

// Bill is what a month costs, by part. The free tier is not deducted.
type Bill struct {
	Reads, Writes, Storage, Streams, Recovery Money
}

// Bill prices a month of a table or index.
func (t Tariff) Bill(u Usage) Bill {
	b := Bill{
		Reads:   t.Reads(u.Read),
		Writes:  t.Writes(u.Write),
		Storage: t.Storage(u.Stored),
		Streams: t.prices.Streams(u.Streams),
	}
	if u.Recover {
		b.Recovery = t.prices.PointInTime(u.Stored)
	}
	return b
}

// Plus is the sum, part by part.
func (b Bill) Plus(c Bill) Bill {
	return Bill{b.Reads + c.Reads, b.Writes + c.Writes, b.Storage + c.Storage, b.Streams + c.Streams, b.Recovery + c.Recovery}
}

// Total is the sum of all parts.
func (b Bill) Total() Money { return b.Reads + b.Writes + b.Storage + b.Streams + b.Recovery }
