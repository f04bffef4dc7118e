package awssdk

import (
	"testing"

	"github.com/tablewright/tablewright/internal/peers/clients/compare/ours"
	"github.com/tablewright/tablewright/sdk"
	"github.com/tablewright/tablewright/tablewrighttest"
)

//page:begin unit

func TestPay(t *testing.T) {
	kit := tablewrighttest.Start(t, ours.Shop) // or tables made with CreateTable
	db := sdk.Client(kit.DB)
	if err := Store(t.Context(), db, Order{ID: "o1", Customer: "c1", Status: "placed", Total: 20}); err != nil {
		t.Fatal(err)
	}
	if err := Pay(t.Context(), db, "o1", 100); err != nil {
		t.Fatal(err)
	}
	if o, err := Get(t.Context(), db, "o1"); err != nil || o.Status != "paid" {
		t.Error(o.Status, err)
	}
}

//page:end unit
