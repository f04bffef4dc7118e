package ours

import (
	"context"
	"errors"

	"github.com/tablewright/tablewright"
)

//page:begin email

var ErrEmailTaken = errors.New("e-mail address is taken")

func Register(ctx context.Context, db *tablewright.DB, c Customer) error {
	return tablewright.Transact(Customers.Create(c), Customers.EmailClaim.Claim(c).Else(ErrEmailTaken)).Run(ctx, db)
}

//page:end email
