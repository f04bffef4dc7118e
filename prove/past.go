package prove

import (
	"time"

	"github.com/tablewright/tablewright/attr"
)

// version is what an instance was until some time.
type version struct {
	item  attr.Item
	gone  bool
	until time.Time
}

// remember keeps what an instance is before it changes, for as long as some answer may still show it.
func (o *Oracle) remember(in *Instance) {
	if o.keep == 0 {
		return
	}
	since := o.now.Add(-o.keep)
	for len(in.past) > 0 && in.past[0].until.Before(since) {
		in.past = in.past[1:]
	}
	in.past = append(in.past, version{in.Item, in.Gone, o.now})
}
