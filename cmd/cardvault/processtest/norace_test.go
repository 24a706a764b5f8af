//go:build !race

package processtest

// raceFlags build the program as the tests were built: without the race detector.
var raceFlags []string
