package conformance

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tablewright/tablewright/wire"
)

// Run does the case on a target and reports what is not as expected: a *Failure, an *Unsupported if the target does not
// have the operation at all, or another error if it could not be asked. It is nil if all is well. The case's tables have
// names that nobody else uses, and are deleted at the end.
//
// A target may take its time: Run waits until a table that was created or changed is ACTIVE and one that was deleted gone.
func (c Case) Run(ctx context.Context, t Target) error {
	p := &play{Case: c, target: t, names: names{prefix: newPrefix()}, patience: defaultPatience}
	return p.run(ctx)
}

// defaultPatience is how long a change of a table may take.
const defaultPatience = time.Minute

// prefixStart begins the names of all tables that this package makes.
const prefixStart = "conformance_"

// newPrefix begins the names of a run's tables. Letters, digits and _ can stand in PartiQL without quotes.
func newPrefix() string { return prefixStart + strings.ToLower(rand.Text()[:8]) + "_" }

// play is a case being done.
type play struct {
	Case
	target   Target
	names    names
	settle   time.Duration // how long a read may go on answering what was before
	patience time.Duration // how long a change of a table may take
	kept     map[string]string
	lacking  map[string]error // what the answers to the setup did not have to be kept: it matters to who uses it
	inSetup  bool
	made     []string // tables at the target, by their names there
}

// A Failure is an answer that is not the expected one.
type Failure struct {
	Place    string `json:"place"` // of the expectation: "put_item.txt:14"
	Request  string `json:"request"`
	Expected string `json:"expected"`
	Got      string `json:"got"`
}

// Error tells all of it.
func (f *Failure) Error() string {
	return fmt.Sprintf("%s\n  request  %s\n  expected %s\n  got      %s", f.Place, f.Request, f.Expected, f.Got)
}

// Unsupported is the end of a case that needs an operation which the target does not have.
type Unsupported struct {
	Place     string `json:"place"`
	Operation string `json:"operation"`
}

// Error tells which.
func (u *Unsupported) Error() string {
	return u.Place + ": the target does not have the operation " + u.Operation
}

func (p *play) run(ctx context.Context) (err error) {
	defer func() {
		if left := p.clean(context.WithoutCancel(ctx)); err == nil {
			err = left
		}
	}()
	p.kept, p.lacking = map[string]string{}, map[string]error{}
	for i, s := range p.steps {
		p.inSetup = i < p.setup
		if err := p.step(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

// step sends a request and compares what comes.
func (p *play) step(ctx context.Context, s step) error {
	asked := s.request
	if asked == "" {
		asked = "{}"
	}
	request := p.names.request(asked)
	for name, failure := range p.lacking {
		if strings.Contains(request, `"$`+name+`"`) {
			return failure
		}
	}
	for name, text := range p.kept {
		request = strings.ReplaceAll(request, `"$`+name+`"`, text)
	}
	for pause, waited := 10*time.Millisecond, time.Duration(0); ; pause *= 2 {
		answer, refused, wrong, err := p.send(ctx, s, request)
		if err != nil {
			return err
		}
		if wrong != nil {
			return wrong
		}
		if refused == nil && s.operation == "CreateTable" { // also where the case has expected that it is refused
			p.made = append(p.made, tableOf(request))
		}
		failure := p.judge(s, p.names.answer(request), answer, refused)
		again := failure != nil && reads(s.operation) && waited < p.settle || refused != nil && busy(s, refused) && waited < p.patience
		if !again {
			if failure != nil {
				return failure
			}
			if refused == nil {
				return p.changed(ctx, s.operation, request, answer)
			}
			return nil
		}
		if err := sleep(ctx, pause); err != nil {
			return err
		}
		waited += pause
	}
}

// send sends a step's request. What is wrong with the response as one of HTTP is a failure.
func (p *play) send(ctx context.Context, s step, request string) (answer []byte, refused *wire.Error, failure, err error) {
	if s.raw() {
		t, ok := p.target.(Sender)
		if !ok {
			return nil, nil, nil, errNoHTTP
		}
		return p.raw(ctx, t, s, request)
	}
	answer, refused, err = p.ask(ctx, s.operation, request)
	return answer, refused, nil, err
}

// errNoHTTP ends a case about HTTP on a target that is not one over HTTP.
var errNoHTTP = errors.New("conformance: the case is about HTTP, and the target is none over HTTP")

// ask sends a request and answers what comes back in two parts: an answer or a refusal.
func (p *play) ask(ctx context.Context, operation, request string) (answer []byte, refused *wire.Error, err error) {
	if operation == readStream {
		return p.readStream(ctx, request)
	}
	answer, err = p.target.Do(ctx, operation, []byte(request))
	if err != nil && !errors.As(err, &refused) {
		return nil, nil, err
	}
	return answer, refused, nil
}

// judge holds what came to what is expected.
func (p *play) judge(s step, request string, answer []byte, refused *wire.Error) error {
	file, _, _ := strings.Cut(p.Place, ":")
	if refused != nil && refused.Code == wire.CodeUnknownOperation && !slices.ContainsFunc(s.expect, func(x expectation) bool {
		return x.kind == '!' && strings.HasPrefix(x.text, wire.CodeUnknownOperation)
	}) {
		return &Unsupported{Place: file + ":" + strconv.Itoa(s.line), Operation: s.operation}
	}
	raw := answer // what is kept goes back to the target as it came from there
	if refused != nil {
		raw = refused.Append(nil)
	}
	for _, x := range s.expect {
		if x.kind != '@' {
			continue
		}
		name, path, _ := strings.Cut(x.text, " ")
		v, ok := member(raw, path)
		if !ok {
			failure := &Failure{file + ":" + strconv.Itoa(x.line), s.operation + " " + request, "a member " + path, p.names.answer(string(raw))}
			if !p.inSetup || refused != nil {
				return failure
			}
			p.lacking[name] = failure
			continue
		}
		p.kept[name] = v
	}
	if refused != nil {
		mapped := *refused
		mapped.Message = p.names.answer(refused.Message)
		mapped.Reasons = slices.Clone(refused.Reasons)
		for i, r := range mapped.Reasons {
			mapped.Reasons[i].Message = p.names.answer(r.Message)
		}
		return compare(file, s, request, nil, &mapped)
	}
	return compare(file, s, request, []byte(p.names.answer(string(answer))), nil)
}

// changed waits until a change of a table is done, unless the answer to it already says so.
func (p *play) changed(ctx context.Context, operation, request string, answer []byte) error {
	switch operation {
	case "CreateTable", "UpdateTable":
		var d struct{ TableDescription tableState }
		if json.Unmarshal(answer, &d) == nil && d.TableDescription.TableStatus != "" && active(&d.TableDescription, nil) {
			return nil
		}
		return p.await(ctx, tableOf(request), active)
	case "DeleteTable":
		return p.await(ctx, tableOf(request), gone)
	}
	return nil
}

// tableOf is the table that a request names, by its name at the target.
func tableOf(request string) string {
	var of struct{ TableName string }
	if json.Unmarshal([]byte(request), &of) != nil {
		return "" // the target has taken it for something else
	}
	return of.TableName
}

// await asks for a table's state until it is as it should be, or for as long as patience lasts; what comes then tells by
// itself that it is not.
func (p *play) await(ctx context.Context, table string, done func(d *tableState, refused *wire.Error) bool) error {
	body := (&wire.NamedTable{TableName: table}).Append(nil)
	for pause, waited := 2*time.Millisecond, time.Duration(0); ; pause = min(pause*2, time.Second) {
		answer, refused, err := p.ask(ctx, "DescribeTable", string(body))
		if err != nil {
			return err
		}
		var d struct{ Table tableState }
		if refused == nil {
			if err := json.Unmarshal(answer, &d); err != nil {
				return nil
			}
		}
		if done(&d.Table, refused) || waited >= p.patience {
			return nil
		}
		if err := sleep(ctx, pause); err != nil {
			return err
		}
		waited += pause
	}
}

// tableState is of a description of a table what says whether changes are done.
type tableState struct {
	TableStatus            string
	GlobalSecondaryIndexes []struct {
		IndexStatus string
		Backfilling bool
	}
}

func active(d *tableState, refused *wire.Error) bool {
	if refused != nil {
		return refused.Code != wire.CodeResourceNotFound // a new table may be unknown for a moment
	}
	for _, x := range d.GlobalSecondaryIndexes {
		if x.IndexStatus != "" && x.IndexStatus != "ACTIVE" || x.Backfilling {
			return false
		}
	}
	return d.TableStatus == "" || d.TableStatus == "ACTIVE"
}

// gone is also true of a table that is there and not about to go: somebody has made it again.
func gone(d *tableState, refused *wire.Error) bool {
	return refused != nil || d.TableStatus != "DELETING"
}

// deletions is how often a target that does not answer is asked to delete a table.
const deletions = 4

// clean deletes the tables that the case has made and that are still there.
func (p *play) clean(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, p.patience)
	defer cancel()
	slices.Sort(p.made)
	for _, table := range slices.Compact(p.made) {
		for tries, pause := 1, 10*time.Millisecond; ; tries, pause = tries+1, min(pause*2, time.Second) {
			body := (&wire.NamedTable{TableName: table}).Append(nil)
			_, refused, err := p.ask(ctx, "DeleteTable", string(body))
			if err == nil && refused != nil && refused.Code == wire.CodeValidation { // protected
				off := fmt.Sprintf(`{"TableName":%q,"DeletionProtectionEnabled":false}`, table)
				_, _, err = p.ask(ctx, "UpdateTable", off)
			}
			if err == nil && (refused == nil || refused.Code == wire.CodeResourceNotFound) {
				break
			}
			// Still being made or changed, or a connection has ended: a table that is left is seen by the cases that list tables.
			if err != nil && tries == deletions || sleep(ctx, pause) != nil {
				if err == nil {
					err = refused
				}
				return fmt.Errorf("conformance: table %s is left: %w", table, err)
			}
		}
		if p.names.prefix == "" { // the next case has a table of the same name
			if err := p.await(ctx, table, gone); err != nil {
				return err
			}
		}
	}
	return nil
}

// reads reports whether an operation changes nothing, so that it can be asked again.
func reads(operation string) bool {
	for _, verb := range []string{"Get", "BatchGet", "Query", "Scan", "Describe", "List", "TransactGet", "Read"} {
		if strings.HasPrefix(operation, verb) {
			return true
		}
	}
	return false
}

// busy reports whether a refusal has nothing to do with the case: the target has had too much at a time.
func busy(s step, refused *wire.Error) bool {
	for _, x := range s.expect {
		if x.kind == '!' {
			return false
		}
	}
	if refused.Code == wire.CodeLimitExceeded { // of tables that are being created at a time
		return strings.HasSuffix(s.operation, "Table")
	}
	return refused.Is(wire.ErrThrottled) || refused.Code == wire.CodeUnavailable
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}
