package keys_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
	"regexp"
	"testing"
	"time"

	"github.com/tablewright/tablewright/keys"
)

// clock is a clock that a test sets.
type clock struct{ at time.Time }

func (c *clock) now() time.Time { return c.at }

// stream is an endless deterministic source of randomness.
type stream struct{ *rand.ChaCha8 }

func newStream(seed string) stream { return stream{rand.NewChaCha8(sha256.Sum256([]byte(seed)))} }

// TestKnownIDs compares with the examples of the specifications.
func TestKnownIDs(t *testing.T) {
	// The first ULID of the specification's README: its time part is 01ARZ3NDEK = 1469922850259 ms.
	at, err := keys.ULIDTime("01ARZ3NDEKTSV4RRFFQ69G5FAV")
	if err != nil || at.UnixMilli() != 1469922850259 {
		t.Errorf("%v, %v", at.UnixMilli(), err)
	}
	// RFC 9562, A.6: 2022-02-22 14:22:22.00 GMT-05:00.
	at, err = keys.UUID7Time("017f22e2-79b0-7cc3-98c4-dc0c0c07398f")
	if err != nil || at.UnixMilli() != 1645557742000 {
		t.Errorf("%v, %v", at.UnixMilli(), err)
	}
	// The README of github.com/segmentio/ksuid: 107608047 seconds after its epoch, and its payload.
	payload := []byte{0xB5, 0xA1, 0xCD, 0x34, 0xB5, 0xF9, 0x9D, 0x11, 0x54, 0xFB, 0x68, 0x53, 0x34, 0x5C, 0x97, 0x35}
	const ksuid = "0ujtsYcgvSTl8PAuAdqWYSMnLOv"
	at, err = keys.KSUIDTime(ksuid)
	if err != nil || at.Unix() != 1507608047 {
		t.Errorf("%v, %v", at.Unix(), err)
	}
	made := keys.NewIDs((&clock{time.Unix(1507608047, 0)}).now, bytes.NewReader(payload)).KSUID()
	if made != ksuid {
		t.Errorf("%s, not %s", made, ksuid)
	}
	// All bits set: the largest of each.
	ones := bytes.Repeat([]byte{0xFF}, 64)
	ids := keys.NewIDs((&clock{time.UnixMilli(1<<48 - 1)}).now, bytes.NewReader(ones))
	for _, c := range []struct{ got, want string }{
		{ids.ULID(), "7ZZZZZZZZZZZZZZZZZZZZZZZZZ"},
		{ids.UUID7(), "ffffffff-ffff-7fff-bfff-ffffffffffff"},
		{ids.UUID4(), "ffffffff-ffff-4fff-bfff-ffffffffffff"},
		{ids.KSUID(), "aWgEPTl1tmebfsQzFP4bxwgy80V"},
	} {
		if c.got != c.want {
			t.Errorf("%s, not %s", c.got, c.want)
		}
	}
}

var forms = map[string]*regexp.Regexp{
	"ulid":  regexp.MustCompile(`^[0-7][0-9A-HJKMNP-TV-Z]{25}$`),
	"uuid7": regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`),
	"uuid4": regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`),
	"ksuid": regexp.MustCompile(`^[0-9A-Za-z]{27}$`),
}

// TestIDsIncrease: identifiers that sort do so when the clock stands, steps back or moves on, and read their time.
func TestIDsIncrease(t *testing.T) {
	c := &clock{time.UnixMilli(1_795_251_840_123)}
	ids := keys.NewIDs(c.now, newStream("increase"))
	r := rand.New(rand.NewPCG(1, 1))
	var lastULID, lastUUID string
	seen := map[string]bool{}
	latest := c.at
	for range 20_000 {
		switch r.IntN(10) {
		case 0:
			c.at = c.at.Add(time.Duration(r.IntN(3)) * time.Millisecond)
		case 1:
			c.at = c.at.Add(-time.Duration(r.IntN(2)) * time.Millisecond)
		}
		if c.at.After(latest) {
			latest = c.at
		}
		ulid, uuid, random, ksuid := ids.ULID(), ids.UUID7(), ids.UUID4(), ids.KSUID()
		if ulid <= lastULID || uuid <= lastUUID {
			t.Fatalf("%s after %s, %s after %s", ulid, lastULID, uuid, lastUUID)
		}
		lastULID, lastUUID = ulid, uuid
		for form, id := range map[string]string{"ulid": ulid, "uuid7": uuid, "uuid4": random, "ksuid": ksuid} {
			if !forms[form].MatchString(id) || seen[id] {
				t.Fatalf("%s %s, seen: %v", form, id, seen[id])
			}
			seen[id] = true
		}
		a, err1 := keys.ULIDTime(ulid)
		b, err2 := keys.UUID7Time(uuid)
		k, err3 := keys.KSUIDTime(ksuid)
		if err1 != nil || err2 != nil || err3 != nil || !a.Equal(latest) || !b.Equal(latest) || k.Unix() != c.at.Unix() {
			t.Fatalf("%v %v %v at %v: %v %v %v", a, b, k, latest, err1, err2, err3)
		}
		if ulid < keys.ULIDFloor(latest) || uuid < keys.UUID7Floor(latest) || ksuid < keys.KSUIDFloor(c.at) {
			t.Fatal("below the floor of its time")
		}
		if next := latest.Add(time.Millisecond); ulid >= keys.ULIDFloor(next) || uuid >= keys.UUID7Floor(next) {
			t.Fatal("not below the floor of the next millisecond")
		}
	}
}

// TestIDsOverflow: when the random part of a millisecond is used up, the next millisecond is borrowed.
func TestIDsOverflow(t *testing.T) {
	source := append(bytes.Repeat([]byte{0xFF}, 20), make([]byte, 40)...)
	ids := keys.NewIDs((&clock{time.UnixMilli(1000)}).now, bytes.NewReader(source))
	first, firstUUID := ids.ULID(), ids.UUID7()
	second, secondUUID := ids.ULID(), ids.UUID7()
	if second <= first || second != keys.ULIDFloor(time.UnixMilli(1001)) {
		t.Errorf("%s after %s", second, first)
	}
	if secondUUID <= firstUUID || secondUUID != keys.UUID7Floor(time.UnixMilli(1001)) {
		t.Errorf("%s after %s", secondUUID, firstUUID)
	}
}

// TestUUID7Counts: the random bits count up across version and variant.
func TestUUID7Counts(t *testing.T) {
	tail := []byte{0x00, 0x00, 0x3F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF}
	ids := keys.NewIDs((&clock{time.UnixMilli(0x0123456789AB)}).now, bytes.NewReader(tail))
	a, b := ids.UUID7(), ids.UUID7()
	if a != "01234567-89ab-7000-bfff-ffffffffffff" || b != "01234567-89ab-7001-8000-000000000000" {
		t.Errorf("%s, %s", a, b)
	}
	tail = []byte{0x00, 0xFF, 0x3F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF}
	ids = keys.NewIDs((&clock{time.UnixMilli(0)}).now, bytes.NewReader(append(tail, tail...)))
	ids.UUID7()
	if b := ids.UUID7(); b != "00000000-0000-7100-8000-000000000000" {
		t.Errorf("%s", b)
	}
}

func TestDefaultIDs(t *testing.T) {
	ids := keys.NewIDs(nil, nil)
	before := time.Now().Truncate(time.Millisecond)
	at, err := keys.ULIDTime(ids.ULID())
	if err != nil || at.Before(before) || at.After(time.Now()) {
		t.Errorf("%v, %v", at, err)
	}
	done := make(chan map[string]bool)
	for range 4 {
		go func() {
			made := map[string]bool{}
			for range 500 {
				made[ids.ULID()] = true
				made[ids.UUID7()] = true
			}
			done <- made
		}()
	}
	all := map[string]bool{}
	for range 4 {
		for id := range <-done {
			all[id] = true
		}
	}
	if len(all) != 4_000 {
		t.Errorf("%d different ones of 4,000", len(all))
	}
}

func TestRandomnessFails(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	keys.NewIDs(nil, bytes.NewReader(nil)).ULID()
}

func TestIDsBeforeTheirTime(t *testing.T) {
	early, late := time.Unix(-5, 0), time.Unix(1<<40, 0)
	for _, c := range []struct{ got, want string }{
		{keys.ULIDFloor(early), "00000000000000000000000000"},
		{keys.UUID7Floor(early), "00000000-0000-7000-8000-000000000000"},
		{keys.KSUIDFloor(early), "000000000000000000000000000"},
		{keys.KSUIDFloor(late)[:6], "aWgEPL"},
	} {
		if c.got != c.want {
			t.Errorf("%s, not %s", c.got, c.want)
		}
	}
}

func TestIDsRefused(t *testing.T) {
	for _, id := range []string{"", "01ARZ3NDEKTSV4RRFFQ69G5FA", "81ARZ3NDEKTSV4RRFFQ69G5FAV", "01arz3ndektsv4rrffq69g5fav", "01ARZ3NDEKTSV4RRFFQ69G5FAI"} {
		if _, err := keys.ULIDTime(id); err != keys.ErrULID {
			t.Errorf("%q: %v", id, err)
		}
	}
	for _, id := range []string{"", "017f22e2-79b0-4cc3-98c4-dc0c0c07398f", "017f22e2-79b0-7cc3-c8c4-dc0c0c07398f", "017F22E2-79b0-7cc3-98c4-dc0c0c07398f", "017f22e2079b0-7cc3-98c4-dc0c0c07398f", "017f22e2-79b0-7cc3-98c4-dc0c0c07398x"} {
		if _, err := keys.UUID7Time(id); err != keys.ErrUUID7 {
			t.Errorf("%q: %v", id, err)
		}
	}
	for _, id := range []string{"", "0ujtsYcgvSTl8PAuAdqWYSMnLO", "0ujtsYcgvSTl8PAuAdqWYSMnLO-", "aWgEPTl1tmebfsQzFP4bxwgy80W", "zzzzzzzzzzzzzzzzzzzzzzzzzzz"} {
		if _, err := keys.KSUIDTime(id); err != keys.ErrKSUID {
			t.Errorf("%q: %v", id, err)
		}
	}
}

// FuzzIDTimes: what is read as an identifier lies at or above the floor of its time, and below that of the next.
func FuzzIDTimes(f *testing.F) {
	f.Add("01ARZ3NDEKTSV4RRFFQ69G5FAV")
	f.Add("017f22e2-79b0-7cc3-98c4-dc0c0c07398f")
	f.Add("0ujtsYcgvSTl8PAuAdqWYSMnLOv")
	f.Fuzz(func(t *testing.T, id string) {
		if at, err := keys.ULIDTime(id); err == nil && (id < keys.ULIDFloor(at) || at.UnixMilli() < 1<<48-1 && id >= keys.ULIDFloor(at.Add(time.Millisecond))) {
			t.Errorf("ULID %s at %v", id, at)
		}
		if at, err := keys.UUID7Time(id); err == nil && (id < keys.UUID7Floor(at) || at.UnixMilli() < 1<<48-1 && id >= keys.UUID7Floor(at.Add(time.Millisecond))) {
			t.Errorf("UUID %s at %v", id, at)
		}
		if at, err := keys.KSUIDTime(id); err == nil && (id < keys.KSUIDFloor(at) || at.Unix() < 1_400_000_000+1<<32-1 && id >= keys.KSUIDFloor(at.Add(time.Second))) {
			t.Errorf("KSUID %s at %v", id, at)
		}
	})
}

// FuzzIDs: identifiers of any moment and randomness read their time, and the next one made is larger.
func FuzzIDs(f *testing.F) {
	f.Add(int64(1_795_251_840_123), uint64(1), uint64(2))
	f.Fuzz(func(t *testing.T, ms int64, a, b uint64) {
		ms &= 1<<47 - 1
		var seed [20]byte
		binary.BigEndian.PutUint64(seed[:], a)
		binary.BigEndian.PutUint64(seed[8:], b)
		ids := keys.NewIDs((&clock{time.UnixMilli(ms)}).now, bytes.NewReader(bytes.Repeat(seed[:], 4)))
		first := ids.ULID()
		if at, err := keys.ULIDTime(first); err != nil || at.UnixMilli() != ms {
			t.Errorf("%s at %v, not %d: %v", first, at, ms, err)
		}
		if second := ids.ULID(); second <= first {
			t.Errorf("%s after %s", second, first)
		}
		firstUUID := ids.UUID7()
		if second := ids.UUID7(); second <= firstUUID {
			t.Errorf("%s after %s", second, firstUUID)
		}
	})
}

func BenchmarkIDs(b *testing.B) {
	ids := keys.NewIDs(nil, nil)
	for name, f := range map[string]func() string{"ulid": ids.ULID, "uuid7": ids.UUID7, "uuid4": ids.UUID4, "ksuid": ids.KSUID} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				f()
			}
		})
	}
}
