// Package near finds what somebody may have meant by a name that does not exist.
package near

import (
	"sort"
	"strings"
	"unicode/utf8"
)

// Name is the candidate nearest to a name that is not among them, or "" if none is near enough to be worth saying: at
// most one edit per three letters apart (insertion, deletion, replacement, or two neighbours swapped), capitals,
// dashes and underscores not counted, nor whether a plural ends in ys or ies.
func Name(name string, candidates []string) string {
	best, bestDistance := "", 1+max(1, utf8.RuneCountInString(name)/3)
	sorted := append([]string(nil), candidates...)
	sort.Strings(sorted) // so that the answer does not depend on the order of a map
	folded := letters(name)
	for _, c := range sorted {
		if c == name {
			continue
		}
		if d := distance(folded, letters(c), bestDistance); d < bestDistance {
			best, bestDistance = c, d
		}
	}
	return best
}

// Begun is the candidate that a name begins, or is words of: "hot-part" and "index-partition" are of hot-index-partition. The
// nearest by length is taken, and none for fewer than three letters.
func Begun(name string, candidates []string) string {
	folded, best := Fold(name), ""
	if len(folded) < 3 {
		return ""
	}
	for _, c := range candidates {
		whole := Fold(c) != folded && (strings.HasPrefix(Fold(c), folded) || strings.Contains(strings.ToLower(c), "-"+strings.ToLower(name)))
		if whole && (best == "" || len(c) < len(best) || len(c) == len(best) && c < best) {
			best = c
		}
	}
	return best
}

var joints = strings.NewReplacer("-", "", "_", "")

// Fold is a name without capitals, dashes and underscores: names that fold alike mean the same to whoever writes them.
func Fold(s string) string { return strings.ToLower(joints.Replace(s)) }

// letters are what is compared of a name.
func letters(name string) []rune {
	name = Fold(name)
	if stem, ok := strings.CutSuffix(name, "ies"); ok && stem != "" {
		name = stem + "ys"
	}
	return []rune(name)
}

// distance is the number of edits from a to b, or any number that is not below limit if it is not below limit.
func distance(a, b []rune, limit int) int {
	if d := len(a) - len(b); d >= limit || -d >= limit {
		return limit
	}
	before, row, next := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		next[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			next[j] = min(row[j]+1, next[j-1]+1, row[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				next[j] = min(next[j], before[j-2]+1)
			}
		}
		before, row, next = row, next, before
	}
	return row[len(b)]
}
