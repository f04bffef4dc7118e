package design_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/internal/norace"
)

// applications are whole ones that most tests design.
var applications = []string{"../prove/testdata/tracker.yaml", "../prove/testdata/desk.yaml", "../plan/testdata/club.yaml"}

// TestApplications designs requirements that were written for the tests of other packages, with models made by hand: whole
// applications that use most of what the format can say. The designer has to find models for them by itself.
func TestApplications(t *testing.T) {
	if !norace.Here(t) {
		return
	}
	var all accurate
	t.Cleanup(func() { all.hold(t) })
	for _, file := range applications {
		name := strings.TrimSuffix(filepath.Base(file), ".yaml")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := load(t, file)
			d := designed(t, r)
			golden(t, "testdata/applications/"+name+".golden", summary(d))
			p := compiled(t, r, d)
			samePrice(t, d, p)
			all.add(proven(t, p))
		})
	}
}
