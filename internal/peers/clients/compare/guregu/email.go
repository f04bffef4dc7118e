package guregu

import (
	"context"
	"errors"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/guregu/dynamo/v2"
)

//page:begin email

var ErrEmailTaken = errors.New("e-mail address is taken")

func Register(ctx context.Context, db *dynamo.DB, c Customer) error {
	marker := map[string]string{"PK": "email#" + strings.ToLower(c.Email), "SK": "email", "customerId": c.ID}
	err := db.WriteTx().
		Put(db.Table("Shop").Put(newCustomerItem(c)).If("attribute_not_exists(PK)")).
		Put(db.Table("Shop").Put(marker).If("attribute_not_exists(PK)")).
		Run(ctx)
	if cancelled, ok := errors.AsType[*types.TransactionCanceledException](err); ok && len(cancelled.CancellationReasons) == 2 {
		switch "ConditionalCheckFailed" {
		case aws.ToString(cancelled.CancellationReasons[0].Code):
			return ErrExists
		case aws.ToString(cancelled.CancellationReasons[1].Code):
			return ErrEmailTaken
		}
	}
	return err
}

//page:end email
