// Package vision turns an untrusted photo into pictures of the card that other
// packages can read or compare: bounded decoding, EXIF orientation, finding and
// straightening the card, a perceptual fingerprint, and crops prepared for text
// recognition.
//
// It works on pixels alone: it knows no catalogue, no database and no network,
// keeps no state between calls, and is safe for concurrent use. Callers bound how
// many photos are worked on at once.
//
// The loops that visit every pixel are marked go:norace: what they touch is their
// caller's alone, and under the race detector they would be ten times as slow.
package vision
