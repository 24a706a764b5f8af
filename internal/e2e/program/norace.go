//go:build !race

package program

// Race reports whether the program is built with the race detector.
const Race = false

var raceFlags []string
