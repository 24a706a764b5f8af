//go:build race

package processtest

// raceFlags build the program as the tests were built: with the race detector.
var raceFlags = []string{"-race"}

// memoryFactor is how many times its usual memory the program may take with the race detector.
const memoryFactor = 3
