package main

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestRunOnServe runs patterns of a model of one table over HTTP, and looks at the items with and without the model.
func TestRunOnServe(t *testing.T) {
	url := startServe(t)
	examples, err := filepath.Abs("../../examples")
	if err != nil {
		t.Fatal(err)
	}
	of := []string{"--endpoint", url, "--region", "eu-central-1", "--table-prefix", "test-"}
	model := []string{"--model", filepath.Join(examples, "online-shop.published-model.yaml"), "--requirements", filepath.Join(examples, "online-shop.yaml")}
	call := func(with []string, args ...string) string {
		t.Helper()
		c := exec.CommandContext(t.Context(), program(), append(append(args, of...), with...)...)
		c.Env = append(c.Environ(), "AWS_ACCESS_KEY_ID=any", "AWS_SECRET_ACCESS_KEY=any")
		text, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %v\n%s", args, err, text)
		}
		return string(text)
	}
	has := func(text string, want ...string) {
		t.Helper()
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("%q is not in\n%s", w, text)
			}
		}
	}
	const address = `"address":{"street":"Way 1","city":"Oslo","zip":"0150","country":"NO"}`
	has(call(model, "run", "createCustomer", "--create-tables", "--yes", "-p", `customer={"customerId":"c7","email":"a@b.c","name":"Ann",`+address+`}`), "c7", "done; 1 request")
	has(call(model, "run", "createProduct", "--yes", "-p", `product={"productId":"p1","name":"Cup","description":"A cup","price":4.5,"category":"c"}`), "done")
	has(call(model, "run", "createWarehouse", "--yes", "-p", `warehouse={"warehouseId":"w1",`+address+`}`), "done")
	has(call(model, "run", "createInventory", "--yes", "-p", `inventory={"productId":"p1","warehouseId":"w1","quantity":9}`), "done")
	placed := call(model, "run", "placeOrder", "--output", "json", "--yes", "-p", `order={"customerId":"c7","status":"placed",`+address+
		`,"items":[{"productId":"p1","warehouseId":"w1","quantity":2,"price":4.5,"productName":"Cup"}],"invoice":{"amount":9}}`)
	found := regexp.MustCompile(`"orderId": ?"(\w+)"`).FindStringSubmatch(placed)
	if found == nil {
		t.Fatalf("no order in\n%s", placed)
	}
	order := found[1] // it is generated
	has(call(model, "run", "getOrderDetailsByOrderId", "-p", "orderId="+order), "placed", "1 item; ")
	has(call(model, "describe", "OnlineShop"), "Order ", "PK = ", "OnlineShop is as the model says")
	has(call(model, "items", "OnlineShop", "--partition", "o#"+order), "PK = o#"+order+"\n", "Order\n", "OrderItem\n", "\nInvoice\n")
	has(call(nil, "items", "OnlineShop", "--partition", "o#"+order, "--prefix", "p#"), "PK = o#"+order+"\np#\n", "p#p1", "1 item; ")
	has(call(nil, "items", "OnlineShop", "--limit", "100"), "PK = c#c7\n", "PK = p#p1\n")
}
