package ours

import (
	"context"
	"errors"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/internal/peers/clients/compare"
)

// Programs are the programs on a way to the service.
type Programs struct{ DB *tablewright.DB }

var _ compare.Shop = Programs{}

func (p Programs) Store(ctx context.Context, o compare.Order) error {
	return Store(ctx, p.DB, Order(o))
}

func (p Programs) Get(ctx context.Context, id string) (compare.Order, error) {
	o, err := Get(ctx, p.DB, id)
	return compare.Order(o), err
}

func (p Programs) Pay(ctx context.Context, id string, limit int) error {
	return Pay(ctx, p.DB, id, limit)
}

func (p Programs) Paid(ctx context.Context, customer string, since time.Time, after string, n int) ([]compare.Order, string, error) {
	orders, next, err := Paid(ctx, p.DB, customer, since, after, n)
	return plain(orders), next, err
}

func (p Programs) Ship(ctx context.Context, order, carrier string) error {
	if carrier == "" {
		return Invoices.Put(Invoice{order, "R-" + order}).Run(ctx, p.DB)
	}
	return Shipments.Put(Shipment{order, carrier}).Run(ctx, p.DB)
}

func (p Programs) Page(ctx context.Context, id string) (out compare.OrderPage, err error) {
	page, err := ReadPage(ctx, p.DB, id)
	out.Order = compare.Order(page.Order)
	if page.Invoice != nil {
		out.Invoice = page.Invoice.Number
	}
	for _, s := range page.Shipments {
		out.Shipments = append(out.Shipments, s.Carrier)
	}
	return out, err
}

func (p Programs) ByStatus(ctx context.Context, customer, status string, from, to time.Time) ([]compare.Order, error) {
	orders, err := ByStatus(ctx, p.DB, OrdersOf{customer, status, from, to})
	return plain(orders), err
}

func (p Programs) Register(ctx context.Context, c compare.Customer) error {
	return Register(ctx, p.DB, Customer(c))
}

func (p Programs) Import(ctx context.Context, all []compare.Customer) []int {
	customers := make([]Customer, len(all))
	for i, c := range all {
		customers[i] = Customer(c)
	}
	return Import(ctx, p.DB, customers)
}

func (p Programs) Edit(ctx context.Context, id string, f func(*compare.Order) error) (compare.Order, error) {
	o, err := Edit(ctx, p.DB, id, func(o *Order) error { return f((*compare.Order)(o)) })
	return compare.Order(o), err
}

func (p Programs) Export(ctx context.Context, each func(compare.Customer) error) error {
	return Export(ctx, p.DB, func(c Customer) error { return each(compare.Customer(c)) })
}

func (p Programs) Follow(ctx context.Context, f func(old, new *compare.Order) error) error {
	return Follow(ctx, p.DB, func(old, new *Order) error { return f((*compare.Order)(old), (*compare.Order)(new)) })
}

func (Programs) Kind(err error) string {
	switch {
	case errors.Is(err, ErrEmailTaken):
		return "email taken"
	case errors.Is(err, tablewright.ErrExists):
		return "exists"
	case errors.Is(err, tablewright.ErrNotFound):
		return "not found"
	}
	return err.Error()
}

func plain(orders []Order) (out []compare.Order) {
	for _, o := range orders {
		out = append(out, compare.Order(o))
	}
	return out
}
