//go:build race

package processtest

// raceFlags build the program as the tests were built: with the race detector.
var raceFlags = []string{"-race"}
