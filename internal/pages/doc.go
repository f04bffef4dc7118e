// Package pages keeps Markdown pages true: their blocks of Go come from files that are compiled and run, their tables from
// programs, and a test fails where a page says something else.
//
// A line above a block says where it comes from, the file relative to the page:
//
//	<!-- code: ../examples/client/main.go main -->
//	```go
//	…
//	```
//
// What follows the file are names of regions or declarations, shown in this order: a function, a method as Type.Method, a
// type, a variable or a constant, with the comment above it; of an Example function what stands between its braces, with
// the output that it is held to. Without names it is the whole file. A region is what lies between two lines in the file,
// several of the same name are shown as one:
//
//	//page:begin pay
//	…
//	//page:end pay
//
// What is computed stands between two lines of the page:
//
//	<!-- begin: lengths -->
//	…
//	<!-- end: lengths -->
//
// The test of a folder of pages is [Check] with the flag of its package:
//
//	var update = flag.Bool("update", false, "write the pages anew")
//
//	func TestPages(t *testing.T) { pages.Check(t, *update, nil, "*.md") }
//
// A block of Go that says not where it comes from is a mistake, so that no page shows what nobody compiled; so is a link
// to a file that is not there.
package pages
