package dashboard

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/users"
)

// home returns the page home, which must have the texts.
func (b *browser) home(want ...string) string {
	b.t.Helper()
	page := b.get("/")
	b.want(page, http.StatusOK, "Home")
	for _, text := range want {
		b.want(page, http.StatusOK, text)
	}
	return page.body
}

func TestHome_ShowsProblemsWithRemedies(t *testing.T) {
	t.Parallel()
	s := setup(t)
	owner := s.logIn(ada)
	if strings.Contains(owner.home(), "Needs a hand") {
		t.Error("home shows problems of an account without any")
	}
	card := func(title string) cards.Card {
		t.Helper()
		draft := cards.Draft{Patch: cards.Patch{Title: cards.Set(title), AskingPrice: cards.Set(usd(500))}}
		made, err := s.config.Cards.Create(t.Context(), s.account.ID, []cards.Draft{draft}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return made[0]
	}
	exec := func(statement string, args ...any) {
		t.Helper()
		if _, err := s.db.Exec(t.Context(), statement, args...); err != nil {
			t.Fatal(err)
		}
	}
	photographed, listed, archived := card("Ember Fox"), card("Jade Owl"), card("Tin Crab")
	exec(`UPDATE cards SET photos = jsonb_build_array(jsonb_build_object('id', 'pho_x', 'role', 'front',
		'status', 'failed', 'failure', 'the photo cannot be fetched: its host name cannot be found'))
		WHERE account_id = $1 AND id = $2`, s.account.ID, photographed.ID)
	exec(`UPDATE cards SET archived = true WHERE account_id = $1 AND id = $2`, s.account.ID, archived.ID)
	for _, of := range []cards.Card{listed, archived} {
		exec(`INSERT INTO listings (account_id, id, card_id, marketplace, status, title, price_amount, price_currency,
			failure_code, failure_message, version, created_at, updated_at)
			VALUES ($1, 'lst_' || $2, $2, 'sandbox', 'failed', 'Owl', 500, 'USD', 'photo_required', 'no photo', 1,
			now(), now())`, s.account.ID, of.ID)
	}
	exec(`INSERT INTO webhook_endpoints
			(account_id, id, url, events, enabled, secret, secret_key_id, created_at, updated_at, deleted_at)
		VALUES ($1, 'whe_x', 'https://shop.example/hook', '{}', true, '', '', now(), now(), NULL),
			($1, 'whe_y', 'https://old.example/hook', '{}', false, '', '', now(), now(), now())`, s.account.ID)
	dropDelivery := func(endpoint string) string {
		t.Helper()
		dropped := id.New(id.Delivery, time.Now())
		exec(`INSERT INTO deliveries_dropped (account_id, id, endpoint_id, event_id, event_created_at, event, body,
			dropped_at, attempts, last_error) VALUES ($1, $2, $3, 'evt_x', now(), 'card.priced', '{}', now(), 8,
			'status: the answer was 500')`, s.account.ID, dropped, endpoint)
		return dropped
	}
	delivery := dropDelivery("whe_x")
	var undeliverable string
	for range 30 { // newer than the other one, as many as a page of the log and more
		undeliverable = dropDelivery("whe_y")
	}
	page := owner.home("Needs a hand",
		`/cards/`+photographed.ID+`#photos">Ember Fox</a>`,
		"The photo cannot be fetched: its host name cannot be found.",
		`/listings/lst_`+listed.ID+`">Jade Owl</a>`, "No photo.",
		`/developers/deliveries/`+delivery+`">card.priced</a>`, "The answer was 500.")
	if strings.Contains(page, "lst_"+archived.ID) {
		t.Error("home shows the failed listing of a card that was archived")
	}
	if strings.Contains(page, undeliverable) {
		t.Error("home shows a delivery to a webhook that was deleted, which cannot be sent again")
	}
	s.newUser(s.account, "member@example.com", users.Member)
	if page := s.logIn("member@example.com").home("Ember Fox"); strings.Contains(page, delivery) {
		t.Error("home shows a member the deliveries of owners")
	}
}

func TestHome_ShowsOpenBatches(t *testing.T) {
	t.Parallel()
	s := setup(t)
	open, err := s.config.Batches.Create(t.Context(), s.account.ID, "Spring fair", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	complete, err := s.config.Batches.Create(t.Context(), s.account.ID, "Winter fair", nil, nil)
	if err == nil {
		_, err = s.config.Batches.Complete(t.Context(), s.account.ID, complete.ID, nil)
	}
	if err == nil {
		draft := cards.Draft{Patch: cards.Patch{Title: cards.Set("Ember Fox"), BatchID: cards.Set(open.ID)}}
		_, err = s.config.Cards.Create(t.Context(), s.account.ID, []cards.Draft{draft}, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	page := s.logIn(ada).home("Batches under way", `/batches/`+open.ID+`">Spring fair</a>`,
		"1 of 1 identified", "1 identified")
	if strings.Contains(page, "Winter fair") {
		t.Error("home shows a batch that is complete")
	}
}
