package prove_test

import (
	"os"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/internal/norace"
)

// TestRequiredBeside: what an action requires may be what one before it creates: read before the write, asked for in it, counted
// at, one for each element of a list, and with copies of what is created.
func TestRequiredBeside(t *testing.T) {
	if !norace.Here(t) {
		return
	}
	text, err := os.ReadFile("../design/testdata/strategies/required-beside.yaml")
	if err != nil {
		t.Fatal(err)
	}
	_, workspaces, _ := strings.Cut(string(text), "application: required-beside")
	const leaving = `  closeWorkspace: {write: {delete: Workspace, DELETED}, rate: {average: 0.001/s, peak: 1/s}}
  leave: {write: {delete: Membership}, rate: {average: 0.001/s, peak: 1/s}}
`
	counts := []string{"title: {type: string, bytes: 30}", "title: {type: string, bytes: 30}\n      size: {derived: count(members)}"}
	for _, c := range []struct {
		name, more string
		changes    []string
	}{
		{"read first", "", nil},
		{"asked for", strings.Replace(leaving, "DELETED", "with: [members]", 1), []string{"max: 300", "max: 60"}},
		{"counted", "", counts},
		{"counted, and deleted", strings.Replace(leaving, "DELETED", "condition: size = 0, refusal: has-members", 1), counts},
		{"of a list", "", []string{
			"{create: Membership, requires: [workspace, account]}], rate",
			"{create: Membership, each: $founders, requires: [workspace, account]}], parameters: {founders: {length: {average: 3, max: 9}}}, rate",
		}},
		{"copied", "  retitle: {write: {update: Workspace, set: [title]}, rate: {average: 0.001/s, peak: 1/s}}\n", []string{
			"role: {enum", "title: {derived: workspace.title}\n      role: {enum", "bytes: 60", "bytes: 90",
		}},
	} {
		e := proof(t, cheapest(t, stated(t, strings.NewReplacer(c.changes...).Replace(workspaces)+c.more)))
		for _, p := range e.Patterns {
			if p.Failure != nil {
				t.Errorf("%s: %s: %s", c.name, p.Name, p.Failure.Cause)
			}
		}
		if p := e.Pattern("openWorkspace"); p.Measured < 16 {
			t.Errorf("%s: %d calls are measured, refused %v", c.name, p.Measured, p.Refused)
		}
	}
}
