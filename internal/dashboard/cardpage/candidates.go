package cardpage

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/dashboard/web/format"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/identify"
)

// candidate is a printing that a card may be.
type candidate struct {
	Place int    // from 1: the key that takes it; 0 for none
	Value string // of the button that takes it
	// Action is the address to which the button sends its form; "" for that of the form.
	Action string
	// The parts of a number such as 95/203 are separate, because often only one of them differs.
	Title, Set, Number, Total, Variant, Language, Year fact
	Confidence                                         string // "" for a card of the catalogue
	Signals                                            string // what speaks for it; may be ""
	improbable                                         bool
}

// fact is a value of a candidate.
type fact struct {
	Text    string
	Differs bool // between the candidates
}

// candidates are those of a card's last identification.
type candidates struct {
	Attempt string // identifies the identification
	List    []candidate
	Read    []readPart // what was read on the photo; nil if nothing tried to
}

// readPart is a text of the photo, such as the name.
type readPart struct {
	Label string
	Text  string // "" if it was not legible
}

// readParts returns the parts of a reading. Many cards have no HP, so those that were not legible are left out.
func readParts(r *identify.Reading) []readPart {
	if r == nil {
		return nil
	}
	parts := []readPart{{"name", r.Name}}
	if r.HP != "" {
		parts = append(parts, readPart{"HP", "HP " + r.HP})
	}
	parts = append(parts, readPart{"number", r.Number})
	if g := r.Grade; g != nil {
		parts = append(parts, readPart{"grade", gradeText(g)})
	}
	return parts
}

// gradeText returns a grade with its certificate number, if it has one.
func gradeText(g *cards.Grade) string {
	text := g.Company + " " + g.Value
	if g.CertNumber != nil {
		text += ", certificate " + *g.CertNumber
	}
	return text
}

// The kinds of values of the buttons that take a candidate.
const (
	fromCatalogue      = "catalog"   // followed by the identifier in the catalogue
	fromIdentification = "candidate" // followed by the index among the candidates of the identification
)

// candidates returns the candidates of the card's last identification, the first of which has the key 1.
func (h *Handlers) candidates(ctx context.Context, accountID, cardID string) (candidates, error) {
	found, err := h.Identification.Candidates(ctx, accountID, cardID)
	if err != nil {
		return candidates{}, err
	}
	list := make([]candidate, len(found.Found))
	for i, one := range found.Found {
		list[i] = newCandidate(one.Candidate, i)
		list[i].Confidence = fmt.Sprintf("%.0f\u00a0%%", 100*one.Confidence)
		list[i].improbable = one.Confidence < Improbable
	}
	markDifferences(list)
	return candidates{attempt(found.At), list, readParts(found.Reading)}, nil
}

// attempt returns the text that identifies the identification of this time.
func attempt(at *time.Time) string {
	if at == nil {
		return ""
	}
	return strconv.FormatInt(at.UnixMicro(), 10)
}

// newCandidate returns the candidate with an index.
func newCandidate(c identify.Candidate, index int) candidate {
	number, total, _ := strings.Cut(c.Number, "/")
	made := candidate{
		Place: index + 1, Value: fromIdentification + ":" + strconv.Itoa(index),
		Title: fact{Text: c.Title}, Set: fact{Text: c.Set}, Number: fact{Text: number}, Total: fact{Text: total},
		Variant: fact{Text: format.Text(c.Variant)}, Language: fact{Text: format.Text(c.Language)},
	}
	if c.CatalogID != "" {
		made.Value = fromCatalogue + ":" + c.CatalogID
	}
	if c.Year != nil {
		made.Year.Text = strconv.Itoa(*c.Year)
	}
	signals := make([]string, len(c.Signals))
	for i, signal := range c.Signals {
		signals[i] = string(signal.Kind)
	}
	made.Signals = strings.Join(signals, ", ")
	return made
}

// markDifferences marks the facts in which the candidates differ.
func markDifferences(list []candidate) {
	for _, of := range []func(*candidate) *fact{
		func(c *candidate) *fact { return &c.Title }, func(c *candidate) *fact { return &c.Set },
		func(c *candidate) *fact { return &c.Number }, func(c *candidate) *fact { return &c.Total },
		func(c *candidate) *fact { return &c.Variant }, func(c *candidate) *fact { return &c.Language },
		func(c *candidate) *fact { return &c.Year },
	} {
		differs := slices.ContainsFunc(list, func(c candidate) bool { return of(&c).Text != of(&list[0]).Text })
		for i := range list {
			of(&list[i]).Differs = differs
		}
	}
}

// chosen returns the change that identifies the card as the candidate that a form takes. A candidate of the catalogue
// is taken by its identifier, with which package cards completes the change. A card without a grade gets the one that
// the page showed as read from its label. The condition stays unchanged.
func (h *Handlers) chosen(ctx context.Context, card *cards.Card, sent url.Values) (patch cards.Patch, err error) {
	found, err := h.Identification.Candidates(ctx, card.AccountID, card.ID)
	if err != nil {
		return cards.Patch{}, err
	}
	current := sent.Get("attempt") == attempt(found.At)
	kind, name, _ := strings.Cut(sent.Get("take"), ":")
	if kind == fromCatalogue {
		patch.CatalogID = cards.Set(name)
	} else {
		index, err := strconv.Atoi(name)
		if err != nil || kind != fromIdentification || index < 0 || index >= len(found.Found) || !current {
			return cards.Patch{}, fault.New(fault.InvalidRequest,
				"The card was identified again in the meantime. Choose from its new candidates.")
		}
		patch = identifiedAs(found.Found[index].Candidate)
	}
	if read := found.Reading; current && read != nil && read.Grade != nil && card.Identification.Grade == nil {
		patch.Grade = cards.Set(*read.Grade)
	}
	return patch, nil
}

// identifiedAs returns the change that identifies a card as a candidate that is not in the catalogue.
func identifiedAs(c identify.Candidate) cards.Patch {
	known := func(text string) cards.Field[string] {
		if text == "" {
			return cards.Clear[string]()
		}
		return cards.Set(text)
	}
	patch := cards.Patch{
		Title: cards.Set(c.Title), Set: known(c.Set), Number: known(c.Number), Game: known(c.Game),
		Variant: known(format.Text(c.Variant)), Language: known(format.Text(c.Language)),
		CatalogID: cards.Clear[string](), Year: cards.Clear[int32](),
	}
	if c.Year != nil {
		patch.Year = cards.Set(int32(*c.Year))
	}
	return patch
}
