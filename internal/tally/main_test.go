package main

import (
	"strings"
	"testing"
)

func TestTally(t *testing.T) {
	for _, c := range []struct {
		name, in string
		ok       bool
		want     []string
		not      []string
	}{
		{
			name: "passed and skipped",
			in: `gofmt says nothing
{"Action":"start","Package":"p"}
{"Action":"output","Package":"p","Test":"TestA","Output":"    a_test.go:1: chatter\n"}
{"Action":"pass","Package":"p","Test":"TestA","Elapsed":0}
{"Action":"output","Package":"p","Test":"TestB","Output":"=== RUN   TestB\n"}
{"Action":"output","Package":"p","Test":"TestB","Output":"    b_test.go:7: no Java\n"}
{"Action":"output","Package":"p","Test":"TestB","Output":"--- SKIP: TestB (0.00s)\n"}
{"Action":"skip","Package":"p","Test":"TestB","Elapsed":0}
{"Action":"pass","Package":"p","Elapsed":1.25}
{"Action":"skip","Package":"without-tests","Elapsed":0}
`,
			ok:   true,
			want: []string{"gofmt says nothing\n", "ok   p  1.2s\n", "skipped: p TestB: b_test.go:7: no Java\n", "1 tests passed, 0 failed, 1 skipped; 2 packages passed, 0 failed\n"},
			not:  []string{"chatter"},
		},
		{
			name: "failed",
			in: `{"Action":"output","Package":"p","Test":"TestA","Output":"    a_test.go:1: 1 is not 2\n"}
{"Action":"fail","Package":"p","Test":"TestA","Elapsed":0}
{"Action":"pass","Package":"p","Test":"TestB","Elapsed":0}
{"Action":"fail","Package":"p","Elapsed":0}
`,
			want: []string{"1 is not 2", "FAIL p", "failed: p TestA\n", "1 tests passed, 1 failed, 0 skipped; 0 packages passed, 1 failed\n"},
		},
		{
			name: "panic",
			in: `{"Action":"output","Package":"p","Test":"TestA","Output":"panic: no\n"}
{"Action":"fail","Package":"p","Elapsed":0}
`,
			want: []string{"panic: no\n", "FAIL p"},
		},
		{
			name: "does not build",
			in: `{"ImportPath":"p","Action":"build-output","Output":"p.go:1: undefined: x\n"}
{"ImportPath":"p","Action":"build-fail"}
{"Action":"fail","Package":"p","Elapsed":0,"FailedBuild":"p"}
`,
			want: []string{"p.go:1: undefined: x\n", "0 packages passed, 1 failed"},
		},
		{name: "nothing", in: "make: *** no rule\n", want: []string{"make: *** no rule\n", "0 tests passed"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out strings.Builder
			ok, err := tally(strings.NewReader(c.in), &out)
			if err != nil || ok != c.ok {
				t.Error(ok, err)
			}
			for _, want := range c.want {
				if !strings.Contains(out.String(), want) {
					t.Errorf("without %q:\n%s", want, &out)
				}
			}
			for _, not := range c.not {
				if strings.Contains(out.String(), not) {
					t.Errorf("with %q:\n%s", not, &out)
				}
			}
		})
	}
}
