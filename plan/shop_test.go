package plan_test

import (
	"testing"

	"github.com/tablewright/tablewright/model"
)

func TestShop(t *testing.T) {
	r, _, ds, err := model.LoadRequirements("../examples/online-shop.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range ds {
		t.Log(d)
	}
	if r == nil {
		t.Fatal("no requirements")
	}
	m, src, ds, err := model.LoadModel("../examples/online-shop.published-model.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range ds {
		t.Log(d)
	}
	_, ds = model.CompileModel(m, src, r)
	for _, d := range ds {
		t.Log(d.Text())
	}
}
