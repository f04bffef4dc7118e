package stats

import (
	"bytes"
	"strings"
	"unicode"
)

// maxShaped is the longest text that has a shape, shapeParts how many parts one may have: more are free text.
const (
	maxShaped  = 256
	shapeParts = 16
	// longestWord is the longest word that may stand for itself.
	longestWord = 24
)

// Marks of a word that may stand for itself.
const (
	wordBegins = 1
	wordEnds   = 2
)

// appendShape appends what a text is made of. words says whether words are kept.
func appendShape(dst []byte, of *attributeText, all []attributeText, words bool) []byte {
	text, start := of.text, len(dst)
	parts := 0
	for i := 0; i < len(text); {
		if !alnum(text[i]) {
			if text[i] < ' ' {
				return append(dst[:start], "<text>"...)
			}
			dst = append(dst, text[i])
			i++
			continue
		}
		if parts++; parts > shapeParts {
			return append(dst[:start], "<text>"...)
		}
		if other := reference(text, i, of, all); other != nil && bytes.IndexFunc(other.name, unclear) < 0 {
			dst = append(append(append(dst, '{'), other.name...), '}')
			i += len(other.text)
			continue
		}
		n, class := classify(text[i:])
		word := text[i : i+n]
		i += n
		mark := byte(0)
		switch class {
		case "<word>":
			mark = 'l'
		case "<Word>":
			mark = 'c'
		case "<WORD>":
			mark = 'u'
		}
		if mark == 0 || len(word) > longestWord || !of.key && (i == len(text) || bytes.IndexByte([]byte(" ,;'\""), text[i]) >= 0) {
			dst = append(dst, class...)
			continue
		}
		dst = append(dst, wordBegins, mark)
		if words {
			dst = append(dst, word...)
		}
		dst = append(dst, wordEnds)
	}
	return dst
}

// unclear reports whether a name that has such a character cannot stand in a shape: where it ends could not be seen, or it would
// be taken for the mark of a word.
func unclear(r rune) bool { return r == '{' || r == '}' || unicode.IsControl(r) }

func alnum(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

// reference is the attribute whose value stands at a place of a text: the longest one, rather a text than a number. A value is
// made of others only where it is more than one of these, or where it is a key; keys are what is made of others.
func reference(text []byte, at int, of *attributeText, all []attributeText) (found *attributeText) {
	for i := range all {
		t := &all[i]
		n := len(t.text)
		if t.key || n == 0 || n > len(text)-at || bytes.Equal(t.name, of.name) || n == len(text) && !of.key || !bytes.Equal(text[at:at+n], t.text) ||
			at+n < len(text) && alnum(text[at+n]) {
			continue
		}
		if found == nil || n > len(found.text) || n == len(found.text) && found.number && !t.number {
			found = t
		}
	}
	return found
}

// classify says what a text begins with that begins with a letter or digit.
func classify(text []byte) (n int, class string) {
	if n := uuid(text); n > 0 {
		return n, "<uuid>"
	}
	if n, time := moment(text); n > 0 {
		if time {
			return n, "<time>"
		}
		return n, "<date>"
	}
	if n := email(text); n > 0 {
		return n, "<email>"
	}
	var digits, upper, lower, others int
	for n < len(text) && alnum(text[n]) {
		switch c := text[n]; {
		case digit(c):
			digits++
		case c >= 0x80:
			others++
		case c >= 'a':
			lower++
		default:
			upper++
		}
		n++
	}
	token := text[:n]
	switch {
	case others > 0:
		return n, "<text>"
	case digits == n:
		if n == 8 && day(token[:4], token[4:6], token[6:]) {
			return n, "<date>"
		}
		return n, "<digits>"
	case n == 26 && digits > 0 && lower == 0 && token[0] <= '7' && !bytes.ContainsAny(token, "ILOU"):
		return n, "<ulid>"
	case n == 27 && digits > 0 && upper > 0 && lower > 0:
		return n, "<ksuid>"
	case n >= 8 && digits > 0 && (upper == 0 || lower == 0) && len(bytes.Trim(token, "0123456789abcdefABCDEF")) == 0:
		return n, "<hex>"
	}
	if digits > 0 {
		letters := upper + lower
		for _, c := range token[letters:] {
			if !digit(c) {
				return n, "<text>"
			}
		}
		n = letters // a word, then a number
	}
	switch {
	case lower == 0:
		return n, "<WORD>"
	case token[0] < 'a':
		return n, "<Word>"
	}
	return n, "<word>"
}

func ends(text []byte, n int) bool { return n == len(text) || !alnum(text[n]) }

// like is how long a text is that begins as a form says: x a hexadecimal digit, 9 a decimal one, others themselves; 0 if it does
// not.
func like(text []byte, form string) int {
	if len(text) < len(form) {
		return 0
	}
	for i, f := range []byte(form) {
		c := text[i]
		switch f {
		case 'x':
			if !digit(c) && (c|0x20 < 'a' || c|0x20 > 'f') {
				return 0
			}
		case '9':
			if !digit(c) {
				return 0
			}
		default:
			if c != f {
				return 0
			}
		}
	}
	return len(form)
}

func uuid(text []byte) int {
	if n := like(text, "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx"); n > 0 && ends(text, n) {
		return n
	}
	return 0
}

// day reports whether digits can be a day of 1900 to 2199.
func day(year, month, day []byte) bool {
	two := func(b []byte) int { return int(b[0]-'0')*10 + int(b[1]-'0') }
	century, m, d := two(year), two(month), two(day)
	return century >= 19 && century <= 21 && m >= 1 && m <= 12 && d >= 1 && d <= 31
}

// moment is how long a date, or a time with or without one, is that a text begins with.
func moment(text []byte) (n int, time bool) {
	if n = like(text, "9999-99-99"); n > 0 {
		if !day(text[:4], text[5:7], text[8:10]) {
			return 0, false
		}
		if n+1 < len(text) && (text[n] == 'T' || text[n] == ' ') {
			if clock := clockTime(text[n+1:]); clock > 0 {
				return n + 1 + clock, true
			}
		}
		if ends(text, n) {
			return n, false
		}
		return 0, false
	}
	if n = clockTime(text); n > 0 {
		return n, true
	}
	return 0, false
}

// clockTime is how long a time of day with a zone is.
func clockTime(text []byte) int {
	n := like(text, "99:99")
	if n == 0 {
		return 0
	}
	if m := like(text[n:], ":99"); m > 0 {
		n += m
		if n+1 < len(text) && text[n] == '.' && digit(text[n+1]) {
			for n++; n < len(text) && digit(text[n]); n++ {
			}
		}
	}
	switch {
	case n < len(text) && text[n] == 'Z':
		n++
	default:
		for _, zone := range [...]string{"+99:99", "-99:99"} {
			n += like(text[n:], zone)
		}
	}
	if !ends(text, n) {
		return 0
	}
	return n
}

// email is how long an address of mail is that a text begins with.
func email(text []byte) int {
	at := -1
	n := 0
	for ; n < len(text); n++ {
		c := text[n]
		if c == '@' && at < 0 && n > 0 {
			at = n
			continue
		}
		if !alnum(c) && c != '.' && c != '-' && (at >= 0 || c != '_' && c != '+') {
			break
		}
	}
	if at < 0 || bytes.IndexByte(text[at:n], '.') < 2 || text[n-1] == '.' {
		return 0
	}
	return n
}

// literals lets words stand for themselves in the shapes of a sample that enough of its items share, in whatever case: three, and a
// twentieth of all.
func literals(items []SizedItem) {
	const shared, share = 3, 20
	counts := map[string]int{}
	printed := 0
	each := func(f func(p *Print)) {
		for i := range items {
			for j := range items[i].Attributes {
				if p := &items[i].Attributes[j]; strings.IndexByte(p.Shape, wordBegins) >= 0 {
					f(p)
				}
			}
		}
	}
	for i := range items {
		if len(items[i].Attributes) > 0 {
			printed++
		}
	}
	each(func(p *Print) {
		bones := p.Name + "\x00" + rewrite(p.Shape, func(int, byte, string) string { return "" })
		rewrite(p.Shape, func(at int, _ byte, word string) string {
			counts[wordKey(bones, at, word)]++
			return ""
		})
	})
	least := max(shared, (printed+share-1)/share)
	each(func(p *Print) {
		bones := p.Name + "\x00" + rewrite(p.Shape, func(int, byte, string) string { return "" })
		p.Shape = rewrite(p.Shape, func(at int, class byte, word string) string {
			if word != "" && counts[wordKey(bones, at, word)] >= least {
				return word
			}
			switch class {
			case 'c':
				return "<Word>"
			case 'u':
				return "<WORD>"
			}
			return "<word>"
		})
	})
}

// wordKey is the same of words that differ in their letters' case: who knows one knows the others.
func wordKey(bones string, at int, word string) string {
	return bones + "\x00" + string(rune('0'+at)) + strings.ToLower(word)
}

// rewrite replaces the marked words of a shape.
func rewrite(shape string, f func(at int, class byte, word string) string) string {
	var b strings.Builder
	for at := 0; ; at++ {
		begin := strings.IndexByte(shape, wordBegins)
		if begin < 0 || begin+1 >= len(shape) {
			b.WriteString(shape)
			return b.String()
		}
		b.WriteString(shape[:begin])
		word, rest, _ := strings.Cut(shape[begin+2:], string(rune(wordEnds)))
		b.WriteString(f(at, shape[begin+1], word))
		shape = rest
	}
}
