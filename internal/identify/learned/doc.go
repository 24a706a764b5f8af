// Package learned keeps fingerprints of photos whose cards their owners have confirmed, so that the next photo of such
// a card is recognised although the catalogue has no picture of it.
//
// It learns from a card that its owner has identified by a card of the catalogue, and that has a photo of the front.
// Package cards queues each card for which that changes, in the transaction of the change, which also deletes what
// was learned from it before. A Worker computes the fingerprint and stores it: one for each card, and the newest
// maxPerPrinting for each printing. It does not learn from a card whose title, number or language is not that of the
// catalogue's card, nor from a photo that does not resemble the catalogue's picture.
//
// A Catalogue searches the fingerprints of the catalogue and the learned ones together. What an account has confirmed
// is evidence for its own photos. If the operator shares fingerprints, those of other accounts count too, but an
// account could be wrong, or lie: what one other account has confirmed is proposed as a candidate, and is evidence only
// from the distance at which the fingerprints of a second one agree. Nothing else of an account can be seen through the
// fingerprints: a match has only the catalogue's card and a distance.
package learned
