package conformance

import (
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tablewright/tablewright/wire"
)

// slow is a target on which tables take some questions until they are there or gone, and that says nothing else.
type slow struct {
	mu     sync.Mutex
	tables map[string]int // how often each is asked for until it is as it should be
	going  map[string]bool
	asked  []string
	down   bool
	other  bool // there is a table of somebody else
}

func (s *slow) Do(_ context.Context, operation string, body []byte) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.down {
		return nil, errors.New("connection refused")
	}
	var in struct{ TableName string }
	_ = json.Unmarshal(body, &in) // of a request that is no JSON there is no name
	s.asked = append(s.asked, operation+" "+in.TableName)
	missing := wire.NewError(wire.CodeResourceNotFound, "Requested resource not found: Table: "+in.TableName+" not found")
	left, there := s.tables[in.TableName]
	switch operation {
	case "ListTables":
		if s.other {
			return []byte(`{"TableNames":["theirs"]}`), nil
		}
		return []byte(`{"TableNames":[]}`), nil
	case "CreateTable":
		s.tables[in.TableName] = 3
		return []byte(`{}`), nil
	case "DeleteTable":
		if !there {
			return nil, missing
		}
		if left > 0 {
			return nil, wire.NewError(wire.CodeResourceInUse, "being created")
		}
		s.tables[in.TableName], s.going[in.TableName] = 3, true
		return []byte(`{}`), nil
	case "DescribeTable":
		if !there {
			return nil, missing
		}
		s.tables[in.TableName] = left - 1
		switch {
		case left > 0 && s.going[in.TableName]:
			return []byte(`{"Table":{"TableStatus":"DELETING"}}`), nil
		case left > 0:
			return []byte(`{"Table":{"TableStatus":"CREATING"}}`), nil
		case s.going[in.TableName]:
			delete(s.tables, in.TableName)
			return nil, missing
		}
		return []byte(`{"Table":{"TableStatus":"ACTIVE"}}`), nil
	case "GetItem":
		if !there || left > 0 || s.going[in.TableName] {
			return nil, wire.NewError(wire.CodeResourceNotFound, "Requested resource not found")
		}
		return []byte(`{"A":"` + in.TableName + `"}`), nil
	}
	return nil, wire.NewError(wire.CodeUnknownOperation, "")
}

func newSlow() *slow { return &slow{tables: map[string]int{}, going: map[string]bool{}} }

const suiteCases = `# API_GetItem: it is so
> CreateTable {"TableName":"tbl"}

= found
> GetItem {"TableName":"tbl"}
< {"A":"tbl"}
# measured
= differs
> GetItem {"TableName":"tbl"}
< {"A":"other"}
= deleted
> DeleteTable {"TableName":"tbl"}
> GetItem {"TableName":"tbl"}
! ResourceNotFoundException: Requested resource not found
= coffee
> MakeCoffee {}
= all
> ListTables {}
< {"TableNames":[]}
`

// TestRun: what becomes of cases on a target that takes its time, and that nothing is left there, nor touched that is
// somebody else's.
func TestRun(t *testing.T) {
	cases, err := parse("f.txt", suiteCases)
	if err != nil {
		t.Fatal(err)
	}
	for _, other := range []bool{false, true} {
		target := newSlow()
		target.other = other
		told := 0
		r, err := Run(t.Context(), target, Options{Cases: cases, Parallel: 3, Progress: func(_ Result, done, of int) {
			if told++; done != told || of != 5 {
				t.Errorf("%d of %d are done, want %d", done, of, told)
			}
		}})
		if err != nil {
			t.Fatal(err)
		}
		want := []Status{Passed, Failed, Passed, Missing, Passed}
		if other {
			want[4] = Skipped
		}
		for i, result := range r.Results {
			if result.Status != want[i] {
				t.Errorf("%s: %s, want %s: %s", result.Name, result.Status, want[i], result.Detail())
			}
		}
		for name := range target.tables {
			if !target.going[name] {
				t.Errorf("%s is left", name)
			}
		}
		for _, asked := range target.asked {
			if operation, name, _ := strings.Cut(asked, " "); name != "" && !strings.HasPrefix(name, "conformance_") {
				t.Errorf("%s of %s, which is not the run's", operation, name)
			}
		}
		total := r.Total()
		if total.Passed+total.Skipped != 3 || total.Failed != 1 || total.Missing != 1 || len(r.Subjects()) != 1 {
			t.Errorf("%+v %+v", total, r.Subjects())
		}
		if page := r.Results[0].Page; page != "https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_GetItem.html" {
			t.Errorf("the page is %s", page)
		}
		if d := r.Results[1].Detail(); !strings.Contains(d, `{"A":"other"}`) || !strings.Contains(d, `{"A":"tbl"}`) || !strings.Contains(d, "measured") || !strings.Contains(d, "f.txt:10") {
			t.Errorf("%s", d)
		}
		var out strings.Builder
		if err := r.WriteJUnit(&out); err != nil {
			t.Fatal(err)
		}
		var junit struct {
			Tests    int `xml:"tests,attr"`
			Failures int `xml:"failures,attr"`
			Suites   []struct {
				Name  string `xml:"name,attr"`
				Cases []struct {
					Name    string `xml:"name,attr"`
					Failure *struct {
						Message string `xml:"message,attr"`
					} `xml:"failure"`
				} `xml:"testcase"`
			} `xml:"testsuite"`
		}
		if err := xml.Unmarshal([]byte(out.String()), &junit); err != nil {
			t.Fatal(err)
		}
		if junit.Tests != 5 || junit.Failures != 2 || junit.Suites[0].Cases[3].Failure.Message != "no operation MakeCoffee" {
			t.Errorf("%s", &out)
		}
	}
}

// TestKeptOfSetup: what the setup cannot keep matters only to the cases that use it.
func TestKeptOfSetup(t *testing.T) {
	cases, err := parse("f.txt", "> Op {}\n@ x A.0.B\n@ y C\n= one\n> Op {}\n= two\n> Op {\"a\":\"$x\"}\n= three\n> Op {\"a\":\"$y\"}\n= four\n> Op {}\n@ x A.0.B\n")
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"", "f.txt:2", "", "f.txt:12"} {
		err := cases[i].Run(t.Context(), canned{"Op": `{"C":1,"A":[]}`})
		var f *Failure
		if errors.As(err, &f); want == "" && err != nil || want != "" && (f == nil || f.Place != want) {
			t.Errorf("%s: %v, want a failure at %q", cases[i].Name, err, want)
		}
	}
}

// TestRunGivesUp: a target that is not there, or goes away, ends the run.
func TestRunGivesUp(t *testing.T) {
	target := newSlow()
	target.down = true
	if _, err := Run(t.Context(), target, Options{}); err == nil || !strings.Contains(err.Error(), "connection refused") {
		t.Error(err)
	}
	cases, err := parse("f.txt", strings.Repeat("= case\n> GetItem {}\n! X: y\n", 100))
	if err != nil {
		t.Fatal(err)
	}
	target.down = false
	down := func(is bool) {
		target.mu.Lock()
		target.down = is
		target.mu.Unlock()
	}
	// Once it comes back, and once it does not.
	s := &suite{target: target, revival: 300 * time.Millisecond, results: make([]Result, len(cases)), Options: Options{Cases: cases}}
	s.Progress = func(_ Result, done, _ int) {
		switch done {
		case 5, 50:
			down(true)
		case 6:
			time.AfterFunc(100*time.Millisecond, func() { down(false) })
		}
	}
	err = s.run(t.Context())
	if err == nil || !strings.Contains(err.Error(), "does not answer any more") || s.done != 51 || s.results[5].Status != Failed || s.results[6].Reason != "" {
		t.Errorf("%d results, %v", s.done, err)
	}
	down(false)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Run(ctx, newSlow(), Options{Cases: cases}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	target = newSlow()
	target.other = true
	if _, err := Run(t.Context(), target, Options{Cases: cases, Own: true}); err == nil {
		t.Error("a target with tables is taken for the run's own")
	}
}

// TestDifferences: a list is read as it is written, and what it does not tell is a surprise.
func TestDifferences(t *testing.T) {
	cases, err := parse("f.txt", suiteCases)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Run(t.Context(), newSlow(), Options{Cases: cases})
	if err != nil {
		t.Fatal(err)
	}
	found := r.Differences(Differences{"f: coffee": {Why: "nobody has it"}})
	if len(found) != 2 || found["f: coffee"] != (Difference{"no operation MakeCoffee", "nobody has it"}) || found["f: differs"].Why != "measured" {
		t.Errorf("%+v", found)
	}
	var b strings.Builder
	if err := found.Write(&b, "What\ndiffers.", cases); err != nil {
		t.Fatal(err)
	}
	read, err := ReadDifferences(strings.NewReader(b.String()))
	if err != nil || len(read) != 2 || read["f: coffee"] != found["f: coffee"] {
		t.Errorf("%v %+v from\n%s", err, read, &b)
	}
	if s := r.Surprises(read); len(s) != 0 {
		t.Errorf("%+v", s)
	}
	either := Differences{"f: coffee": {Got: "tea | no operation MakeCoffee"}, "f: differs": found["f: differs"]}
	if s, again := r.Surprises(either), r.Differences(either); len(s) != 0 || again["f: coffee"].Got != either["f: coffee"].Got {
		t.Errorf("one of two answers: %+v %+v", s, again)
	}
	delete(read, "f: coffee")
	read["f: found"] = Difference{Got: "x"}
	read["f: differs"] = Difference{Got: "y"}
	read["f: nobody"] = Difference{Got: "z"}
	var names []string
	for _, s := range r.Surprises(read) {
		names = append(names, s.Result.Name)
	}
	if !slices.Equal(names, []string{"f: found", "f: differs", "f: coffee"}) || !slices.Equal(read.Unknown(cases), []string{"f: nobody"}) {
		t.Errorf("%v %v", names, read.Unknown(cases))
	}
	for _, bad := range []string{"  got x\n", "f: a\n  got x\nf: a\n", "f: a\nf: b\n", "f: a\n  gut x\n"} {
		if _, err := ReadDifferences(strings.NewReader(bad)); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}

// wired is a target over HTTP that answers everything alike.
type wired struct {
	canned
	got Request
	say Response
}

func (w *wired) Send(_ context.Context, r Request) (*Response, error) {
	w.got = r
	return &w.say, nil
}

// TestHTTP: what a case says of a request is sent so, and what it says of the response can fail.
func TestHTTP(t *testing.T) {
	w := &wired{say: Response{Status: 200, Header: map[string][]string{"X-Amz-Crc32": {"2745614147"}, "X": {"a b"}}, Body: []byte("{}")}}
	one := func(text string) error {
		t.Helper()
		cases, err := parse("f.txt", "= case\n"+text)
		if err != nil {
			t.Fatal(err)
		}
		return cases[0].Run(t.Context(), w)
	}
	for text, fails := range map[string]bool{
		"> Op {}\n$ status 200\n$ X: a.b\n$ body \\{\\}\n$ crc32\n< {}\n": false,
		"> Op {}\n$ status 20\n":               true,
		"> Op {}\n$ X: a\n":                    true,
		"> Op {}\n$ body x\n":                  true,
		"> Op {}\n$ status 200\n< {\"a\":1}\n": true,
	} {
		var f *Failure
		if err := one(text); errors.As(err, &f) != fails || !fails && err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
	w.say.Header["X-Amz-Crc32"] = []string{"1"}
	if one("> Op {}\n$ crc32\n") == nil {
		t.Error("a wrong checksum is taken")
	}
	if err := one("> Op {\"a\":1}\n^ PUT /x\n^ A: b\n^ X-Amz-Target:\n^ gzip\n"); err != nil {
		t.Error(err)
	}
	values, there := w.got.Header["X-Amz-Target"]
	if w.got.Method != "PUT" || w.got.Path != "/x" || w.got.Header.Get("A") != "b" || !there || values != nil || w.got.Header.Get("Content-Encoding") != "gzip" || w.got.Body[0] != 0x1f {
		t.Errorf("%+v", w.got)
	}
	if err := one("> Op {}\n^ squeeze\n"); err == nil {
		t.Error("nonsense is taken for a header")
	}
	// A target that is none over HTTP skips these.
	cases, err := parse("f.txt", "= case\n> Op {}\n$ status 200\n")
	if err != nil {
		t.Fatal(err)
	}
	r, err := Run(t.Context(), newSlow(), Options{Cases: cases})
	if err != nil || r.Results[0].Status != Skipped {
		t.Errorf("%v %+v", err, r)
	}
}

// TestSignerWrites: a signer that writes into a header that a case gives, as the AWS SDK's does, does not change what is
// sent of it.
func TestSignerWrites(t *testing.T) {
	var got string
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got = r.Header.Get("Authorization") }))
	defer server.Close()
	e := &Endpoint{URL: server.URL, Sign: func(r *http.Request, _ []byte) error {
		r.Header["Authorization"] = append(r.Header["Authorization"][:0], "signed")
		return nil
	}}
	header := http.Header{"Authorization": {"Bearer anything"}}
	if _, err := e.Send(t.Context(), Request{Operation: "ListTables", Method: "POST", Path: "/", Header: header, Body: []byte("{}")}); err != nil {
		t.Fatal(err)
	}
	if got != "Bearer anything" {
		t.Errorf("sent %q", got)
	}
}
