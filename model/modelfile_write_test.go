package model_test

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/tablewright/tablewright/model"
)

func TestWriteModelReadsBack(t *testing.T) {
	m, _, ds, err := model.LoadModel("../examples/online-shop.published-model.yaml")
	if err != nil || m == nil {
		t.Fatal(err, ds)
	}
	var first bytes.Buffer
	if err := model.WriteModel(&first, m); err != nil {
		t.Fatal(err)
	}
	back, _, ds := model.ReadModel("written", first.Bytes())
	if back == nil {
		t.Fatalf("what was written does not read: %v\n%s", ds, first.Bytes())
	}
	if !reflect.DeepEqual(m, back) {
		t.Errorf("another model was read back from\n%s", first.Bytes())
	}
	var second bytes.Buffer
	if err := model.WriteModel(&second, back); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Error("writing it again gives other bytes")
	}
}
