package invent

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/tablewright/tablewright/cost"
	"github.com/tablewright/tablewright/design"
	"github.com/tablewright/tablewright/internal/norace"
	"github.com/tablewright/tablewright/internal/pipeline"
	"github.com/tablewright/tablewright/model"
)

// A worker is this test binary in another process: what hangs, takes all memory or ends the process is a finding there, and
// not the end of the run.

// job is what a worker is to do.
type job struct {
	Text  []byte        `json:"text"`
	Under []byte        `json:"under,omitempty"` // requirements under which the designed model is priced once more
	Prove bool          `json:"prove,omitempty"`
	Limit time.Duration `json:"limit"`
}

// outcome is what came of it.
type outcome struct {
	Kind   string  `json:"kind"`
	Detail string  `json:"detail,omitempty"`
	Took   float64 `json:"took"` // seconds

	Cost     float64 `json:"cost"`     // dollars a month
	Requests float64 `json:"requests"` // of them
	Cheapest float64 `json:"cheapest"` // what the search found; the design costs up to 2 % more if it is simpler
	Bound    float64 `json:"bound"`    // what nothing costs less than; the same if that is proven
	// The same of the designed model under the other requirements.
	UnderCost     float64 `json:"underCost,omitempty"`
	UnderRequests float64 `json:"underRequests,omitempty"`

	Proof []verdict `json:"proof,omitempty"`
	Other string    `json:"other,omitempty"` // the line that is another when the model is read back and written
}

// verdict is that on one pattern.
type verdict struct {
	Pattern             string
	Cause               string // "": it is proven
	Differs             bool   // its answers are right
	Estimated, Consumed float64
	Stated              float64 // by the laws of stated figures, on as much data
}

// Kinds of outcomes. The first three are all that may be.
const (
	served      = "served"
	infeasible  = "infeasible"
	unsupported = "unsupported"

	findings    = "findings"
	unreasoned  = "no reasons" // infeasible or unsupported, and nothing said about why
	uncompiled  = "does not compile"
	unreadable  = "is not read back"
	otherPrice  = "another price when read back"
	otherText   = "another text when read back"
	searchPrice = "another price than the search says"
	failed      = "error"
	panicked    = "panic"
	late        = "timeout" // it has ended with its context, and found nothing
	hanging     = "hang"    // it has not ended with its context
	crashed     = "crash"
	memory      = "memory"
	notProven   = "not proven"
	notProvable = "no proof"
	unitsDiffer = "units differ"
)

const workerEnv = "TABLEWRIGHT_INVENT_WORKER"

// mostMemory is what a case may take.
const mostMemory = 2 << 30

// TestWorker is a worker, when it is started as one.
func TestWorker(t *testing.T) {
	if os.Getenv(workerEnv) == "" {
		t.Skip("it is started by TestRandom")
	}
	go func() {
		for range time.Tick(200 * time.Millisecond) {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			if m.HeapAlloc > mostMemory {
				os.Exit(exitMemory)
			}
		}
	}()
	in := json.NewDecoder(bufio.NewReader(os.Stdin))
	out := json.NewEncoder(os.NewFile(3, "outcomes"))
	for {
		var j job
		if in.Decode(&j) != nil {
			return
		}
		if err := out.Encode(j.do()); err != nil {
			return
		}
	}
}

const exitMemory = 77

// proofs is how many times as long as a design a proof may take.
const proofs = 6

var frames = regexp.MustCompile(`github.com/tablewright/tablewright/([a-z/]+)\.([^\n]*?)\([^()\n]*\)\n\t[^\n]*/([a-z_]+\.go:\d+)`)

// do designs, and what else is wanted.
func (j job) do() (o outcome) {
	begin := time.Now()
	defer func() {
		o.Took = time.Since(begin).Seconds()
		if r := recover(); r != nil {
			o.Kind, o.Detail = panicked, fmt.Sprint(r)
			_, stack, _ := strings.Cut(string(debug.Stack()), "panic(")
			for i, f := range frames.FindAllStringSubmatch(stack, 5) {
				if i < 3 {
					o.Detail += fmt.Sprintf("\n  %s.%s %s", f[1], f[2], f[3])
				}
			}
		}
	}()
	ctx, cancel := context.WithTimeout(context.Background(), j.Limit)
	defer cancel()
	p, err := pipeline.Read(pipeline.Document{Name: "requirements.yaml", Text: j.Text})
	if err != nil {
		return outcome{Kind: findings, Detail: err.Error()}
	}
	if o = designed(p.Design(ctx, pipeline.Options{Time: j.Limit / 2})); o.Kind != served {
		return o
	}
	o.Cost, o.Requests = dollars(p.Price)
	var searched float64
	for _, c := range p.Components {
		searched += c.Chosen.Cost.Dollars()
		o.Cheapest += c.Cheapest.Cost.Dollars()
		o.Bound += c.Bound.Dollars()
	}
	if math.Abs(searched-o.Cost) > 0.005 {
		return outcome{Kind: searchPrice, Detail: fmt.Sprintf("$%.3f a month, and the search said $%.3f", o.Cost, searched)}
	}
	switch again := readBack(p, j.Text); again.Kind {
	case served:
	case otherText:
		o.Other = again.Detail
	default:
		return again
	}
	if j.Under != nil {
		r := accepted(j.Under)
		program, problems := model.CompileModel(p.Model, nil, r)
		if problems.Errors() > 0 {
			return outcome{Kind: uncompiled, Detail: "with other rates: " + problems.Err().Error()}
		}
		o.UnderCost, o.UnderRequests = dollars(cost.Price(program, nil))
	}
	if j.Prove {
		o = j.proved(o, p)
	}
	return o
}

// designed says what an error of the designer is.
func designed(err error) outcome {
	var none *design.InfeasibleError
	var no *design.UnsupportedError
	switch {
	case err == nil:
		return outcome{Kind: served}
	case errors.As(err, &none):
		if len(none.Conflicts)+len(none.Losses) == 0 {
			return outcome{Kind: unreasoned, Detail: err.Error()}
		}
		return outcome{Kind: infeasible, Detail: err.Error()}
	case errors.As(err, &no):
		if len(no.Cases) == 0 && len(no.Losses) == 0 {
			return outcome{Kind: unreasoned, Detail: err.Error()}
		}
		return outcome{Kind: unsupported, Detail: err.Error()}
	case errors.Is(err, context.DeadlineExceeded):
		return outcome{Kind: late}
	case strings.Contains(err.Error(), "does not compile"):
		return outcome{Kind: uncompiled, Detail: err.Error()}
	}
	return outcome{Kind: failed, Detail: err.Error()}
}

func dollars(r *cost.Report) (whole, requests float64) {
	return r.Total().Dollars(), (r.Bill.Reads + r.Bill.Writes).Dollars()
}

// readBack writes the model, reads it, and holds its price and its text against what was designed.
func readBack(p *pipeline.Job, requirements []byte) outcome {
	text, err := p.ModelText()
	if err != nil {
		return outcome{Kind: unreadable, Detail: err.Error()}
	}
	q, err := pipeline.Read(pipeline.Document{Name: "requirements.yaml", Text: requirements})
	if err == nil {
		err = q.Load(pipeline.Document{Name: "model.yaml", Text: text}, pipeline.Options{})
	}
	if err != nil {
		return outcome{Kind: unreadable, Detail: err.Error()}
	}
	if before, after := p.Price.Total(), q.Price.Total(); before != after {
		return outcome{Kind: otherPrice, Detail: fmt.Sprintf("%s a month as designed, %s as read back", before, after)}
	}
	if again, err := q.ModelText(); err != nil || !bytes.Equal(again, text) {
		return outcome{Kind: otherText, Detail: fmt.Sprintf("%s%v", difference(text, again), err)}
	}
	return outcome{Kind: served}
}

// difference is the first line that differs.
func difference(a, b []byte) string {
	x, y := strings.Split(string(a), "\n"), strings.Split(string(b), "\n")
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			return fmt.Sprintf("%s\nwas\n%s\n", strings.TrimSpace(y[i]), strings.TrimSpace(x[i]))
		}
	}
	return "the end of it\n"
}

// proved runs the model against its oracle.
func (j job) proved(o outcome, p *pipeline.Job) outcome {
	ctx, cancel := context.WithTimeout(context.Background(), proofs*j.Limit)
	defer cancel()
	if err := p.Prove(ctx, pipeline.Options{}); err != nil {
		o.Kind, o.Detail = notProvable, err.Error()
		return o
	}
	sum := func(m map[string]float64) (n float64) {
		for _, x := range m {
			n += x
		}
		return n
	}
	for _, r := range p.Evidence.Patterns {
		v := verdict{Pattern: r.Name, Estimated: sum(r.Estimated), Consumed: sum(r.Consumed), Stated: r.Verdicts.Units.Stated}
		if v.Stated == 0 {
			v.Stated = v.Estimated
		}
		if !r.Proven {
			o.Kind, v.Cause = notProven, "not proven"
			if r.Failure != nil {
				v.Cause = r.Failure.Cause
			}
			v.Differs = r.Verdicts.Answers.Right && !r.Verdicts.Units.Within
		}
		o.Proof = append(o.Proof, v)
	}
	return o
}

// worker is a process that does jobs one after another; a new one takes its place when it has to be ended.
type worker struct {
	command *exec.Cmd
	in      *json.Encoder
	out     chan outcome
	said    *bytes.Buffer // on standard error
}

func (w *worker) start() error {
	r, out, err := os.Pipe()
	if err != nil {
		return err
	}
	w.command = exec.Command(os.Args[0], "-test.run=^TestWorker$", "-test.timeout=0")
	w.command.Env = append(os.Environ(), workerEnv+"=1", "GOGC=200")
	w.command.ExtraFiles = []*os.File{out}
	w.said = &bytes.Buffer{}
	w.command.Stderr = w.said
	in, err := w.command.StdinPipe()
	if err != nil {
		return err
	}
	if err := w.command.Start(); err != nil {
		return err
	}
	_ = out.Close()
	w.in = json.NewEncoder(in)
	w.out = make(chan outcome)
	go func(outcomes chan outcome) {
		defer r.Close()
		defer close(outcomes)
		for d := json.NewDecoder(r); ; {
			var o outcome
			if d.Decode(&o) != nil {
				return
			}
			outcomes <- o
		}
	}(w.out)
	return nil
}

func (w *worker) end() {
	if w.command != nil {
		_ = w.command.Process.Kill()
		_ = w.command.Wait()
		for range w.out {
		}
		w.command = nil
	}
}

// do has a job done, and ends what does not end.
func (w *worker) do(j job) outcome {
	if w.command == nil {
		if err := w.start(); err != nil {
			return outcome{Kind: crashed, Detail: err.Error()}
		}
	}
	if err := w.in.Encode(j); err != nil {
		w.end()
		return outcome{Kind: crashed, Detail: err.Error()}
	}
	wait := j.Limit + 5*time.Second
	if j.Prove {
		wait += proofs * j.Limit
	}
	deadline := time.NewTimer(wait)
	defer deadline.Stop()
	select {
	case o, ok := <-w.out:
		if ok {
			return o
		}
		_ = w.command.Wait()
		code := w.command.ProcessState.ExitCode()
		w.command = nil
		if code == exitMemory {
			return outcome{Kind: memory}
		}
		text, _, _ := strings.Cut(w.said.String(), "\ngoroutine ")
		return outcome{Kind: crashed, Detail: fmt.Sprintf("exit code %d: %.300s", code, text)}
	case <-deadline.C:
		w.end()
		return outcome{Kind: hanging, Took: wait.Seconds()}
	}
}

// TestJob: a worker designs, proves and prices what it is given, and ends what takes too long without the others noticing.
func TestJob(t *testing.T) {
	if !norace.Here(t) {
		return
	}
	w := &worker{}
	defer w.end()
	o := w.do(job{Text: model.Starter(), Under: scaled.Apply(1, model.Starter()), Prove: true, Limit: time.Minute})
	if o.Kind != served || len(o.Proof) != 9 || o.Cost <= 0 || math.Abs(o.UnderRequests-Factor*o.Requests) > 0.01 {
		t.Errorf("%+v", o)
	}
	if o := w.do(job{Text: []byte("tablewright: 1\n"), Limit: time.Minute}); o.Kind != findings {
		t.Errorf("%+v", o)
	}
	if o := w.do(job{Text: model.Starter(), Limit: time.Nanosecond}); o.Kind != late {
		t.Errorf("%+v", o)
	}
	w.end()
	if o := w.do(job{Text: model.Starter(), Limit: time.Minute}); o.Kind != served {
		t.Errorf("after it was ended: %+v", o)
	}
	for _, c := range Changes {
		if kind, detail := compare(w, &c, 1, model.Starter(), nil); kind != "" {
			t.Errorf("%s: %s", kind, detail)
		}
	}
}

// TestFound designs and proves what was once found to be designed or proven wrongly, each as small as it could be made.
func TestFound(t *testing.T) {
	if !norace.Here(t) {
		return
	}
	files, err := filepath.Glob("testdata/found/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("nothing is there: %v", err)
	}
	w := &worker{}
	defer w.end()
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".yaml"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			o := w.do(job{Text: text, Prove: true, Limit: time.Minute})
			if o.Kind != served {
				t.Errorf("%s: %s", o.Kind, o.Detail)
			}
			for _, p := range o.problems() {
				t.Errorf("%s: %s", p.kind, p.detail)
			}
		})
	}
}
