package capacity

import (
	"bufio"
	_ "embed"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// Prices is one price file: what DynamoDB costs in a Region at a date. It is read only and safe to share.
type Prices struct {
	Region string
	Date   string  // on which the prices held, as 2026-11-01
	Hours  float64 // of a month
	GB     Bytes   // of a price per GB

	lines [priceCount]Price
}

// Price is one line of a price file.
type Price struct {
	Name   string // such as standard.on-demand.read
	Amount string // in dollars, as written; of a free.* line the free quantity
	Per    string // million, unit-hour, GB-month; of a free.* line the unit: million, GB
	Source string // where the figure comes from

	nano Money // Amount × 10⁹
}

// All lists the lines in the order of the format's table, for a report that says which prices it used.
func (p *Prices) All() []Price { return append([]Price(nil), p.lines[:]...) }

// Seconds is the length of a month: 2,628,000 in the embedded file.
func (p *Prices) Seconds() float64 { return float64(p.Hours * 3600) }

// The lines of a price file. Standard and infrequent access come in the same order, classLines apart.
const (
	onDemandRead = iota
	onDemandWrite
	provisionedRead
	provisionedWrite
	storage
	classLines // of one class
)

const (
	streamRead = 2*classLines + iota
	pointInTime
	backup
	freeStorage
	freeStreams
	priceCount
)

// priceForm is the name and unit of every line; all must be there.
var priceForm = [priceCount]struct{ name, per string }{
	{"standard.on-demand.read", "million"},
	{"standard.on-demand.write", "million"},
	{"standard.provisioned.read", "unit-hour"},
	{"standard.provisioned.write", "unit-hour"},
	{"standard.storage", "GB-month"},
	{"infrequent.on-demand.read", "million"},
	{"infrequent.on-demand.write", "million"},
	{"infrequent.provisioned.read", "unit-hour"},
	{"infrequent.provisioned.write", "unit-hour"},
	{"infrequent.storage", "GB-month"},
	{"streams.read", "million"},
	{"recovery.point-in-time", "GB-month"},
	{"recovery.backup", "GB-month"},
	{"free.storage", "GB"},
	{"free.streams", "million"},
}

//go:embed prices/us-east-1.txt
var defaultPrices string

// DefaultPrices are the embedded ones: us-east-1, dated. A test reads the file, so it never panics.
var DefaultPrices = sync.OnceValue(func() *Prices {
	p, err := LoadPrices(strings.NewReader(defaultPrices))
	if err != nil {
		panic(err)
	}
	return p
})

// DefaultPriceFile is the text of the embedded price file, a start for one's own.
func DefaultPriceFile() string { return defaultPrices }

// LoadPrices reads a price file: lines of words, of which # ends one that follows a space or begins the line.
//
//	tablewright-prices 1
//	region   eu-central-1
//	date     2026-11-01
//	currency USD
//	month    730 hours
//	GB       2^30 bytes
//	standard.on-demand.read  0.1525  million  https://… (any words that say where the figure is from)
//
// The first line and the five head lines come first, then every price once, in any order; DefaultPriceFile shows all of
// them. Amounts are dollars with up to nine decimals. An error names the line and what it should be; a price that is missing,
// unknown, repeated, without source or per another unit is one.
func LoadPrices(r io.Reader) (*Prices, error) {
	l := priceLoader{}
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		l.number++
		words := strings.Fields(lines.Text())
		for i, w := range words {
			if w[0] == '#' {
				words = words[:i]
				break
			}
		}
		if len(words) == 0 {
			continue
		}
		if err := l.line(words); err != nil {
			return nil, fmt.Errorf("prices: line %d: %w", l.number, err)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("prices: after line %d: %w", l.number, err)
	}
	return l.finish()
}

type priceLoader struct {
	prices Prices
	number int
	heads  int // of priceHeads, read so far
}

// priceHeads are the lines before the prices, in order.
var priceHeads = []struct {
	name string
	read func(p *Prices, words []string) error
}{
	{"tablewright-prices", func(_ *Prices, w []string) error { return exactly(w, "1") }},
	{"region", func(p *Prices, w []string) error { return word(w, &p.Region, "one Region such as us-east-1") }},
	{"date", readDate},
	{"currency", func(_ *Prices, w []string) error { return exactly(w, "USD") }},
	{"month", readMonth},
	{"GB", readGB},
}

func (l *priceLoader) line(words []string) error {
	if l.heads < len(priceHeads) {
		head := priceHeads[l.heads]
		if words[0] != head.name {
			return fmt.Errorf("%q where %q must stand", words[0], head.name)
		}
		l.heads++
		if err := head.read(&l.prices, words[1:]); err != nil {
			return fmt.Errorf("%s: %w", head.name, err)
		}
		return nil
	}
	for i, form := range priceForm {
		if form.name == words[0] {
			return l.price(&l.prices.lines[i], words, form.per)
		}
	}
	return fmt.Errorf("unknown price %q", words[0])
}

func (l *priceLoader) price(p *Price, words []string, per string) error {
	switch {
	case p.Name != "":
		return fmt.Errorf("%s stands twice", words[0])
	case len(words) < 4:
		return fmt.Errorf("%s must be followed by an amount, %q and a source", words[0], per)
	case words[2] != per:
		return fmt.Errorf("%s is per %s, not per %q", words[0], per, words[2])
	}
	nano, err := parseNano(words[1])
	if err != nil {
		return fmt.Errorf("%s: %w", words[0], err)
	}
	*p = Price{Name: words[0], Amount: words[1], Per: per, Source: strings.Join(words[3:], " "), nano: nano}
	return nil
}

func (l *priceLoader) finish() (*Prices, error) {
	if l.heads < len(priceHeads) {
		return nil, fmt.Errorf("prices: ends before the line %q", priceHeads[l.heads].name)
	}
	for i, p := range l.prices.lines {
		if p.Name == "" {
			return nil, fmt.Errorf("prices: no line %s", priceForm[i].name)
		}
	}
	return &l.prices, nil
}

func exactly(words []string, want string) error {
	if len(words) != 1 || words[0] != want {
		return fmt.Errorf("must be %s, not %q", want, strings.Join(words, " "))
	}
	return nil
}

func word(words []string, to *string, what string) error {
	if len(words) != 1 {
		return fmt.Errorf("must be %s, not %q", what, strings.Join(words, " "))
	}
	*to = words[0]
	return nil
}

func readDate(p *Prices, words []string) error {
	if err := word(words, &p.Date, "a date such as 2026-11-01"); err != nil {
		return err
	}
	if _, err := time.Parse(time.DateOnly, p.Date); err != nil {
		return fmt.Errorf("must be a date such as 2026-11-01, not %q", p.Date)
	}
	return nil
}

func readMonth(p *Prices, words []string) error {
	nano, err := Money(0), error(nil)
	if len(words) == 2 && words[1] == "hours" {
		nano, err = parseNano(words[0])
	}
	if err != nil || nano < 672*Dollar || nano > 744*Dollar { // February to a month of 31 days
		return fmt.Errorf("must be 672 to 744 hours, such as 730 hours, not %q", strings.Join(words, " "))
	}
	p.Hours = float64(nano) / float64(Dollar)
	return nil
}

func readGB(p *Prices, words []string) error {
	switch strings.Join(words, " ") {
	case "2^30 bytes":
		p.GB = 1 << 30
	case "10^9 bytes":
		p.GB = 1_000_000_000
	default:
		return fmt.Errorf("must be 2^30 bytes or 10^9 bytes, not %q", strings.Join(words, " "))
	}
	return nil
}

// parseNano reads a plain decimal, not negative, of at most nine digits before and behind the point, exactly.
func parseNano(s string) (Money, error) {
	whole, fraction, dot := strings.Cut(s, ".")
	if len(whole) == 0 || len(whole) > 9 || len(fraction) > 9 || dot && fraction == "" {
		return 0, fmt.Errorf("%q is no amount such as 0.125, of at most nine decimals", s)
	}
	var nano Money
	for _, d := range whole + fraction + strings.Repeat("0", 9-len(fraction)) {
		if d < '0' || d > '9' {
			return 0, fmt.Errorf("%q is no amount such as 0.125, of at most nine decimals", s)
		}
		nano = nano*10 + Money(d-'0')
	}
	return nano, nil
}
