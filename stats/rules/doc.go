// Package rules tells what to change about a running program: of what package stats measured, each rule makes findings that
// name the evidence, the remedy and what it saves a month.
package rules
