// Package pages keeps the code on the pages of docs and the code that the tests run the same: a page names declarations of
// Go files, and Fill puts their text into the page.
//
//	<!-- code: pagination_test.go Event Events Example_pagination -->
//	```go
//	… what stands here is replaced …
//	```
//
// The file is named as seen from the page. A type, variable or constant is shown with its comment as it is in the file; a
// function whose name begins with Example is shown as its body, with the output that go test holds it to; every other
// function whole. Declarations are shown in the order in which the page names them.
//
// The tests of this package hold every page of docs to its code, and
//
//	go test ./docs/internal/pages -update
//
// writes the pages anew. They also look for links that lead nowhere, and for examples that no page shows.
package pages
