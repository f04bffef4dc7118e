package tablewright

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tablewright/tablewright/expr"
)

// What is wrong with a text, told in the caller's words and by its place in what the caller wrote.

// mistake says in the caller's text what the parser says of the prepared one.
func (t *phrase) mistake(err error) error {
	e, ok := errors.AsType[*expr.Error](err)
	switch {
	case !ok:
		return err
	case e.At == 0:
		return fmt.Errorf("%s: %w", t.quote(0), valueless(err))
	case e.Rule != expr.RuleSyntax:
		return t.here(e.At, valueless(err))
	}
	at := t.place(e.At) - 1
	if at == len(t.text) {
		return fmt.Errorf("%s: Syntax error at position %d: the text ends too early", t.quote(at), at+1)
	}
	end := at
	for end < len(t.text) && nameByte(t.text[end]) {
		end++
	}
	if end == at {
		_, n := utf8.DecodeRuneInString(t.text[at:])
		end += n
	}
	hint := ""
	switch c := t.text[at]; {
	case c >= '0' && c <= '9' || c == '\'' || c == '"':
		hint = ": values are written as ?, and handed over behind the text"
	case c == '=' && at > 0 && t.text[at-1] == '=':
		hint = ": equality is one ="
	case e.Kind == expr.UpdateExpression && at == t.tokens[0][1]:
		hint = ": an update begins with SET, REMOVE, ADD or DELETE"
	case c == '?' && strings.HasSuffix(strings.ToUpper(strings.TrimRight(t.text[:at], " \t\r\n")), " IN"):
		hint = ": IN has its values in parentheses, as in x IN (?, ?)"
	}
	return fmt.Errorf("%s: Syntax error at position %d: %s cannot stand there%s", t.quote(at), at+1, t.text[at:end], hint)
}

// here is an error about what stands at a place of the prepared text.
func (t *phrase) here(at int, err error) error {
	at = t.place(at)
	return fmt.Errorf("%s: %w (position %d)", t.quote(at-1), err, at)
}

// quote is the text, or of a long one what is around a place, from 0.
func (t *phrase) quote(at int) string {
	const most, around = 160, 40
	if len(t.text) <= most {
		return strconv.Quote(t.text)
	}
	from, to := max(at-around, 0), min(at+around, len(t.text))
	text := t.text[from:to]
	if from > 0 {
		text = "…" + strings.ToValidUTF8(text, "")
	}
	if to < len(t.text) {
		text = strings.ToValidUTF8(text, "") + "…"
	}
	return strconv.Quote(text)
}

// place is where in the caller's text stands what is at a place of the prepared one, both from 1.
func (t *phrase) place(at int) int {
	i, _ := slices.BinarySearchFunc(t.tokens, at-1, func(token [2]int, n int) int { return token[0] - n })
	if i == len(t.tokens) {
		return len(t.text) + 1
	}
	return t.tokens[i][1] + 1
}

// step is where in the caller's text a step stands of the path at a place of the prepared one.
func (t *phrase) step(at, step int) int {
	i := t.place(at) - 1
	for ; i < len(t.text) && (step > 0 || isBlank(t.text[i])); i++ {
		if c := t.text[i]; c == '.' || c == '[' {
			step--
		}
	}
	return i + 1
}

// valueless is an error that tells none of the values which the service's message has.
func valueless(err error) error {
	e, ok := errors.AsType[*expr.Error](err)
	if !ok {
		return err
	}
	switch e.Rule {
	case expr.RuleBetweenOrder:
		return errBetweenOrder
	case expr.RuleBetweenType:
		return errBetweenType
	case expr.RuleAttributeType:
		return errAttributeType
	}
	return err
}

var (
	errBetweenOrder  = errors.New("the upper bound of BETWEEN is below the lower one")
	errBetweenType   = errors.New("the bounds of BETWEEN have different types")
	errAttributeType = errors.New("attribute_type asks for a type that there is none of: S, N, B, BOOL, NULL, M, L, SS, NS or BS")
)
