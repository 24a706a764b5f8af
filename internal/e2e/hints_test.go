package e2e

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// installTwins fills the catalogue with the demo's cards and with a Magic card for each, which has the same picture and
// another name.
func installTwins(t testing.TB, s *service) {
	t.Helper()
	installDemo(t, s)
	for _, statement := range []string{
		`INSERT INTO catalog_cards (id, game, name, set, set_code, number, printed_total, year, illustrator, hp,
			language, rarity, variant, text, name_key, set_key, set_code_key, number_key, words)
		SELECT 'magic-' || id, 'magic', 'Twin of ' || name, set, set_code, number, printed_total, year, illustrator,
			hp, language, rarity, variant, text, 'twin of ' || name_key, set_key, set_code_key, number_key, words
		FROM catalog_cards`,
		`INSERT INTO catalog_fingerprints (card_id, hash) SELECT 'magic-' || card_id, hash FROM catalog_fingerprints`,
		`UPDATE catalog_version SET version = version + 1`,
	} {
		if _, err := s.DB.Exec(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
}

// identified is the response of POST /identify.
type identified struct {
	Outcome    string
	Candidates []struct{ Game, Title string }
}

// games returns the games of the candidates.
func (i identified) games() map[string]bool {
	games := map[string]bool{}
	for _, c := range i.Candidates {
		games[c.Game] = true
	}
	return games
}

// photoServer returns the URL of a photo of a card of the demo.
func photoServer(t testing.TB, n int) string {
	t.Helper()
	photo := picture(t, n)
	photos := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Write(photo)
	}))
	t.Cleanup(photos.Close)
	return photos.URL + "/card"
}

// TestHints_OfRequest identifies a photo that shows a card of either of two games.
func TestHints_OfRequest(t *testing.T) {
	t.Parallel()
	s := start(t)
	installTwins(t, s)
	c := s.client(t, false)
	url := photoServer(t, 7)
	for _, tc := range []struct {
		hints   string
		games   []string
		outcome string // "" means any
	}{
		{``, []string{"magic", "other"}, ""},
		{`,"hints":{}`, []string{"magic", "other"}, ""},
		{`,"hints":{"game":"magic"}`, []string{"magic"}, "identified"},
		{`,"hints":{"game":"other","set":"No such set","language":"ja"}`, []string{"other"}, "identified"},
		{`,"hints":{"game":"pokemon"}`, nil, "failed"},
	} {
		var out identified
		// On a machine that runs other tests, a request may take longer than it is allowed to. Then it is repeated.
		eventually(t, "the photo is identified", func() bool {
			r := c.do("POST", "/identify", `{"photo_url":"`+url+`"`+tc.hints+`}`)
			if r.status == http.StatusServiceUnavailable {
				return false
			}
			r.want(t, http.StatusOK, &out)
			return true
		})
		if got := out.games(); len(got) != len(tc.games) {
			t.Errorf("%s: candidates %+v, want those of %v", tc.hints, out.Candidates, tc.games)
		}
		for _, game := range tc.games {
			if !out.games()[game] {
				t.Errorf("%s: candidates %+v, want some of %s", tc.hints, out.Candidates, game)
			}
		}
		if tc.outcome != "" && out.Outcome != tc.outcome {
			t.Errorf("%s: got %s, want %s", tc.hints, out.Outcome, tc.outcome)
		}
	}
}

// TestHints_OfImportAndJob imports cards whose photos are fetched and identified in the background. A job then
// identifies one of them again.
func TestHints_OfImportAndJob(t *testing.T) {
	t.Parallel()
	s := start(t)
	installTwins(t, s)
	c := s.client(t, false)
	photos := `"photos":[{"role":"front","url":"` + photoServer(t, 7) + `"}]`
	var made listOf[card]
	c.do("POST", "/cards", `{"hints":{"game":"magic"},"cards":[
		{`+photos+`},
		{`+photos+`,"hints":{"game":"other","set":"Emberfall"}},
		{`+photos+`,"hints":{"set":"Emberfall"},"identification":{"game":"magic"}},
		{`+photos+`,"hints":{"game":"pokemon"}}
	]}`).want(t, http.StatusCreated, &made)
	game := func(cardID string) string {
		var got struct {
			Status         string `json:"workflow_status"`
			Identification struct{ Game string }
		}
		c.do("GET", "/cards/"+cardID, nil).want(t, http.StatusOK, &got)
		return strings.TrimSpace(got.Status + " " + got.Identification.Game)
	}
	for i, want := range []string{"identified magic", "identified other", "identified magic", "needs_review"} {
		eventually(t, "card "+made.Data[i].ID+" is "+want, func() bool { return game(made.Data[i].ID) == want })
	}
	again := made.Data[3].ID
	c.run(`{"kind":"identify","card_ids":["` + again + `"],"hints":{"game":"other"}}`)
	eventually(t, "the job's hints count", func() bool { return game(again) == "identified other" })

	var out identified
	c.do("POST", "/identify", `{"card_id":"`+again+`","hints":{"game":"magic"}}`).want(t, http.StatusOK, &out)
	if got := out.games(); len(got) != 1 || !got["magic"] {
		t.Errorf("candidates with the request's hints: %+v, want Magic cards", out.Candidates)
	}
	c.do("POST", "/identify", `{"card_id":"`+again+`"}`).want(t, http.StatusOK, &out)
	if got := out.games(); len(got) != 1 || !got["other"] {
		t.Errorf("candidates without hints: %+v, want those of the job's hints", out.Candidates)
	}
}

// TestHints_Refused sends hints that the contract does not allow, wherever it takes hints.
func TestHints_Refused(t *testing.T) {
	refusals(t, func(*client, possessions) (table []bad) {
		for _, place := range []struct{ path, before, after, field string }{
			{"/identify", `{"card_id":"{card}","hints":`, `}`, "hints"},
			{"/identify", `{"photo_url":"https://photos.example/x.jpg","hints":`, `}`, "hints"},
			{"/cards", `{"cards":[{}],"hints":`, `}`, "hints"},
			{"/cards", `{"cards":[{},{"hints":`, `}]}`, "cards.1.hints"},
			{"/jobs", `{"kind":"identify","card_ids":["{card}"],"hints":`, `}`, "hints"},
		} {
			for hints, field := range map[string]string{
				`null`: "", `[]`: "", `"magic"`: "",
				`{"game":"chess"}`: ".game", `{"game":"Magic"}`: ".game", `{"game":""}`: ".game",
				`{"game":null}`: ".game",
				`{"set":""}`:    ".set", `{"set":"a\nb"}`: ".set", `{"set":"` + strings.Repeat("x", 121) + `"}`: ".set",
				`{"language":"English"}`: ".language", `{"language":"e"}`: ".language", `{"language":1}`: ".language",
				`{"title":"Ember Fox"}`: ".title",
			} {
				table = append(table, invalid("POST", place.path, place.before+hints+place.after, place.field+field))
			}
		}
		for _, kind := range []string{"publish", "end", "archive", "delete"} {
			body := `{"kind":"` + kind + `","card_ids":["{card}"],"hints":{"game":"magic"}}`
			table = append(table, invalid("POST", "/jobs", body, "hints"))
		}
		return append(table, invalid("PATCH", "/cards/{card}", `{"hints":{"game":"magic"}}`, "hints"))
	})
}
