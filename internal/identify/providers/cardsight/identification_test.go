package cardsight

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/identify/providers/remote"
)

func TestIdentification_Answers(t *testing.T) {
	t.Parallel()
	const judge = `"id":"c1","setId":"s1","year":"2023","releaseName":"Chrome","setName":"Base Set",` +
		`"name":"Ann Archer","number":"99"`
	exact := remote.Answer{
		Title: "Ann Archer", Set: "Base Set", Release: "Chrome", Number: "99", Game: "sports", Year: 2023,
		Confidence: 0.9,
	}
	with := func(change func(*remote.Answer)) []remote.Answer {
		a := exact
		change(&a)
		return []remote.Answer{a}
	}
	for name, tc := range map[string]struct {
		response string // in "detections"
		want     []remote.Answer
	}{
		"no card":      {``, nil},
		"unknown card": {`{"confidence":"Low","card":{}}`, nil},
		"set only":     {`{"confidence":"Medium","card":{"setId":"s1","setName":"Base Set","year":"2023"}}`, nil},
		"exact":        {`{"confidence":"High","card":{` + judge + `}}`, with(func(*remote.Answer) {})},
		"medium": {`{"confidence":"Medium","card":{` + judge + `}}`, with(func(a *remote.Answer) {
			a.Confidence = 0.75
		})},
		"parallel": {
			`{"confidence":"High","card":{` + judge +
				`,"parallel":{"id":"p","name":"Gold Refractor","numberedTo":50}}}`,
			with(func(a *remote.Answer) { a.Variant = "Gold Refractor" }),
		},
		"language": {
			`{"confidence":"High","card":{` + judge +
				`,"fields":[{"key":"HP","value":"60"},{"key":"CARD_LANGUAGE","value":"ja"}]}}`,
			with(func(a *remote.Answer) { a.Language = "ja" }),
		},
		"reprints": {
			`{"confidence":"High","card":{` + judge + `,"suggestions":[{"id":"c2","setName":"Other"}]}}`,
			with(func(a *remote.Answer) { a.Doubtful = true }),
		},
		"slab": {
			`{"confidence":"High","card":{` + judge + `},"grading":{"confidence":"High","company":{"name":"PSA"},` +
				`"grade":{"value":"10","condition":"GEM MINT"}}}`,
			with(func(a *remote.Answer) { a.Grader, a.Grade = "PSA", "10" }),
		},
		"season": {
			`{"confidence":"High","card":{"id":"c1","year":"2023-24","setName":"Base Set","releaseName":"Chrome",` +
				`"name":"Ann Archer","number":"99"}}`,
			with(func(a *remote.Answer) { a.Year = 0 }),
		},
		"several cards": {
			`{"confidence":"High","card":{` + judge + `}},{"confidence":"Low","card":{}}`,
			with(func(a *remote.Answer) { a.Doubtful = true }),
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var found identification
			if err := json.Unmarshal([]byte(`{"success":true,"detections":[`+tc.response+`]}`), &found); err != nil {
				t.Fatal(err)
			}
			got, err := found.answers("sports")
			if diff := cmp.Diff(tc.want, got); err != nil || diff != "" {
				t.Errorf("answers: %v (-want +got)\n%s", err, diff)
			}
		})
	}
	for _, bad := range []identification{
		{}, {Success: true, Detections: []detection{{Confidence: "Sure"}}},
	} {
		if got, err := bad.answers("sports"); !errors.Is(err, remote.ErrBadAnswer) {
			t.Errorf("%+v: got %v, %v, want ErrBadAnswer", bad, got, err)
		}
	}
}

func TestClient_Segment(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ setting, hint, segment, game string }{
		{"baseball", "", "baseball", "other"}, {"baseball", "sports", "baseball", "sports"},
		{"baseball", "pokemon", "pokemon", "pokemon"}, {"baseball", "magic", "magic", "magic"},
		{"pokemon", "", "pokemon", "pokemon"}, {"pokemon", "magic", "magic", "magic"},
		{"lorcana", "other", "lorcana", "other"},
	} {
		segment, game := New(Config{Segment: tc.setting}).segment(catalog.Hints{Game: tc.hint})
		if segment != tc.segment || game != tc.game {
			t.Errorf("%+v: got %s, %s", tc, segment, game)
		}
	}
}
