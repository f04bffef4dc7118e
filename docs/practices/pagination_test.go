package practices

import (
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"time"

	"github.com/tablewright/tablewright"
	"github.com/tablewright/tablewright/docs/internal/local"
	"github.com/tablewright/tablewright/plan"
)

type Comment struct {
	Post string    `ddb:"post" json:"-"`
	At   time.Time `ddb:"at,iso" json:"-"`
	By   string    `ddb:"by" json:"-"`
	Text string    `ddb:"text" json:"text"`
}

type CommentKey struct {
	Post string
	At   time.Time
}

var CommentsTable = tablewright.NewTable(plan.Table{Name: "Comments", Key: plan.Key{Partition: "post", Sort: "at"}})

type comments struct {
	tablewright.Entity[CommentKey, Comment]
	By     tablewright.Text[Comment, string]
	OfPost tablewright.Index1[Comment, string, time.Time] `index:"."`
}

var Comments = tablewright.Declare[comments](CommentsTable, plan.Item{Name: "Comment"})

// listComments is a handler of GET /comments?post=…&after=….
func listComments(db *tablewright.DB) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		page, err := Comments.OfPost.Of(r.FormValue("post")).Descending().
			Resume(tablewright.Cursor(r.FormValue("after"))).
			Page(r.Context(), db, 2)
		switch {
		case errors.Is(err, tablewright.ErrCursor):
			http.Error(w, "after is not a position in this list", http.StatusBadRequest)
		case err != nil:
			http.Error(w, "try again", http.StatusServiceUnavailable)
		default:
			_ = json.NewEncoder(w).Encode(map[string]any{"comments": page.Items, "next": page.Next})
		}
	}
}

func fiveComments(post string, db *tablewright.DB) {
	for i := range 5 {
		c := Comment{Post: post, At: noon.Add(time.Duration(i) * time.Minute), By: []string{"ada", "eve"}[i%2], Text: fmt.Sprint("comment ", i+1)}
		if err := Comments.Create(c).Run(local.Context, db); err != nil {
			log.Fatal(err)
		}
	}
}

func Example_pagination() {
	_, db := local.OpenWith(tablewright.Options{CursorKey: []byte("a secret of 32 bytes, not in git")}, CommentsTable)
	fiveComments("p1", db)
	get := func(post, after string) (status int, texts, next string) {
		w := httptest.NewRecorder()
		listComments(db)(w, httptest.NewRequest("GET", "/comments?post="+post+"&after="+url.QueryEscape(after), nil))
		var body struct {
			Comments []Comment
			Next     string
		}
		_ = json.Unmarshal(w.Body.Bytes(), &body)
		for _, c := range body.Comments {
			texts += c.Text + ", "
		}
		return w.Code, strings.TrimSuffix(texts, ", "), body.Next
	}
	_, first, next := get("p1", "")
	fmt.Println(first)
	_, second, last := get("p1", next)
	fmt.Println(second)
	_, third, end := get("p1", last)
	fmt.Println(third, end == "")
	status, _, _ := get("p2", next)
	fmt.Println(status)
	// Output:
	// comment 5, comment 4
	// comment 3, comment 2
	// comment 1 true
	// 400
}

func Example_filteredPages() {
	ctx, db := open(CommentsTable)
	fiveComments("p1", db)

	page, err := Comments.OfPost.Of("p1").Filter(Comments.By.Equals("eve")).Page(ctx, db, 1)
	fmt.Println(len(page.Items), "of", page.Scanned, err)

	// Cut behind any item: the position of the second of these.
	page, _ = Comments.OfPost.Of("p1").Page(ctx, db, 4)
	rest, err := Comments.OfPost.Of("p1").Resume(page.At(1)).Slice(ctx, db)
	fmt.Println(rest[0].Text, len(rest), err)
	// Output:
	// 1 of 5 <nil>
	// comment 3 3 <nil>
}

// The last page, and the one before.
func Example_backward() {
	ctx, db := open(CommentsTable)
	fiveComments("p1", db)

	post := Comments.OfPost.Of("p1")
	last, err := post.Last(ctx, db, "", 2)
	fmt.Println(last.Items[0].Text, "and", last.Items[1].Text, err)
	before, err := post.Last(ctx, db, last.Previous, 3)
	fmt.Println(len(before.Items), "before,", before.Items[0].Text, "first:", before.Previous == "", err)
	// Output:
	// comment 4 and comment 5 <nil>
	// 3 before, comment 1 first: true <nil>
}
