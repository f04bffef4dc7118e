package model

import (
	"regexp"
	"strings"
)

var (
	blockKey    = regexp.MustCompile(`^(?:- +)*(?:"[^"]*"|'[^']*'|[^\s#"'\[\]{},&*!|>%@][^#]*?):(?:\s+(.*))?$`)
	blockScalar = regexp.MustCompile(`^[|>][-+0-9]*$`)
)

// misindented is the first line, from 1, whose indentation fits none of the lines above: one that is deeper than a key
// that has its value already, or less deep and beside none. 0: there is none. It is asked for texts that are not YAML,
// of which the library only says in what block they go wrong.
func (s *Source) misindented() int {
	var open []int    // the indentations of the blocks that a line can go on with
	complete := false // whether the key above has its value
	scalarUnder := -1 // the indentation of a key whose value is a block of text
	flow := 0         // braces and brackets that are open
	for i, l := range s.lines {
		text := strings.TrimRight(l, " \t")
		content := strings.TrimLeft(text, " ")
		indent := len(text) - len(content)
		switch {
		case content == "" || content[0] == '#' || scalarUnder >= 0 && indent > scalarUnder:
			continue
		case flow > 0:
			flow += brackets(content)
			continue
		}
		scalarUnder = -1
		m := blockKey.FindStringSubmatch(content)
		item := strings.HasPrefix(content, "- ")
		if m == nil && !item {
			flow = max(0, brackets(content)) // the rest of a text, or what no key stands before
			continue
		}
		for len(open) > 0 && indent < open[len(open)-1] {
			open = open[:len(open)-1]
			complete = false
			if len(open) == 0 || indent > open[len(open)-1] {
				return i + 1
			}
		}
		switch top := len(open) - 1; {
		case top < 0 || indent > open[top]:
			if complete && !item {
				return i + 1
			}
			open = append(open, indent)
		}
		if item { // its keys stand behind the dash
			indent += len(content) - len(strings.TrimLeft(strings.TrimPrefix(content, "-"), " "))
			if m != nil {
				open = append(open, indent)
			}
		}
		value := ""
		if m != nil {
			value, _, _ = strings.Cut(m[1], " #")
			value = strings.TrimSpace(value)
		}
		complete = value != "" && value[0] != '#' && value[0] != '&' && value[0] != '!'
		if blockScalar.MatchString(value) {
			scalarUnder = indent
		}
		flow = max(0, brackets(value))
	}
	return 0
}

// brackets is how many more are opened than closed in a text, quoted ones left out.
func brackets(text string) int {
	n, quote := 0, rune(0)
	for i, c := range text {
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '{' || c == '[':
			n++
		case c == '}' || c == ']':
			n--
		case c == '#' && (i == 0 || text[i-1] == ' '):
			return n
		}
	}
	return n
}
