//go:build !race

package processtest

// raceFlags build the program as the tests were built: without the race detector.
var raceFlags []string

// memoryFactor is how many times its usual memory the program may take as it was built.
const memoryFactor = 1
