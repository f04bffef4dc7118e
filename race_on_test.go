//go:build race

package tablewright_test

const raceEnabled = true
