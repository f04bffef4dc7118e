// Package both has the programs of docs/coming-from in which two libraries work on one table.
package both
