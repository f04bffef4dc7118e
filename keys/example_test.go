package keys_test

import (
	"fmt"
	"time"

	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/keys"
)

// The strings of a key cannot forge its separator, and keys sort as their strings do.
func ExampleComposite() {
	key := keys.Composite("acme", "R&D", "bolt #7")
	parts, err := keys.Split(key)
	fmt.Println(key)
	fmt.Printf("%q %v\n", parts, err)
	// Output:
	// acme#R&D#bolt$20$237
	// ["acme" "R&D" "bolt #7"] <nil>
}

// The newest first: inverted times sort in reverse.
func ExampleParseCodec() {
	newest, err := keys.ParseCodec("iso:inverted")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, hour := range []int{9, 10} {
		placed, _ := keys.TimestampOf(time.Date(2026, 11, 21, hour, 4, 0, 0, time.UTC))
		key, _ := newest.Append([]byte("order#"), placed)
		back, _ := newest.Decode(string(key[len("order#"):]))
		fmt.Println(string(key), back.Str())
	}
	fmt.Println(newest.Order(), newest.ReadsBack())
	// Output:
	// order#7973-88-78T90:95:99.999Z 2026-11-21T09:04:00.000Z
	// order#7973-88-78T89:95:99.999Z 2026-11-21T10:04:00.000Z
	// reversed true
}

// A score sorts as a number inside a string key.
func ExamplePad() {
	score := keys.Pad(6, 2)
	for _, n := range []string{"9.5", "10", "1234567"} {
		key, err := score.Append(nil, attr.Num(attr.Dec(n)))
		fmt.Println(string(key), err)
	}
	// Output:
	// 000009.50 <nil>
	// 000010.00 <nil>
	//  keys: codec pad6.2 is too short for the number
}

// All keys that begin with a prefix lie from the prefix to before its successor.
func ExampleSuccessor() {
	end, ok := keys.Successor("order#2026-11")
	fmt.Println(end, ok)
	// Output: order#2026-12 true
}

// A hot key spread over eight: the shard follows from the value, so that whoever knows it finds it.
func ExampleShards_Hash() {
	shards := keys.Shards{Of: 8}
	key, _ := shards.Append([]byte("votes#"), shards.Hash(attr.Text("voter-4711")))
	fmt.Println(string(key))
	// Output: votes#4
}

// Clock and randomness are passed in, so that tests are exact; nil stands for the real ones.
func ExampleNewIDs() {
	at := time.Date(2026, 11, 21, 9, 4, 0, 0, time.UTC)
	ids := keys.NewIDs(func() time.Time { return at }, newStream("example"))
	first, second := ids.ULID(), ids.ULID()
	made, _ := keys.ULIDTime(first)
	fmt.Println(first[:10], keys.ULIDFloor(at)[:10], made)
	fmt.Println(first < second)
	// Output:
	// 01M7YNJ900 01M7YNJ900 2026-11-21 09:04:00 +0000 UTC
	// true
}
