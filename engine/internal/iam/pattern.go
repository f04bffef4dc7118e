package iam

import (
	"strings"
	"unicode/utf8"
)

// pattern is a text with wildcards and policy variables.
type pattern []piece

type piece struct {
	kind pieceKind
	text string // of a literal; the default of a variable
	name string // of a variable, in lower case
	has  bool   // a variable has a default
}

type pieceKind uint8

const (
	literal  pieceKind = iota
	anything           // *
	anyone             // ?
	variable           // ${name} or ${name, 'default'}
)

// compile reads a pattern. ${*}, ${?} and ${$} stand for the characters themselves.
func compile(text string, variables bool) (p pattern) {
	var plain strings.Builder
	flush := func() {
		if plain.Len() > 0 {
			p = append(p, piece{kind: literal, text: plain.String()})
			plain.Reset()
		}
	}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '*':
			flush()
			p = append(p, piece{kind: anything})
		case c == '?':
			flush()
			p = append(p, piece{kind: anyone})
		case variables && strings.HasPrefix(text[i:], "${") && strings.Contains(text[i:], "}"):
			inner, _, _ := strings.Cut(text[i+2:], "}")
			i += len(inner) + 2
			if inner == "*" || inner == "?" || inner == "$" {
				plain.WriteString(inner)
				continue
			}
			flush()
			name, fallback, has := strings.Cut(inner, ",")
			fallback = strings.Trim(strings.TrimSpace(fallback), "'")
			p = append(p, piece{kind: variable, name: strings.ToLower(strings.TrimSpace(name)), text: fallback, has: has})
		default:
			plain.WriteByte(c)
		}
	}
	flush()
	return p
}

// resolve puts values in place of variables; ok is false if one has no single value.
func (p pattern) resolve(context map[string][]string) (q pattern, ok bool) {
	for i, x := range p {
		if x.kind != variable {
			if q != nil {
				q = append(q, x)
			}
			continue
		}
		if q == nil {
			q = append(pattern{}, p[:i]...)
		}
		values := context[x.name]
		switch {
		case len(values) == 1:
			q = append(q, piece{kind: literal, text: values[0]})
		case x.has:
			q = append(q, piece{kind: literal, text: x.text})
		default:
			return nil, false
		}
	}
	if q == nil {
		return p, true
	}
	return q, true
}

// plain is the text of a pattern in which wildcards are text, as operators other than …Like take it.
func (p pattern) plain() string {
	var b strings.Builder
	for _, x := range p {
		switch x.kind {
		case anything:
			b.WriteByte('*')
		case anyone:
			b.WriteByte('?')
		default:
			b.WriteString(x.text)
		}
	}
	return b.String()
}

// match reports whether the whole text is as the pattern says.
func (p pattern) match(text string, context map[string][]string) bool {
	p, ok := p.resolve(context)
	return ok && p.glob(text)
}

// glob goes back to the last * only: what an earlier one takes more of, the last one can take too.
func (p pattern) glob(text string) bool {
	i, at := 0, 0
	star, from := -1, 0
	for i < len(p) || at < len(text) {
		if i < len(p) {
			switch x := p[i]; x.kind {
			case anything:
				star, from = i, at
				i++
				continue
			case anyone:
				if at < len(text) {
					i, at = i+1, at+character(text[at:])
					continue
				}
			default:
				if strings.HasPrefix(text[at:], x.text) {
					i, at = i+1, at+len(x.text)
					continue
				}
			}
		}
		if star < 0 || from >= len(text) {
			return false
		}
		from += character(text[from:])
		i, at = star+1, from
	}
	return true
}

// character is how many bytes the first one takes.
func character(text string) int {
	_, n := utf8.DecodeRuneInString(text)
	return n
}

// matchARN is match where wildcards do not reach across the first five colons of an ARN.
func (p pattern) matchARN(arn string, context map[string][]string) bool {
	p, ok := p.resolve(context)
	if !ok {
		return false
	}
	if len(p) == 1 && p[0].kind == anything {
		return true
	}
	parts := strings.SplitN(arn, ":", 6)
	for i, part := range parts {
		var head pattern
		head, p, ok = p.cut(i < len(parts)-1)
		if !ok || !head.glob(part) {
			return false
		}
	}
	return true
}

// colons is how many there are outside of variables: those that can divide an ARN.
func (p pattern) colons() (n int) {
	for _, x := range p {
		if x.kind == literal {
			n += strings.Count(x.text, ":")
		}
	}
	return n
}

// cut divides a pattern at its first colon if there has to be one.
func (p pattern) cut(divide bool) (head, rest pattern, ok bool) {
	if !divide {
		return p, nil, true
	}
	for i, x := range p {
		if x.kind != literal {
			continue
		}
		if before, after, found := strings.Cut(x.text, ":"); found {
			head = append(append(head, p[:i]...), piece{kind: literal, text: before})
			rest = append(pattern{{kind: literal, text: after}}, p[i+1:]...)
			return head, rest, true
		}
	}
	return nil, nil, false
}
