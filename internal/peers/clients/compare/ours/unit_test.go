package ours

import (
	"testing"

	"github.com/tablewright/tablewright/tablewrighttest"
)

//page:begin unit

func TestPay(t *testing.T) {
	kit := tablewrighttest.Start(t, Shop)
	if err := Store(t.Context(), kit.DB, Order{ID: "o1", Customer: "c1", Status: "placed", Total: 20}); err != nil {
		t.Fatal(err)
	}
	if err := Pay(t.Context(), kit.DB, "o1", 100); err != nil {
		t.Fatal(err)
	}
	if o := tablewrighttest.Has(t, kit, Orders, "o1"); o.Status != "paid" {
		t.Error(o.Status)
	}
}

//page:end unit
