package conformance

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"sort"
	"strings"

	"github.com/tablewright/tablewright/wire"
)

// Target is an implementation of DynamoDB's API: an operation's JSON in, its JSON or a *wire.Error out.
type Target interface {
	Do(ctx context.Context, operation string, body []byte) ([]byte, error)
}

// HTTP is the target at an address.
func HTTP(url string) Target { return httpTarget(url) }

type httpTarget string

// Do implements Target. The signature is one that a target without accounts takes.
func (url httpTarget) Do(ctx context.Context, operation string, body []byte) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, string(url), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/x-amz-json-1.0")
	r.Header.Set("X-Amz-Target", "DynamoDB_20120810."+operation)
	r.Header.Set("X-Amz-Date", "20260801T000000Z")
	r.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential=conformance/20260801/us-east-1/dynamodb/aws4_request, SignedHeaders=host;x-amz-date;x-amz-target, Signature=0")
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode != http.StatusOK {
		return nil, wire.DecodeError(resp.StatusCode, answer)
	}
	return answer, nil
}

// A Failure is an answer that is not the expected one.
type Failure struct {
	Place    string // of the expectation: "put_item.txt:14"
	Request  string
	Expected string
	Got      string
}

// Error tells all of it.
func (f *Failure) Error() string {
	return fmt.Sprintf("%s\n  request  %s\n  expected %s\n  got      %s", f.Place, f.Request, f.Expected, f.Got)
}

// Run deletes the target's tables, does the case and reports what is not as expected: a *Failure, or another error if
// the target could not be asked. It is nil if all is well.
func (c Case) Run(ctx context.Context, t Target) error {
	if err := deleteTables(ctx, t); err != nil {
		return err
	}
	kept := map[string]string{}
	for _, s := range c.steps {
		request := s.request
		if request == "" {
			request = "{}"
		}
		for name, text := range kept {
			request = strings.ReplaceAll(request, `"$`+name+`"`, text)
		}
		answer, err := t.Do(ctx, s.operation, []byte(request))
		var refused *wire.Error
		if err != nil && !errors.As(err, &refused) {
			return err
		}
		if err := c.compare(s, request, answer, refused, kept); err != nil {
			return err
		}
	}
	return nil
}

// compare holds an answer to everything that is expected of it; without an expectation it must be no error.
func (c Case) compare(s step, request string, answer []byte, refused *wire.Error, kept map[string]string) error {
	file, _, _ := strings.Cut(c.Place, ":")
	got := string(answer)
	if refused != nil {
		got = refused.Code + ": " + refused.Message
	}
	fail := func(line int, expected string) error {
		return &Failure{Place: fmt.Sprintf("%s:%d", file, line), Request: s.operation + " " + request, Expected: expected, Got: got}
	}
	if len(s.expect) == 0 && refused != nil {
		return fail(s.line, "no error")
	}
	for _, x := range s.expect {
		if x.kind == '!' {
			if refused == nil || !sameError(x.text, got) {
				return fail(x.line, x.text)
			}
			continue
		}
		// An error's own members are compared as an answer's: Item, CancellationReasons.
		body := answer
		if refused != nil {
			body = refused.Append(nil)
			got = string(body)
			if x.kind == '<' {
				return fail(x.line, x.text)
			}
		}
		var is any
		if err := decode(body, &is); err != nil {
			return fail(x.line, "JSON")
		}
		if x.kind == '@' {
			name, member, _ := strings.Cut(x.text, " ")
			v, ok := is.(map[string]any)[member]
			if !ok {
				return fail(x.line, "a member "+member)
			}
			text, err := json.Marshal(v)
			if err != nil {
				return err
			}
			kept[name] = string(text)
			continue
		}
		var want any
		if err := decode([]byte(x.text), &want); err != nil {
			return fmt.Errorf("%s:%d: %w", file, x.line, err)
		}
		if s.operation == "Scan" || s.operation == "BatchGetItem" { // their items have no order
			unordered(want)
			unordered(is)
		}
		if x.kind == '<' && !reflect.DeepEqual(normal(want), normal(is)) || x.kind == '~' && !part(normal(want), normal(is)) {
			return fail(x.line, x.text)
		}
	}
	return nil
}

func sameError(expected, got string) bool {
	for _, w := range strings.Split(expected, " | ") {
		if strings.TrimSpace(w) == strings.TrimSpace(got) || strings.TrimSpace(w)+":" == strings.TrimSpace(got) {
			return true
		}
	}
	return false
}

// decode reads JSON with numbers as they are written.
func decode(text []byte, v *any) error {
	if len(bytes.TrimSpace(text)) == 0 { // some operations answer nothing
		*v = map[string]any{}
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	return d.Decode(v)
}

// normal makes equal what is equal: the order of sets, and 1 and 1.0.
func normal(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k, m := range v {
			if l, ok := m.([]any); ok && (k == "SS" || k == "NS" || k == "BS") {
				sort.Slice(l, func(i, j int) bool { return fmt.Sprint(l[i]) < fmt.Sprint(l[j]) })
			}
			v[k] = normal(m)
		}
	case []any:
		for i := range v {
			v[i] = normal(v[i])
		}
	case json.Number:
		f, _ := v.Float64()
		return f
	}
	return v
}

// unordered sorts the lists of items in an answer of an operation that gives them in no order.
func unordered(v any) {
	sortList := func(l []any) {
		sort.Slice(l, func(i, j int) bool { return text(l[i]) < text(l[j]) })
	}
	m, ok := v.(map[string]any)
	if !ok {
		return
	}
	if l, ok := m["Items"].([]any); ok {
		sortList(l)
	}
	if r, ok := m["Responses"].(map[string]any); ok {
		for _, l := range r {
			if l, ok := l.([]any); ok {
				sortList(l)
			}
		}
	}
}

func text(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(b)
}

// part reports whether want is part of is: members may be missing in want, null wants there to be none.
func part(want, is any) bool {
	switch want := want.(type) {
	case map[string]any:
		m, ok := is.(map[string]any)
		if !ok {
			return false
		}
		for k, w := range want {
			v, has := m[k]
			if w == nil && has || w != nil && (!has || !part(w, v)) {
				return false
			}
		}
		return true
	case []any:
		l, ok := is.([]any)
		if !ok || len(l) != len(want) {
			return false
		}
		for i := range want {
			if !part(want[i], l[i]) {
				return false
			}
		}
		return true
	}
	return reflect.DeepEqual(want, is)
}

// deleteTables deletes all tables of the target and waits until they are gone.
func deleteTables(ctx context.Context, t Target) error {
	for range 1000 {
		answer, err := t.Do(ctx, "ListTables", []byte("{}"))
		if err != nil {
			return err
		}
		list, err := wire.DecodeListTablesOutput(answer)
		if err != nil || len(list.Names) == 0 {
			return err
		}
		for _, name := range list.Names {
			body := (&wire.NamedTable{TableName: name}).Append(nil)
			if _, err := t.Do(ctx, "DeleteTable", body); err != nil {
				var refused *wire.Error
				if errors.As(err, &refused) && refused.Code == wire.CodeValidation { // protected
					off := fmt.Sprintf(`{"TableName":%q,"DeletionProtectionEnabled":false}`, name)
					_, err = t.Do(ctx, "UpdateTable", []byte(off))
				}
				if err != nil && !errors.As(err, &refused) {
					return err
				}
			}
		}
	}
	return errors.New("conformance: the target's tables cannot be deleted")
}
