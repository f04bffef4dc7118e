package keys

import "unicode/utf8"

// Successor is the smallest UTF-8 text above every text that begins with prefix: s begins with prefix exactly if
// prefix <= s < Successor(prefix). There is none, and ok is false, if prefix is empty or all U+10FFFF: then nothing lies above.
// prefix must be valid UTF-8, as all of DynamoDB's strings are.
func Successor(prefix string) (next string, ok bool) {
	for prefix != "" {
		r, size := utf8.DecodeLastRuneInString(prefix)
		prefix = prefix[:len(prefix)-size]
		switch r {
		case utf8.MaxRune:
			continue
		case 0xD7FF: // the surrogates behind it are no text
			r = 0xDFFF
		}
		return prefix + string(r+1), true
	}
	return "", false
}

// SuccessorBytes is Successor for binary values: the smallest value above every one that begins with prefix.
func SuccessorBytes(prefix []byte) (next []byte, ok bool) {
	for n := len(prefix); n > 0; n-- {
		if prefix[n-1] < 0xFF {
			next = append([]byte(nil), prefix[:n]...)
			next[n-1]++
			return next, true
		}
	}
	return nil, false
}

// Next is the smallest text above s itself.
func Next(s string) string { return s + "\x00" }
