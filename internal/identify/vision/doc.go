// Package vision turns an untrusted photo into pictures of the card that other packages read or compare. It decodes
// photos with limited memory, finds and rectifies the card, computes a perceptual fingerprint, and prepares parts of
// the card for text recognition.
//
// The package uses no catalogue, no database and no network, and keeps no state between calls, so it is safe for
// concurrent use. Callers limit how many photos are processed at a time.
//
// The resampling is ours. Package golang.org/x/image/draw has no projective transform, which straightening needs. To
// shrink a photo of 24 megapixels it allocates 323 MB, because it keeps 32 bytes for each pixel of the new width and
// the old height; Shrink allocates 16 MB and takes half the time. Public catalogues of fingerprints are made with
// Pillow: of the 4096 pixels that a fingerprint is computed from, 3 differ from Pillow's, but 799 with a kernel of
// x/image/draw. OpenCV has everything, but needs cgo.
//
// The reader of JPEG headers is ours too: image.DecodeConfig reports neither the orientation nor whether the file is
// progressive, which multiplies the memory for decoding by five.
//
// The loops over all pixels are marked go:norace: only the caller has access to the pixels, and the race detector would
// make the loops ten times as slow.
package vision
