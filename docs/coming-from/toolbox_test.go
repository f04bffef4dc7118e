package comingfrom

import (
	"fmt"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/attr"
	"github.com/tablewright/tablewright/plan"
)

//page:begin toolbox

// User is the entity User of a table whose entity attribute is saved as _et, with the timestamps _ct and _md.
type User struct {
	ID       string    `ddb:"userId"`
	Email    string    `ddb:"email" check:"pattern=.+@.+"`
	Plan     string    `ddb:"plan,omitzero" check:"enum=free|paid,default=free"`
	Created  time.Time `ddb:"_ct,created,iso"`
	Modified time.Time `ddb:"_md,updated,iso"`
}

// UserChange is what an update may carry: absent leaves, null removes, a value sets.
type UserChange struct {
	Email attr.Opt[string] `ddb:"email" json:"email"`
	Plan  attr.Opt[string] `ddb:"plan" json:"plan"`
}

var AppTable = tablewright.NewTable(plan.Table{Name: "App", Key: plan.Key{Partition: "PK", Sort: "SK"}})

var Users = tablewright.Declare[struct {
	tablewright.Entity[string, User]
	Email  tablewright.Text[User, string]
	Change tablewright.Partial[string, User, UserChange]
}](AppTable, plan.Item{
	Name: "User",
	Key:  map[string]string{"PK": "USER#{userId}", "SK": "PROFILE"},
	Set:  map[string]plan.Template{"_et": {Value: "User"}},
})

//page:end toolbox

func Example_toolbox() {
	ctx, db := open(AppTable)
	//page:begin toolbox-use
	err := Users.Put(User{ID: "u1", Email: "ada@example.org"}).Run(ctx, db)
	fmt.Println(err)
	user, err := Users.Change.Patch("u1", UserChange{Plan: attr.Some("paid")}).If(Users.Email.Exists()).New(ctx, db)
	fmt.Println(user.Plan, user.Email, err)
	stored, err := Users.Encode(user)
	fmt.Println(string(stored), err)
	// Output:
	// <nil>
	// paid ada@example.org <nil>
	// {"_ct":{"S":"2026-11-21T12:00:00.000Z"},"_md":{"S":"2026-11-21T12:00:00.000Z"},"email":{"S":"ada@example.org"},"plan":{"S":"paid"},"userId":{"S":"u1"},"PK":{"S":"USER#u1"},"SK":{"S":"PROFILE"},"_et":{"S":"User"}} <nil>
	//page:end toolbox-use
}
