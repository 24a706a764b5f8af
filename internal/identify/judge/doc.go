// Package judge decides which card of the catalogue a photo shows, from all evidence together: the picture, the name,
// the collector number, the body text, the code of the set, the illustrator, the health points, the year, the language
// and the owner's hints.
//
// Weigh gathers the evidence of the cards of a pool. Decide gives each card a probability, with one logistic model in
// which the cards compete with each other and with "none of the cards". Cards with equal evidence share their
// probability, and weak evidence leaves it to none. The weights are fitted to photos, also with their card taken out of
// the catalogue (coefficients.go, made by "make calibrate-identify"). Some contradictions are certain, so they are
// vetoes: a card with a veto is never accepted, whatever its probability.
//
// The package is pure. It searches no catalogue and reads no photo.
package judge
