// Package match compares text that was read from a card with the catalogue: collector numbers,
// names and body words. Because text recognition makes errors, every comparison tolerates common
// confusions and a few wrong letters, and returns a similarity from 0 to 1.
//
// Its functions are pure: they use no catalogue, no images and no state.
package match
