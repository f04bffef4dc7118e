// Package model reads the two documents of Tablewright: the requirements of an application, and the data model that
// serves them.
package model
