package design_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tablewright/tablewright/design"
)

// TestLimits designs requirements that meet one hard limit of DynamoDB each. Those that cannot be served are answered with
// the smallest set of statements that collide; the others avoid what the limit forbids.
func TestLimits(t *testing.T) {
	files, err := filepath.Glob("testdata/limits/*.yaml")
	if err != nil || len(files) < 6 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".yaml"), func(t *testing.T) {
			t.Parallel()
			r := load(t, file)
			d, err := design.Design(t.Context(), r, design.Options{})
			text := ""
			var none *design.InfeasibleError
			switch {
			case errors.As(err, &none):
				text = err.Error() + "\n"
				if !none.Smallest && len(none.Conflicts) <= 4 {
					t.Error("the set is not proven to be the smallest")
				}
				for _, c := range none.Conflicts {
					if c.Of == "" || c.Statement == "" {
						t.Errorf("%+v says nothing", c)
					}
				}
			case err != nil:
				t.Fatal(err)
			default:
				text = summary(d)
				compiled(t, r, d)
			}
			golden(t, strings.TrimSuffix(file, ".yaml")+".golden", text)
		})
	}
}
