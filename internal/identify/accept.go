package identify

// The maximum confidence that clients see of a candidate that must not be accepted. These limits do not decide whether
// a candidate is accepted. They keep a client that compares the confidence with a threshold of its own from accepting
// the candidate.
const (
	maxObjected    = 0.6
	maxUnconfirmed = 0.5
)

// accepts reports whether the chain accepts a candidate without a person. No other code decides this: providers only
// say how confident they are and what speaks against the candidate.
func (ch Chain) accepts(c Candidate) bool {
	return c.Objection == "" && !c.Unconfirmed && c.Confidence >= ch.Threshold
}

// Object sets the objection to a candidate and limits its confidence.
func (c *Candidate) Object(objection string) {
	c.Objection = objection
	c.Confidence = min(c.Confidence, maxObjected)
}

// Unconfirm marks a candidate that the catalogue does not confirm and limits its confidence. threshold is the
// operator's, above 0. The thresholds of accounts are not lower.
func (c *Candidate) Unconfirm(threshold float64) {
	c.Unconfirmed = true
	c.Confidence = min(c.Confidence, maxUnconfirmed, threshold/2)
}
