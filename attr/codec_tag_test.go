package attr_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/tablewright/tablewright/attr"
)

func TestCodecOptions(t *testing.T) {
	type set struct {
		V []string `ddb:"v,set"`
	}
	tripBox(t, set{[]string{"b", "a", "b"}}, `{"SS":["a","b"]}`, func(b set) []string { return b.V }, []string{"a", "b"})
	tripBox(t, set{[]string{}}, ``, func(b set) []string { return b.V }, nil)
	type numbers struct {
		V map[int]struct{} `ddb:"v,set"`
	}
	tripBox(t, numbers{map[int]struct{}{10: {}, 9: {}}}, `{"NS":["9","10"]}`, func(b numbers) map[int]struct{} { return b.V }, map[int]struct{}{9: {}, 10: {}})
	type flags struct {
		V map[status]bool `ddb:"v,set"`
	}
	tripBox(t, flags{map[status]bool{"a": true, "b": false}}, `{"SS":["a"]}`, func(b flags) map[status]bool { return b.V }, map[status]bool{"a": true})
	type binaries struct {
		V [][]byte `ddb:"v,set"`
	}
	tripBox(t, binaries{[][]byte{{1}, {}, nil}}, `{"BS":["","AQ=="]}`, func(b binaries) [][]byte { return b.V }, [][]byte{{}, {1}})
	type times struct {
		V []time.Time `ddb:"v,set,epoch-ms"`
	}
	tripBox(t, times{[]time.Time{noon}}, `{"NS":["1779019200123"]}`, func(b times) []time.Time { return b.V }, []time.Time{noon})
	type optSet struct {
		V attr.Opt[[]int] `ddb:"v,set"`
	}
	tripBox(t, optSet{attr.Some([]int{2, 1})}, `{"NS":["1","2"]}`, func(b optSet) attr.Opt[[]int] { return b.V }, attr.Some([]int{1, 2}))
	type seconds struct {
		V *time.Time `ddb:"v,epoch-s"`
	}
	tripBox(t, seconds{&noon}, `{"N":"1779019200"}`, func(b seconds) time.Time { return *b.V }, noon.Truncate(time.Second))
	tripBox(t, seconds{}, ``, func(b seconds) *time.Time { return b.V }, nil)
	type millis struct {
		V []time.Time `ddb:"v,epoch-ms"`
	}
	tripBox(t, millis{[]time.Time{noon}}, `{"L":[{"N":"1779019200123"}]}`, func(b millis) []time.Time { return b.V }, []time.Time{noon})
	type zero struct {
		V time.Time `ddb:"v,omitzero"`
	}
	tripBox(t, zero{}, ``, func(b zero) time.Time { return b.V }, time.Time{})
	type empty struct {
		V []int `ddb:"v,omitzero"`
	}
	tripBox(t, empty{[]int{}}, `{"L":[]}`, func(b empty) []int { return b.V }, []int{})
}

// The tags of package attributevalue of the AWS SDK.
func TestCodecForeignTags(t *testing.T) {
	type inner struct {
		X int `dynamodbav:"x,omitempty"`
	}
	type foreign struct {
		A string            `dynamodbav:"a,omitempty"`
		B []string          `dynamodbav:"b,omitempty"`
		C []string          `dynamodbav:"c,stringset"`
		D []int             `dynamodbav:"d,numberset,omitempty"`
		E [][]byte          `dynamodbav:"e,binaryset"`
		F time.Time         `dynamodbav:"f,unixtime"`
		G int               `dynamodbav:"g,string"`
		H bool              `dynamodbav:"h,string"`
		I string            `dynamodbav:"-"`
		J []string          `dynamodbav:"j,omitemptyelem"`
		K map[string]string `dynamodbav:"k,omitemptyelem"`
		L string            `dynamodbav:"l,nullempty"`
		M []string          `dynamodbav:"m,nullemptyelem"`
		N time.Time         `dynamodbav:",unknown"`
		O string            `dynamodbav:"o" ddb:"ours"`
		Q [][]byte          `dynamodbav:"q"`
		R []time.Time       `dynamodbav:"r,unixtime"`
		S []int             `dynamodbav:"s,omitempty"`
		T map[string]int    `dynamodbav:"t,stringset,omitempty"`
		U time.Time         `dynamodbav:"u,omitempty"`
		P inner             `dynamodbav:"p,omitempty"`
		inner
	}
	v := foreign{C: []string{"b", "a"}, D: []int{2, 1}, E: [][]byte{{1}}, F: noon, G: 5, H: true, I: "no",
		J: []string{"", "x"}, K: map[string]string{"a": "", "b": "y"}, M: []string{"", "z"}, N: noon.Add(time.Nanosecond), O: "o", Q: [][]byte{{1}}, R: []time.Time{noon}, S: []int{}, T: map[string]int{}, inner: inner{X: 1}}
	want := `{"N":{"S":"2026-05-17T12:00:00.123000001Z"},"c":{"SS":["a","b"]},"d":{"NS":["1","2"]},"e":{"BS":["AQ=="]},"f":{"N":"1779019200"},"g":{"S":"5"},"h":{"BOOL":true},` +
		`"j":{"L":[{"S":"x"}]},"k":{"M":{"b":{"S":"y"}}},"l":{"NULL":true},"m":{"L":[{"NULL":true},{"S":"z"}]},"ours":{"S":"o"},"p":{"M":{}},"q":{"BS":["AQ=="]},"r":{"L":[{"S":"2026-05-17T12:00:00.123Z"}]},"s":{"L":[]},"t":{"M":{}},"u":{"S":"0001-01-01T00:00:00Z"},"x":{"N":"1"}}`
	text, err := attr.Encode(nil, &v)
	if err != nil || string(text) != want {
		t.Errorf("%s %v", text, err)
	}
	var got foreign
	if err := attr.Decode(text, &got); err != nil {
		t.Fatal(err)
	}
	v.C, v.D, v.F, v.I, v.J, v.K = []string{"a", "b"}, []int{1, 2}, noon.Truncate(time.Second), "", []string{"x"}, map[string]string{"b": "y"}
	if !reflect.DeepEqual(got, v) {
		t.Errorf("%+v", got)
	}
}

type Base struct {
	ID   string `ddb:"id"`
	Name string `ddb:"name"`
	Deep
}
type Deep struct {
	Name  string `ddb:"name"` // hidden by Base's
	Depth int    `ddb:"depth"`
}
type lower struct {
	Low string `ddb:"low"`
}
type Loop struct {
	*Loop
	Level int `ddb:"level"`
}

func TestCodecEmbedded(t *testing.T) {
	v := struct {
		*Base
		lower
		Own string `ddb:"own"`
	}{&Base{"i", "n", Deep{"hidden", 3}}, lower{"l"}, "o"}
	text, err := attr.Encode(nil, &v)
	if want := `{"depth":{"N":"3"},"id":{"S":"i"},"low":{"S":"l"},"name":{"S":"n"},"own":{"S":"o"}}`; err != nil || string(text) != want {
		t.Errorf("%s %v", text, err)
	}
	got := v
	got.Base = nil
	if err := attr.Decode(text, &got); err != nil {
		t.Fatal(err)
	}
	v.Deep.Name = ""
	if !reflect.DeepEqual(got, v) {
		t.Errorf("%+v", got)
	}
	v.Base = nil
	if text, err = attr.Encode(nil, &v); err != nil || string(text) != `{"low":{"S":"l"},"own":{"S":"o"}}` {
		t.Errorf("%s %v", text, err)
	}
	if err := attr.Decode(text, &got); err != nil || got.Base != nil {
		t.Errorf("%+v %v", got, err)
	}
	named := struct {
		Base `ddb:"base"`
	}{Base{ID: "i"}}
	if text, err = attr.Encode(nil, &named); err != nil || !strings.HasPrefix(string(text), `{"base":{"M":{`) {
		t.Errorf("%s %v", text, err)
	}
	loop := Loop{&Loop{nil, 2}, 1}
	if text, err = attr.Encode(nil, &loop); err != nil || string(text) != `{"level":{"N":"1"}}` {
		t.Errorf("%s %v", text, err)
	}
}
