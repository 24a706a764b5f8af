package judge

// Veto is why a card must not be accepted, whatever its probability.
type Veto string

// The vetoes.
const (
	OtherLanguage   Veto = "other language"
	OtherNumber     Veto = "other number"
	OtherName       Veto = "other name"
	OtherText       Veto = "other text"
	Twins           Veto = "twins"
	OneKind         Veto = "one kind of evidence"
	UnknownLanguage Veto = "unknown language"
)

const (
	// twinLead is the minimum lead in utility over each other printing of the name. With a smaller lead, chance decides
	// the order. It exceeds the weight of a set code that was read without certainty.
	twinLead = 2.25
	// These values of the evidence are clear agreement. A number may have one wrong character.
	clearPicture, clearNumber, clearName, clearBody = 0.2, 0.6, 0.7, 0.35
	// wholeName and noName are the agreement of the name that was read, and of one that was not.
	wholeName, noName = 1, 0.4
	// leastName is the length, in bytes, from which a name that was read is not a part of another text: five letters,
	// or two Japanese or Chinese ones.
	leastName = 5
	// leastWords, leastCardWords and leastReadShare define text that contradicts a card: the photo has at least
	// leastWords words, the card leastCardWords, and less than leastReadShare of the card's words were read.
	leastWords, leastCardWords, leastReadShare = 15, 12, 0.15
)

// veto returns the veto against a card of the round.
func (r Round) veto(at int, names []string, utilities []float64) Veto {
	e := r.Evidence[at]
	switch {
	case e.Language == Differs:
		return OtherLanguage
	case e.OtherNumber:
		return OtherNumber
	case r.otherName(at, names):
		return OtherName
	case e.otherText(r.words):
		return OtherText
	case r.hasTwin(at, names, utilities):
		return Twins
	case e.kinds() < 2:
		return OneKind
	case e.Language == Undecided && !r.provesLanguage(at):
		return UnknownLanguage
	}
	return ""
}

// otherName reports whether the name of another card of the pool was read, and not this card's.
func (r Round) otherName(at int, names []string) bool {
	if r.Evidence[at].Name >= noName {
		return false
	}
	for i, e := range r.Evidence {
		if e.Name >= wholeName && len(names[i]) >= leastName {
			return true
		}
	}
	return false
}

// otherText reports whether the photo has a text, read as so many words, but almost none of the card's.
func (e Evidence) otherText(words int) bool {
	return words >= leastWords && e.Words >= leastCardWords && float64(e.Read) < leastReadShare*float64(e.Words)
}

// hasTwin reports whether another printing of the name agrees about as well.
func (r Round) hasTwin(at int, names []string, utilities []float64) bool {
	for i, name := range names {
		if i != at && utilities[i] > utilities[at]-twinLead && name == names[at] {
			return true
		}
	}
	return false
}

// kinds returns how many kinds of evidence clearly agree.
func (e Evidence) kinds() (n int) {
	for _, clear := range []bool{
		share(e.Distance, far, near) >= clearPicture, e.Number >= clearNumber, e.Name >= clearName, e.Body >= clearBody,
	} {
		if clear {
			n++
		}
	}
	return n
}

// provesLanguage reports whether a card whose language was not compared can be accepted: the catalogue does not tell
// the language of the printing, or enough of its words were read. Lines that were not read may tell the language.
func (r Round) provesLanguage(at int) bool {
	return !r.partial && r.Pool[at].Card.Language == "" || r.Evidence[at].Body >= clearBody
}
