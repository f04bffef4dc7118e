//go:build !race

package attr_test

const raceDetector = false
