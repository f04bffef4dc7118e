package bulk

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"iter"

	"github.com/tablewright/tablewright/attr"
)

// Items yields the items of a file, one on each line, packed or not, as Export and DynamoDB's export to S3 write them. f is
// DynamoDBJSON or JSON; "" is whichever of them the first line is. refused is told of lines that are no items, which are passed
// over; nil: nobody is. An error, of reading the file, is the last that comes.
func Items(from io.Reader, f Format, refused func(Refusal)) iter.Seq2[attr.Item, error] {
	return func(yield func(attr.Item, error) bool) {
		text, err := unpacked(from)
		if err != nil {
			yield(attr.Item{}, err)
			return
		}
		lines := &jsonLines{from: bufio.NewReaderSize(text, 1<<16), plain: f == JSON}
		for open := f == ""; ; open = false {
			it, line, bad, err := lines.next()
			if err != nil {
				if !errors.Is(err, io.EOF) {
					yield(attr.Item{}, err)
				}
				return
			}
			if line := bytes.TrimSpace(lines.text); bad != nil && open && len(line) > 0 {
				other := jsonLines{plain: true}
				if second, err := other.parse(bytes.TrimPrefix(line, []byte("\ufeff"))); err == nil {
					it, bad, lines.plain = second, nil, true
				}
			}
			if bad != nil {
				if refused != nil {
					refused(Refusal{line, bad})
				}
				continue
			}
			if !yield(it, nil) {
				return
			}
		}
	}
}
