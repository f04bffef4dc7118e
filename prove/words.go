package prove

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tablewright/tablewright/spec"
)

// roguish: one text in so many is made of what keys stumble over. The others are made of words, by the name of their
// attribute, so that people can read the samples of a model.
const roguish = 8

// longestWord is the length in bytes of the longest words that texts are made of.
const longestWord = 9

// vocabulary holds words by their length in bytes, so that any number of bytes is filled with whole words.
var vocabulary = byLength(`a e i o u ada air an arc as ash at bay bee bud by cap cup dew ear elm eve fig fir fox gem go hen hue if in ink
	is it ivy jam jay jet key kit lea map may mia my nut oak oat of on or owl pan pea pen pin ray red rye sea sky so sun tea tin to up
	van we yew arch army bark barn bell bird boat book calm card clay coat corn dawn deer dove dune emma farm fern fish flax
	glen gold gulf hall harp hill iris isle jade june kite lake lamp lark leaf lily lime loft luna mill mint moss nest nora palm path
	pear pine pond port rain reed ring road rock root rose ruby ruth sage sail sand seed silk snow song star tide tree vale vine
	wave wind wood yard alder amber apple aspen beach berry birch bloom brook cabin cedar chalk cliff cloud coral crane daisy delta drift
	eagle ember fable field finch flint frost glade grain grape grove heath heron honey ivory jewel laura linen lotus lunar maple
	marsh ocean olive orbit otter paper pearl petal plain poppy quill raven ridge river robin shore slate sofia spark stone straw
	swift thyme topaz trail tulip wheat acorn anchor autumn basket beacon canvas castle cherry citrus cobalt copper cotton clover
	dahlia desert falcon forest garden garnet ginger harbor island jasper jungle kernel lagoon linden magnet marble market meadow
	meteor mirror mosaic nectar nutmeg orchid oyster pebble pepper planet pocket puffin ribbon saddle silver spruce summer teapot
	temple timber tulips valley velvet violet walnut willow window winter almond apricot blossom caramel cascade channel chimney
	compass crystal curtain emerald evening feather gallery glacier harvest heather holiday horizon juniper kingdom lantern library
	morning mustard orchard pasture pelican pottery printer quarter rainbow saffron sparrow station sunrise terrace vanilla village
	weather whistle backpack bluebell chestnut cinnamon cucumber daffodil elephant fireside hazelnut highland hillside honeydew keyboard
	lakeside lavender magnolia marigold midnight moonbeam mountain notebook postcard riverbed rosemary seashell snowdrop starling
	sunlight tapestry umbrella driftwood evergreen goldfinch sandstone turquoise waterfall blueberry buttercup cranberry jellyfish
	landscape raspberry snowflake tangerine`)

func byLength(text string) (by [longestWord + 1][]string) {
	for w := range strings.FieldsSeq(text) {
		by[len(w)] = append(by[len(w)], w)
	}
	return by
}

// text is n bytes of text for an attribute, or for nothing known if a is nil; unique asks for one that no other call has
// made, which may take some bytes more where there is no room.
func (s *source) text(a *spec.Attribute, n int, unique bool) string {
	t := s.oneText(a, n, unique)
	for unique && s.made[t] {
		t = s.oneText(a, n, unique)
	}
	if unique {
		s.made[t] = true
	}
	if len(t) <= 64 {
		s.recent[s.texts%len(s.recent)] = t
		s.texts++
	}
	return t
}

func (s *source) oneText(a *spec.Attribute, n int, unique bool) string {
	name := ""
	if a != nil {
		name = strings.ToLower(a.Name)
	}
	const at, near, web = "@example.com", "@my.test", "https://example.com/"
	switch identifies := name != "id" && strings.HasSuffix(name, "id") && unique; {
	case s.rnd.IntN(roguish) == 0:
		head := ""
		if identifies { // it stands among the others, or samples would show these first
			head = s.identifier(a, 0)
		} else if unique {
			head = s.marked(0)
		}
		return s.rogue(head, n)
	case identifies:
		return s.identifier(a, n)
	case strings.Contains(name, "email") && n >= len("ab.0000")+len(at):
		return s.numbered(n-len(at), '.') + at
	case strings.Contains(name, "email") && n > len("ab")+len(near) && !unique:
		return s.phrase(n-len(near), '.') + near
	case (strings.HasSuffix(name, "url") || strings.HasSuffix(name, "link")) && n >= len("ab-0000")+len(web):
		return web + s.numbered(n-len(web), '-')
	case strings.Contains(name, "phone") && n >= 8:
		digits := s.serial()
		for len(digits) < n-1 {
			digits = strconv.Itoa(s.rnd.IntN(10)) + digits
		}
		return "+" + digits
	case unique:
		return s.numbered(n, '-')
	case strings.HasSuffix(name, "name"):
		return capitals(s.phrase(n, ' '), true)
	}
	return capitals(s.phrase(n, ' '), false)
}

// identifier is a short name of what an attribute identifies, a number, and words as far as there is room: cus-0017-amber.
func (s *source) identifier(a *spec.Attribute, n int) string {
	head := strings.ToLower(a.Name[:min(max(len(a.Name)-len("id"), 1), 3)])
	number := head + "-" + s.serial()
	switch left := n - len(number); {
	case left >= 3:
		return number + "-" + s.phrase(left-1, '-')
	case left == 0, n == 0:
		return number
	}
	return s.numbered(n, '-')
}

// numbered is words and a number of its own: amber.finch.0017.
func (s *source) numbered(n int, separator byte) string {
	number := s.serial()
	if words := n - len(number) - 1; words > 0 {
		return s.phrase(words, separator) + string(separator) + number
	}
	return s.marked(n)
}

// marked begins with a short number of its own, for texts that have no room for more.
func (s *source) marked(n int) string {
	s.counter++
	// A scrambled first letter keeps the order of identities apart from the order of creation.
	t := letters[s.rnd.IntN(19)] + strconv.FormatInt(int64(s.counter), 36)
	if len(t) < n {
		t += "."
	}
	return t + s.phrase(n-len(t), '.')
}

// serial is a number that no other call has made. Numbers come in no order: that of identities must not be that of
// creation. Each line multiplies by what has no factor in common with a power of ten, so that all numbers come up once.
func (s *source) serial() string {
	s.counter++
	switch n := int64(s.counter); {
	case n < 10_000:
		return fmt.Sprintf("%04d", n*7_919%10_000)
	case n < 1_000_000:
		return fmt.Sprintf("%06d", n*611_953%1_000_000)
	default:
		return fmt.Sprintf("%09d", n*618_033_989%1_000_000_000)
	}
}

// phrase is n bytes of words.
func (s *source) phrase(n int, separator byte) string {
	var b strings.Builder
	for left := n; left > 0; {
		length := left
		if left > longestWord {
			length = min(3+s.rnd.IntN(longestWord-2), left-3) // what is left then has room for a word
		}
		words := vocabulary[length]
		b.WriteString(words[s.rnd.IntN(len(words))])
		if left -= length; left > 0 {
			b.WriteByte(separator)
			left--
		}
	}
	return b.String()
}

// capitals begins a text with a capital letter, or every word of it.
func capitals(text string, every bool) string {
	b := []byte(text)
	for i, c := range b {
		if (i == 0 || every && b[i-1] == ' ') && c >= 'a' && c <= 'z' {
			b[i] = c - 'a' + 'A'
		}
	}
	return string(b)
}

// Rogue texts mix the separators of templates, bytes that sort below and above them, upper and lower case, and letters of
// more than one byte.
var letters = []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "k", "m", "n", "o", "p", "r", "s", "t", "u", "z", "0", "1", "7", "9", "A", "K", "Z",
	"-", "_", " ", "#", "$", "!", "%", ".", "/", "|", "~", "é", "ß", "Ö", "漢", "😀"}

// rogue is n bytes of what keys stumble over, after a head if there is room for it. Some begin as another text does, or
// are the beginning of one.
func (s *source) rogue(head string, n int) string {
	if known := s.recent[s.rnd.IntN(len(s.recent))]; s.rnd.IntN(3) == 0 && known != "" {
		head = known[:min(n, len(known))]
		for !utf8.ValidString(head) {
			head = head[:len(head)-1]
		}
	} else if len(head) > n {
		head = s.marked(n)
	}
	var b strings.Builder
	b.WriteString(head)
	for b.Len() < n {
		l := letters[s.rnd.IntN(len(letters))]
		if s.chance(0.5) {
			l = letters[s.rnd.IntN(23)]
		}
		if b.Len()+len(l) > n {
			l = "x"
		}
		b.WriteString(l)
	}
	return b.String()
}
