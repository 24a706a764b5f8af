// Package match compares what was read off a card with what a catalogue says the
// card prints: collector numbers, names, body words. Text recognition errs, so
// every comparison tolerates the usual confusions and a few wrong letters, and
// answers with a similarity from 0 to 1.
//
// It is pure: no catalogue, no pictures, no state.
package match
