module github.com/tablewright/tablewright

go 1.26
