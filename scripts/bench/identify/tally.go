package main

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/identify"
	"github.com/cardvault/cardvault/internal/identify/language"
	"github.com/cardvault/cardvault/scripts/bench/measure"
)

// truth is the card that a photo shows.
type truth struct {
	path, game, language, name, set, number, catalogID string
}

// readManifest reads the truths of a folder of photos.
func readManifest(folder string) ([]truth, error) {
	file, err := os.Open(filepath.Join(folder, "manifest.csv"))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		return nil, err
	}
	column := map[string]int{}
	for i, name := range rows[0] {
		column[name] = i
	}
	var truths []truth
	for _, row := range rows[1:] {
		truths = append(truths, truth{
			path: filepath.Join(folder, row[column["file"]]), game: optional(row, column, "game"),
			language: optional(row, column, "language"), name: row[column["name"]], set: row[column["set"]],
			number: row[column["number"]], catalogID: row[column["catalog_id"]],
		})
	}
	return truths, nil
}

// optional returns the value of a column that a manifest need not have.
func optional(row []string, column map[string]int, name string) string {
	if at, ok := column[name]; ok {
		return row[at]
	}
	return ""
}

// isName reports whether a candidate has the right name, including the suffix of a variant.
func (t truth) isName(c identify.Candidate) bool { return strings.EqualFold(t.name, c.Title) }

// isCard reports whether a candidate is the right printing: by catalogue id if the truth has one, else by name, set and
// number.
func (t truth) isCard(c identify.Candidate) bool {
	if t.catalogID != "" {
		return c.CatalogID == t.catalogID
	}
	number, _ := catalog.ParseNumber(c.Number)
	return t.isName(c) && strings.EqualFold(t.set, c.Set) &&
		(t.number == "" || strings.TrimLeft(t.number, "0") == strings.TrimLeft(number, "0"))
}

// isShown is isCard for a card of the catalogue.
func (t truth) isShown(card catalog.Card) bool { return t.isCard(identify.FromCard(card, 0)) }

// result is the outcome of one photo.
type result struct {
	file                        string
	exact, name, top5, accepted bool
	// foreign is true if a card in another language than the photo's was accepted.
	foreign         bool
	took, processor time.Duration
	answered        string
	confidence      float64
	wanted          string
}

func (t truth) judge(outcome identify.Outcome, took, processor time.Duration) result {
	r := result{
		file: filepath.Base(t.path), took: took, processor: processor,
		wanted: fmt.Sprintf("%s %s %s", t.name, t.set, t.number),
	}
	r.top5 = slices.ContainsFunc(outcome.Candidates, func(c identify.Found) bool { return t.isCard(c.Candidate) })
	r.accepted = outcome.Accepted != nil
	if len(outcome.Candidates) > 0 {
		best := outcome.Candidates[0]
		if r.accepted {
			best = *outcome.Accepted
		}
		r.exact, r.name = t.isCard(best.Candidate), t.isName(best.Candidate)
		r.foreign = r.accepted && t.language != "" && best.Language != nil && !language.Same(t.language, *best.Language)
		r.answered = fmt.Sprintf("%s: %s %s %s", best.Provider, best.Title, best.Set, best.Number)
		r.confidence = best.Confidence
	}
	for _, attempt := range outcome.Attempts {
		if attempt.Message != "" {
			r.answered += fmt.Sprintf(" [%s: %s]", attempt.Provider, attempt.Message)
		}
	}
	return r
}

// String returns the result as one line of text.
func (r result) String() string {
	mark := "wrong"
	switch {
	case r.exact:
		mark = "right"
	case r.name:
		mark = "name "
	}
	return fmt.Sprintf("%s %s %.2f %5.1fs  %s  (is %s)", r.file, mark, r.confidence, r.processor.Seconds(), r.answered,
		r.wanted)
}

// tally adds up results.
type tally struct {
	photos, exact, name, top5, accepted, acceptedRight, foreign int
	times, processor                                            []time.Duration
}

func (t *tally) add(r result) {
	t.photos++
	t.exact += count(r.exact)
	t.name += count(r.name)
	t.top5 += count(r.top5)
	t.accepted += count(r.accepted)
	t.acceptedRight += count(r.accepted && r.exact)
	t.foreign += count(r.foreign)
	t.times, t.processor = append(t.times, r.took), append(t.processor, r.processor)
}

// String is the summary.
func (t tally) String() string {
	at := func(times []time.Duration, part float64) float64 { return measure.Percentile(times, part).Seconds() }
	percent := func(n, of int) float64 { return 100 * float64(n) / float64(max(1, of)) }
	return fmt.Sprintf("%d photos: exact %.1f %%, name %.1f %%, in top 5 %.1f %%, "+
		"accepted %.1f %% (of these right %.1f %%, in another language %d), median %.2f s, p95 %.2f s, "+
		"processor time %.2f and %.2f s",
		t.photos, percent(t.exact, t.photos), percent(t.name, t.photos), percent(t.top5, t.photos),
		percent(t.accepted, t.photos), percent(t.acceptedRight, t.accepted), t.foreign,
		at(t.times, 0.5), at(t.times, 0.95), at(t.processor, 0.5), at(t.processor, 0.95))
}

func count(yes bool) int {
	if yes {
		return 1
	}
	return 0
}
