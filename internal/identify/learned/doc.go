// Package learned keeps fingerprints of photos whose cards their owners have confirmed, so that the next photo of such
// a card is recognised although the catalogue has no picture of it.
//
// It learns from a card that its owner has identified by a card of the catalogue, and that has a photo of the front.
// When a card begins or ceases to be such a card, package cards queues it, in the transaction of the change, which also
// deletes the card's old fingerprint. A Worker computes the fingerprint and stores it: one for each card, and the
// newest maxPerPrinting for each printing. It does not learn from a card whose title, number or language differs from
// the catalogue's, nor from a photo that does not resemble the catalogue's picture.
//
// A Catalogue searches the fingerprints of the catalogue and the learned ones together. An account's confirmations are
// evidence for its own photos. If the operator shares fingerprints, other accounts' confirmations count too. But an
// account could be wrong, or lie. So a card that one other account has confirmed is proposed as a candidate, and
// becomes evidence only at the distance at which a second account's fingerprints agree. Nothing else of an account can
// be seen through the fingerprints: a match has only the catalogue's card and a distance.
package learned
