package cardpage

import (
	"context"
	"regexp"
	"strings"

	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/dashboard/web/list"
	"github.com/cardvault/cardvault/internal/identify"
)

// maxResults is the number of results of a search of the catalogue.
const maxResults = 9

// collectorNumber matches a word that is a collector number, such as 95/203, 025 or TG12, and not a part of a name.
var collectorNumber = regexp.MustCompile(`^#?([A-Za-z]{0,4}\d{1,4}[a-z]?(?:/[A-Za-z]{0,4}\d{1,4})?)$`)

// searchCatalogue returns the cards of the catalogue that match a text: words of the name and a collector number. The
// first has the key after the given number of keys.
func (h *Handlers) searchCatalogue(ctx context.Context, text string, keys int) ([]candidate, error) {
	if err := list.Check("q", text); err != nil {
		return nil, err
	}
	filter := catalogueFilter(text)
	found, _, err := h.Catalog.Browse(ctx, filter, maxResults)
	if err == nil && len(found) == 0 && filter.Number != "" && filter.Name != "" { // the number may be part of the name
		found, _, err = h.Catalog.Browse(ctx, catalog.Filter{Name: text}, maxResults)
	}
	if err != nil {
		return nil, err
	}
	candidates := make([]candidate, len(found))
	for i, card := range found {
		candidates[i] = newCandidate(identify.FromCard(card, 0), keys+i)
	}
	markDifferences(candidates)
	return candidates, nil
}

// catalogueFilter splits a text into a collector number and the words of a name. The last of several numbers counts.
func catalogueFilter(text string) catalog.Filter {
	var f catalog.Filter
	var name []string
	for _, word := range strings.Fields(text) {
		if number := collectorNumber.FindStringSubmatch(word); number != nil {
			f.Number = number[1]
			continue
		}
		name = append(name, word)
	}
	f.Name = strings.Join(name, " ")
	return f
}
