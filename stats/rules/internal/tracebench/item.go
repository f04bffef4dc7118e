package tracebench

import (
	"encoding/base64"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/tablewright/tablewright/attr"
)

// Item is an item, a key or expression values, as a person writes them: a string is S, a number N, []byte B, []string SS, a bool
// BOOL, nil NULL, an Item M, []any L, a time N in seconds, as for a time to live; an attr.Value is itself.
type Item map[string]any

// Text is so many bytes of text, up to 400,000.
func Text(bytes int) string { return text()[:bytes] }

var text = sync.OnceValue(func() string {
	return strings.Repeat("the quick brown fox jumps over the lazy dog and runs away ", 7_000)
})

func (it Item) append(dst []byte) []byte {
	dst = append(dst, '{')
	for i, name := range slices.Sorted(maps.Keys(it)) {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(attr.AppendText(dst, name), ':')
		dst = appendValue(dst, it[name])
	}
	return append(dst, '}')
}

func appendValue(dst []byte, value any) []byte {
	switch v := value.(type) {
	case attr.Value:
		return attr.AppendValue(dst, v)
	case string:
		return append(attr.AppendText(append(dst, `{"S":`...), v), '}')
	case int:
		return append(strconv.AppendInt(append(dst, `{"N":"`...), int64(v), 10), `"}`...)
	case float64:
		return append(strconv.AppendFloat(append(dst, `{"N":"`...), v, 'f', -1, 64), `"}`...)
	case time.Time:
		return append(strconv.AppendInt(append(dst, `{"N":"`...), v.Unix(), 10), `"}`...)
	case []byte:
		return append(base64.StdEncoding.AppendEncode(append(dst, `{"B":"`...), v), `"}`...)
	case bool:
		return append(strconv.AppendBool(append(dst, `{"BOOL":`...), v), '}')
	case nil:
		return append(dst, `{"NULL":true}`...)
	case Item:
		return append(v.append(append(dst, `{"M":`...)), '}')
	case []string:
		dst = append(dst, `{"SS":[`...)
		for i, s := range v {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = attr.AppendText(dst, s)
		}
		return append(dst, "]}"...)
	case []any:
		dst = append(dst, `{"L":[`...)
		for i, e := range v {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendValue(dst, e)
		}
		return append(dst, "]}"...)
	}
	panic(fmt.Sprintf("tracebench: an attribute of type %T", value))
}
