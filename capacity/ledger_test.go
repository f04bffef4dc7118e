package capacity_test

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/capacity"
)

// TestLedger holds the package to what AWS documents and what was measured on it.
func TestLedger(t *testing.T) {
	text, err := os.ReadFile("testdata/ledger.txt")
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for i, line := range strings.Split(string(text), "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		call, rest, _ := strings.Cut(line, " = ")
		result, source, _ := strings.Cut(rest, " ")
		want, err := strconv.ParseFloat(result, 64)
		if err != nil || strings.TrimSpace(source) == "" {
			t.Fatalf("line %d: no result and source", i+1)
		}
		words := strings.Fields(call)
		got, ok := consumed(t, words[0], words[1:])
		if !ok {
			t.Fatalf("line %d: unknown operation %s", i+1, words[0])
		}
		if got != want {
			t.Errorf("line %d: %s = %v, not %v", i+1, call, got, want)
		}
		checked++
	}
	if checked < 45 {
		t.Errorf("only %d lines checked", checked)
	}
}

var consistencies = map[string]capacity.Consistency{
	"eventual": capacity.Eventual, "strong": capacity.Strong, "transactional": capacity.Transactional,
}

var arms = map[string]capacity.Arm{
	"none": capacity.None, "in-place": capacity.InPlace, "enter": capacity.Enter, "leave": capacity.Leave, "move": capacity.Move,
}

func consumed(t *testing.T, operation string, args []string) (units float64, ok bool) {
	if operation == "arm" {
		s := parseSizes(t, args[1:])
		return float64(capacity.ArmUnits(arms[args[0]], s[0], s[1])), true
	}
	c, isRead := consistencies[args[0]]
	if isRead {
		args = args[1:]
	}
	s := parseSizes(t, args)
	var sum capacity.Bytes
	for _, b := range s {
		sum += b
	}
	switch operation {
	case "get":
		return float64(capacity.Get(s[0], c)), isRead
	case "batch-get":
		return float64(capacity.BatchGet(s, c)), isRead
	case "fetch-back":
		return float64(capacity.FetchBack(s, c)), isRead
	case "query":
		return float64(capacity.Query(sum, c)), isRead
	case "full-page":
		var page capacity.Bytes
		for !capacity.PageFull(page) {
			page += s[0]
		}
		return float64(capacity.Query(page, c)), isRead
	case "write":
		return float64(capacity.Write(s[0], s[1])), true
	case "transact":
		return float64(capacity.Transact(capacity.Write(s[0], s[1]))), true
	case "condition-check":
		return float64(capacity.ConditionCheck(s[0])), true
	case "replay":
		return float64(capacity.Replay(s[0], s[1])), true
	}
	return 0, false
}

func parseSizes(t *testing.T, args []string) (sizes []capacity.Bytes) {
	for _, a := range args {
		times := 1
		if n, size, ok := strings.Cut(a, "x"); ok {
			a = size
			times, _ = strconv.Atoi(n)
		}
		kb, isKB := strings.CutSuffix(a, "KB")
		f, err := strconv.ParseFloat(kb, 64)
		if err != nil {
			t.Fatalf("no size: %s", a)
		}
		if isKB {
			f *= 1024
		}
		for range times {
			sizes = append(sizes, capacity.Bytes(f))
		}
	}
	return sizes
}
