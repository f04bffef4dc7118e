package capacity_test

import (
	"errors"
	"math"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/tablewright/tablewright/capacity"
)

func TestDefaultPrices(t *testing.T) {
	p := capacity.DefaultPrices()
	if p.Region != "us-east-1" || p.Date < "2026" || p.Seconds() != 2_628_000 || p.GB != 1<<30 {
		t.Errorf("%s, %s, %v s, %d", p.Region, p.Date, p.Seconds(), p.GB)
	}
	for _, line := range p.All() {
		if line.Name == "" || line.Amount == "" || line.Per == "" || line.Source == "" {
			t.Errorf("incomplete: %+v", line)
		}
	}
}

func TestLoadPricesRefuses(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"tablewright-prices 1\n", "", `"region" where "tablewright-prices" must stand`},
		{"tablewright-prices 1", "tablewright-prices 2", `tablewright-prices: must be 1, not "2"`},
		{"region   us-east-1\n", "", `"date" where "region" must stand`},
		{"region   us-east-1", "region", `region: must be one Region such as us-east-1, not ""`},
		{"2026-11-01", "1 November", `date: must be a date such as 2026-11-01, not "1 November"`},
		{"2026-11-01", "2026-13-01", `date: must be a date such as 2026-11-01, not "2026-13-01"`},
		{"USD", "EUR", `currency: must be USD, not "EUR"`},
		{"730 hours", "31 days", `month: must be 672 to 744 hours, such as 730 hours, not "31 days"`},
		{"730 hours", "73 hours", `month: must be 672 to 744 hours, such as 730 hours, not "73 hours"`},
		{"2^30 bytes", "1000 MB", `GB: must be 2^30 bytes or 10^9 bytes, not "1000 MB"`},
		{"standard.storage  ", "standart.storage  ", `unknown price "standart.storage"`},
		{"standard.storage             0.25     GB-month", "standard.storage 0.25 GB-month #", "standard.storage must be followed by an amount, \"GB-month\" and a source"},
		{"0.00013  unit-hour", "0.13  million", `standard.provisioned.read is per unit-hour, not per "million"`},
		{"0.625 ", "$0.625", `standard.on-demand.write: "$0.625" is no amount such as 0.125, of at most nine decimals`},
		{"0.625 ", "-0.625", `standard.on-demand.write: "-0.625" is no amount such as 0.125, of at most nine decimals`},
		{"0.625 ", "0.6250000001", `"0.6250000001" is no amount`},
		{"0.625 ", "1000000000", `"1000000000" is no amount`},
		{"0.625 ", "1.", `"1." is no amount`},
		{"0.625 ", ".5", `".5" is no amount`},
		{"infrequent.storage  ", "standard.storage  ", "standard.storage stands twice"},
		{"streams.read                 0.20     million", "#", "prices: no line streams.read"},
	} {
		text := strings.Replace(capacity.DefaultPriceFile(), c.old, c.new, 1)
		if text == capacity.DefaultPriceFile() {
			t.Fatalf("nothing replaced by %q", c.new)
		}
		_, err := capacity.LoadPrices(strings.NewReader(text))
		if err == nil || !strings.HasPrefix(err.Error(), "prices: ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, not %s", c.new, err, c.want)
		}
	}
	if _, err := capacity.LoadPrices(strings.NewReader("# nothing\n")); err == nil || err.Error() != `prices: ends before the line "tablewright-prices"` {
		t.Errorf("empty file: %v", err)
	}
	broken := errors.New("disk on fire")
	if _, err := capacity.LoadPrices(iotest.ErrReader(broken)); !errors.Is(err, broken) {
		t.Errorf("broken reader: %v", err)
	}
}

func TestErrorsNameTheLine(t *testing.T) {
	_, err := capacity.LoadPrices(strings.NewReader("# one\n\ntablewright-prices 3"))
	if err == nil || !strings.Contains(err.Error(), "line 3:") {
		t.Error(err)
	}
}

// TestBills computes bills by hand. A month has 2,628,000 seconds.
func TestBills(t *testing.T) {
	p := capacity.DefaultPrices()
	gb := 10 * capacity.GB
	for _, c := range []struct {
		name    string
		class   capacity.Class
		billing capacity.Billing
		usage   capacity.Usage
		want    capacity.Bill
	}{
		{"on demand", capacity.Standard, capacity.OnDemand,
			capacity.Usage{Read: 100, Write: 10, Stored: gb, Streams: 4},
			capacity.Bill{Reads: 32_850_000_000, Writes: 16_425_000_000, Storage: 2_500_000_000, Streams: 2_102_400_000}},
		{"infrequent access", capacity.InfrequentAccess, capacity.OnDemand,
			capacity.Usage{Read: 100, Write: 10, Stored: gb, Recover: true},
			capacity.Bill{Reads: 40_734_000_000, Writes: 20_498_400_000, Storage: 1_000_000_000, Recovery: 2_000_000_000}},
		{"provisioned", capacity.Standard, capacity.Provisioned,
			capacity.Usage{Read: 100, Write: 10},
			capacity.Bill{Reads: 9_490_000_000, Writes: 4_745_000_000}},
		{"provisioned, infrequent access", capacity.InfrequentAccess, capacity.Provisioned,
			capacity.Usage{Read: 100, Write: 10, Stored: 1},
			capacity.Bill{Reads: 11_680_000_000, Writes: 5_913_000_000}},
	} {
		got := p.Tariff(c.class, c.billing).Bill(c.usage)
		if got != c.want {
			t.Errorf("%s: %+v, not %+v", c.name, got, c.want)
		}
		if twice := got.Plus(got); twice.Total() != 2*c.want.Total() {
			t.Errorf("%s: twice is %v", c.name, twice.Total())
		}
	}
	if got := p.Backup(gb); got != capacity.Dollar {
		t.Errorf("backup: %v", got)
	}
	for _, c := range []struct {
		stored capacity.Bytes
		calls  float64
		want   capacity.Money
	}{
		{0, 0, 0},
		{gb, 0, 2_500_000_000},
		{100 * capacity.GB, 0, 6_250_000_000},
		{100 * capacity.GB, 100, 6_750_000_000}, // 2.5 million calls more
		{0, 0.5, 262_800_000},
	} {
		if got := p.FreeTier(c.stored, c.calls); got != c.want {
			t.Errorf("free tier of %v and %v calls: %d, not %d", c.stored, c.calls, got, c.want)
		}
	}
}

func TestDecimalGB(t *testing.T) {
	p, err := capacity.LoadPrices(strings.NewReader(strings.Replace(capacity.DefaultPriceFile(), "2^30 bytes", "10^9 bytes", 1)))
	if err != nil {
		t.Fatal(err)
	}
	if got := p.Tariff(capacity.Standard, capacity.OnDemand).Storage(4_000_000_000); got != capacity.Dollar {
		t.Errorf("4 GB: %v", got)
	}
}

func TestStored(t *testing.T) {
	for _, c := range []struct {
		count, average float64
		want           capacity.Bytes
	}{
		{40_000_000, 350, 18_000_000_000}, {3, 0.5, 302}, {0, 350, 0}, {-1, 350, 0}, {math.NaN(), 1, 0}, {1e30, 1, 1 << 62},
	} {
		if got := capacity.Stored(c.count, c.average); got != c.want {
			t.Errorf("%v × %v: %d, not %d", c.count, c.average, got, c.want)
		}
	}
	if got := capacity.Provision(capacity.ReadUnits(70)); math.Abs(float64(got)-100) > 1e-12 {
		t.Errorf("provisioned for 70: %v", got)
	}
	if got := capacity.Provision(capacity.WriteUnits(0.1)); got != 1 {
		t.Errorf("provisioned for 0.1: %v", got)
	}
}

// FuzzLoadPrices: whatever is accepted is complete, and prices without surprises.
func FuzzLoadPrices(f *testing.F) {
	f.Add(capacity.DefaultPriceFile())
	f.Add("tablewright-prices 1\nregion x\ndate 2026-01-01\ncurrency USD\nmonth 730 hours\nGB 10^9 bytes\n")
	f.Add("standard.storage 0.1 GB-month x #")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := capacity.LoadPrices(strings.NewReader(text))
		if err != nil {
			if p != nil || !strings.HasPrefix(err.Error(), "prices: ") {
				t.Errorf("%v, %v", p, err)
			}
			return
		}
		for _, line := range p.All() {
			if line.Name == "" || line.Source == "" {
				t.Errorf("incomplete: %+v", line)
			}
		}
		for _, class := range []capacity.Class{capacity.Standard, capacity.InfrequentAccess} {
			for _, billing := range []capacity.Billing{capacity.OnDemand, capacity.Provisioned} {
				b := p.Tariff(class, billing).Bill(capacity.Usage{Read: 1, Write: 1, Stored: capacity.GB})
				if b.Reads < 0 || b.Writes < 0 || b.Storage < 0 {
					t.Errorf("negative: %+v", b)
				}
			}
		}
	})
}
