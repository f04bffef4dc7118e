package streams_test

import (
	"slices"
	"testing"

	"github.com/tablewright/tablewright/streams"
)

// Sequence numbers are numbers written as texts of any length.
func TestCompare(t *testing.T) {
	in := []string{"9", "10", "99", "100", "400000000499660", "4000000004996600"}
	got := slices.Clone(in)
	slices.Reverse(got)
	slices.SortFunc(got, streams.Compare)
	if !slices.Equal(got, in) || streams.Compare("10", "10") != 0 {
		t.Errorf("%v", got)
	}
}
