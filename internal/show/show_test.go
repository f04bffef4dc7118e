package show_test

import (
	"math"
	"testing"
	"time"

	"github.com/tablewright/tablewright/internal/show"
)

func TestNumber(t *testing.T) {
	for n, want := range map[float64]string{
		0: "0", 1: "1", 40_000_000: "40,000,000", 1234.6: "1,235", 999.9: "1,000", 12.54: "12.5", 2.5: "2.5", 1.999: "2",
		0.014: "0.014", 0.5: "0.5", 0.05263: "0.0526", 1e-12: "0", -1234567: "-1,234,567", -0.25: "-0.25",
	} {
		if got := show.Number(n); got != want {
			t.Errorf("Number(%v) = %s, want %s", n, got, want)
		}
	}
	if got := show.Number(math.Inf(1)); got != "+Inf" {
		t.Errorf("infinity is %s", got)
	}
}

func TestBytes(t *testing.T) {
	for n, want := range map[float64]string{0: "0 bytes", 195: "195 bytes", 1024: "1 KB", 4300: "4.2 KB", 1 << 30: "1 GB", 217 << 30: "217 GB", 3 << 40: "3 TB"} {
		if got := show.Bytes(n); got != want {
			t.Errorf("Bytes(%v) = %s, want %s", n, got, want)
		}
	}
}

func TestPercent(t *testing.T) {
	for n, want := range map[float64]string{0: "0 %", 1: "100 %", 0.667: "67 %", 0.042: "4.2 %", 0.0003: "0.03 %"} {
		if got := show.Percent(n); got != want {
			t.Errorf("Percent(%v) = %s, want %s", n, got, want)
		}
	}
}

func TestUnits(t *testing.T) {
	for n, want := range map[float64]string{0: "0.00", 0.5: "0.50", 14.031: "14.03", 0.002: "0.002", 1234.5: "1,234.50"} {
		if got := show.Units(n); got != want {
			t.Errorf("Units(%v) = %s, want %s", n, got, want)
		}
	}
}

func TestWords(t *testing.T) {
	for got, want := range map[string]string{
		show.Count(1, "table", ""):           "1 table",
		show.Count(2, "index", "indexes"):    "2 indexes",
		show.Count(0, "warning", ""):         "0 warnings",
		show.List(nil):                       "",
		show.List([]string{"a"}):             "a",
		show.List([]string{"a", "b", "c"}):   "a, b and c",
		show.List([]string{"read", "write"}): "read and write",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestLasting(t *testing.T) {
	for d, want := range map[time.Duration]string{
		8 * 24 * time.Hour: "8 days", 47 * time.Hour: "47 hours", 150 * time.Minute: "2.5 hours", 100 * time.Minute: "100 minutes",
		90 * time.Second: "90 seconds", 2 * time.Second: "2 seconds", 1234 * time.Millisecond: "1,234 ms", 61784 * time.Nanosecond: "61.8 µs", 0: "0s",
	} {
		if got := show.Lasting(d); got != want {
			t.Errorf("%v: %s, not %s", d, got, want)
		}
	}
}
