// Package vision turns an untrusted photo into pictures of the card that other packages can read or compare: bounded
// decoding, EXIF orientation, finding and straightening the card, a perceptual fingerprint, and crops prepared for text
// recognition.
//
// It works on pixels alone: it knows no catalogue, no database and no network, keeps no state between calls, and is
// safe for concurrent use. Callers limit how many photos are processed at a time.
//
// The resampling is ours. Package golang.org/x/image/draw has no projective transform, which straightening needs. To
// shrink a photo of 24 megapixels it allocates 323 MB, because it keeps 32 bytes for each pixel of the new width and
// the old height; Shrink allocates 16 MB and takes half the time. Public catalogues of fingerprints are made with
// Pillow: of the 4096 pixels that a fingerprint is computed from, 3 differ from Pillow's, but 799 with a kernel of
// x/image/draw. OpenCV has everything, but needs cgo.
//
// The walk through the header of a JPEG is ours too: image.DecodeConfig reports neither the orientation nor whether the
// file is progressive, which multiplies the memory for decoding by five.
//
// The loops that visit every pixel are marked go:norace: the pixels belong to the caller alone, and the race detector
// would make the loops ten times as slow.
package vision
