package rules

import (
	"regexp"
	"strings"
)

// What rules read from the shapes of attributes: see stats.Print.

// partOf is a piece of a shape.
type partOf struct {
	text string
	kind partKind
}

type partKind uint8

const (
	separator partKind = iota + 1
	word               // letters that stand in every such value: a prefix
	reference          // another attribute's value, by its name
	class              // something of a kind: <digits>, <date>, …
)

var piecesOf = regexp.MustCompile(`\{[^{}]*\}|<[A-Za-z]+>|[\pL\pN]+|[^\pL\pN{}<>]+`)

// pieces takes a shape apart.
func pieces(shape string) (all []partOf) {
	for _, text := range piecesOf.FindAllString(shape, -1) {
		switch {
		case text[0] == '{':
			all = append(all, partOf{text[1 : len(text)-1], reference})
		case text[0] == '<' && len(text) > 1:
			all = append(all, partOf{text[1 : len(text)-1], class})
		case strings.ContainsFunc(text, isWordRune):
			all = append(all, partOf{text, word})
		default:
			all = append(all, partOf{text, separator})
		}
	}
	return all
}

func isWordRune(r rune) bool {
	return r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r > 127
}

// references are the attributes that a shape is made of, if it is made of nothing else but separators and words.
func references(shape string) (names []string, only bool) {
	for _, p := range pieces(shape) {
		switch p.kind {
		case reference:
			names = append(names, p.text)
		case class:
			return nil, false
		}
	}
	return names, true
}
