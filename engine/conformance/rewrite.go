package conformance

import (
	"encoding/json"
	"strings"
)

// rewriteStrings is JSON with its strings replaced, and everything else byte for byte as it was: requests of cases have
// members twice, numbers in unusual clothes and blanks that must stay. replace is given the member that a string is the
// value of (in a list: that of the list) and, if the string itself is a member's name, the member that the object is the
// value of. Text that is no JSON is answered as it is.
func rewriteStrings(text string, replace func(member, parent, s string, isName bool) string) string {
	if !json.Valid([]byte(text)) {
		return text
	}
	r := rewriter{text: text, replace: replace}
	r.value("")
	r.out.WriteString(text[r.done:])
	return r.out.String()
}

// rewriter walks through valid JSON.
type rewriter struct {
	text    string
	at      int // the next byte
	done    int // what is written up to
	out     strings.Builder
	replace func(member, parent, s string, isName bool) string
}

// blanks passes over what has no meaning between tokens.
func (r *rewriter) blanks() {
	for r.at < len(r.text) && strings.IndexByte(" \t\r\n,:", r.text[r.at]) >= 0 {
		r.at++
	}
}

func (r *rewriter) value(member string) {
	r.blanks()
	switch r.text[r.at] {
	case '{':
		for r.at++; ; {
			if r.blanks(); r.text[r.at] == '}' {
				r.at++
				return
			}
			r.value(r.string("", member, true))
		}
	case '[':
		for r.at++; ; {
			if r.blanks(); r.text[r.at] == ']' {
				r.at++
				return
			}
			r.value(member)
		}
	case '"':
		r.string(member, "", false)
	default:
		for r.at < len(r.text) && strings.IndexByte(" \t\r\n,:]}", r.text[r.at]) < 0 {
			r.at++
		}
	}
}

// string passes over a string, replacing it, and answers what it was.
func (r *rewriter) string(member, parent string, isName bool) (was string) {
	from := r.at
	for r.at++; r.text[r.at] != '"'; r.at++ {
		if r.text[r.at] == '\\' {
			r.at++
		}
	}
	r.at++
	if err := json.Unmarshal([]byte(r.text[from:r.at]), &was); err != nil {
		return was // not of valid JSON
	}
	if now := r.replace(member, parent, was, isName); now != was {
		quoted, err := json.Marshal(now)
		if err == nil {
			r.out.WriteString(r.text[r.done:from])
			r.out.Write(quoted)
			r.done = r.at
		}
	}
	return was
}
