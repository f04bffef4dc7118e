package tablewright

import (
	"fmt"
	"reflect"
	"time"

	"github.com/tablewright/tablewright/attr"
)

// endsItems checks the attribute of a table's time to live: what is no number of seconds never ends an item, and the service
// does not say so (docs.aws.amazon.com/amazondynamodb/latest/developerguide/time-to-live-ttl-before-you-start.html).
func endsItems(f attr.StructField) error {
	if f.Kind != attr.KindN && f.Kind != 0 {
		return fmt.Errorf("%s is the time to live, which is a number of seconds: tag it epoch-s", f.Name)
	}
	second := time.Unix(1, 0)
	at := reflect.ValueOf(second)
	switch f.Type {
	case timeType:
	case reflect.PointerTo(timeType):
		at = reflect.ValueOf(&second)
	default:
		return nil
	}
	if v, err := f.Value(at); err != nil || v.Number() != attr.Int(1) {
		return fmt.Errorf("%s is the time to live, which counts seconds, not milliseconds: tag it epoch-s", f.Name)
	}
	return nil
}
