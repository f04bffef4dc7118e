package conformance

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"time"
)

// Report is what came out of a run.
type Report struct {
	Began   time.Time
	Took    time.Duration
	Results []Result // in the order of the cases
}

// Counts are numbers of cases.
type Counts struct {
	Passed  int `json:"passed"`
	Failed  int `json:"failed"`
	Missing int `json:"missing"`
	Skipped int `json:"skipped"`
}

func (c *Counts) add(s Status) {
	switch s {
	case Passed:
		c.Passed++
	case Failed:
		c.Failed++
	case Missing:
		c.Missing++
	case Skipped:
		c.Skipped++
	}
}

// Done is the number of cases that were done: all but those that were skipped.
func (c Counts) Done() int { return c.Passed + c.Failed + c.Missing }

// Share is how much of what was done has passed, from 0 to 1; 1 if nothing was.
func (c Counts) Share() float64 {
	if c.Done() == 0 {
		return 1
	}
	return float64(c.Passed) / float64(c.Done())
}

// SubjectCounts are the counts of a subject.
type SubjectCounts struct {
	Subject string `json:"subject"`
	Counts
}

// Total counts all cases.
func (r *Report) Total() (c Counts) {
	for _, result := range r.Results {
		c.add(result.Status)
	}
	return c
}

// Subjects counts the cases of each subject, in the order of the cases.
func (r *Report) Subjects() []SubjectCounts {
	var all []SubjectCounts
	at := map[string]int{}
	for _, result := range r.Results {
		subject := result.Case.Subject()
		i, seen := at[subject]
		if !seen {
			i = len(all)
			at[subject] = i
			all = append(all, SubjectCounts{Subject: subject})
		}
		all[i].add(result.Status)
	}
	return all
}

// WriteJUnit writes the report as JUnit's XML, which CI servers read: a suite for each subject.
func (r *Report) WriteJUnit(w io.Writer) error {
	type message struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
	type testcase struct {
		Class   string   `xml:"classname,attr"`
		Name    string   `xml:"name,attr"`
		Time    string   `xml:"time,attr"`
		Failure *message `xml:"failure"`
		Skipped *message `xml:"skipped"`
	}
	type testsuite struct {
		Name     string     `xml:"name,attr"`
		Tests    int        `xml:"tests,attr"`
		Failures int        `xml:"failures,attr"`
		Skipped  int        `xml:"skipped,attr"`
		Cases    []testcase `xml:"testcase"`
	}
	type document struct {
		XMLName  xml.Name    `xml:"testsuites"`
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Skipped  int         `xml:"skipped,attr"`
		Time     string      `xml:"time,attr"`
		Suites   []testsuite `xml:"testsuite"`
	}
	total := r.Total()
	d := document{Name: "DynamoDB conformance", Tests: len(r.Results), Failures: total.Failed + total.Missing, Skipped: total.Skipped, Time: seconds(r.Took)}
	of := map[string]int{}
	for i, s := range r.Subjects() {
		of[s.Subject] = i
		d.Suites = append(d.Suites, testsuite{Name: s.Subject, Tests: s.Done() + s.Skipped, Failures: s.Failed + s.Missing, Skipped: s.Skipped})
	}
	for _, result := range r.Results {
		subject, name, _ := strings.Cut(result.Name, ": ")
		c := testcase{Class: subject, Name: name, Time: seconds(result.Took)}
		switch result.Status {
		case Failed, Missing:
			c.Failure = &message{result.Summary(), result.Detail()}
		case Skipped:
			c.Skipped = &message{Message: result.Reason}
		}
		s := &d.Suites[of[subject]]
		s.Cases = append(s.Cases, c)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(d); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.3f", d.Seconds()) }

// Summary is one line on what a case that has not passed got, the same in every run: of answers, which have times and
// identities in them, it says only that they are others.
func (r Result) Summary() string {
	switch {
	case r.Status == Passed:
		return ""
	case r.Unsupported != nil:
		return "no operation " + r.Unsupported.Operation
	case r.Failure == nil:
		return r.Reason
	case strings.HasPrefix(r.Failure.Expected, aboutHTTP+"status "):
		return aboutHTTP + "status " + r.Failure.Got
	case strings.HasPrefix(r.Failure.Expected, aboutHTTP): // headers have identities in them
		name, _, _ := strings.Cut(strings.TrimPrefix(r.Failure.Expected, aboutHTTP), " ")
		return aboutHTTP + "another " + strings.TrimSuffix(name, ":")
	case !strings.HasPrefix(r.Failure.Got, "{"):
		return r.Failure.Got
	case strings.HasPrefix(r.Failure.Expected, "{"):
		return "another answer"
	case strings.HasPrefix(r.Failure.Expected, "a member "):
		return "an answer without " + r.Failure.Expected
	}
	return "no error"
}

// Detail is all that is known about a case that has not passed: request, expectation, answer, and why the expectation is
// right.
func (r Result) Detail() string {
	var b strings.Builder
	switch {
	case r.Failure != nil:
		b.WriteString(r.Failure.Error())
	case r.Unsupported != nil:
		b.WriteString(r.Unsupported.Error())
	default:
		fmt.Fprintf(&b, "%s\n  %s", r.Place, r.Reason)
	}
	if r.Why != "" {
		b.WriteString("\n  because  " + r.Why)
	}
	if r.Page != "" {
		b.WriteString("\n  page     " + r.Page)
	}
	return b.String()
}
