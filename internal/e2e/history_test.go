package e2e

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/users"
)

// historyEntry is an item of GET /cards/{id}/history.
type historyEntry struct {
	Version int64
	Actor   struct{ Type, ID, Name string }
	Changes []struct {
		Field    string
		From, To json.RawMessage
	}
}

// A program that follows changes and deletions has the same cards as the inventory.
func TestCards_HistoryAndDeletion(t *testing.T) {
	t.Parallel()
	c := start(t).client(t, false)
	made := c.create(`{"identification":{"title":"Ember Fox"},"sku":"EF-54"}`)
	c.do("PATCH", "/cards/"+made.ID, `{"pricing":{"asking_price":{"amount":1250,"currency":"USD"}},"sku":null}`).
		want(t, http.StatusOK, nil)

	var first, rest listOf[historyEntry]
	c.do("GET", "/cards/"+made.ID+"/history?limit=1", nil).want(t, http.StatusOK, &first)
	c.do("GET", "/cards/"+made.ID+"/history?cursor="+*first.NextCursor, nil).want(t, http.StatusOK, &rest)
	if len(first.Data) != 1 || len(rest.Data) != 1 || rest.HasMore {
		t.Fatalf("history %+v, %+v, want two pages of one version", first, rest)
	}
	update, creation := first.Data[0], rest.Data[0]
	if update.Version != 2 || update.Actor.Type != "token" || update.Actor.Name != "test" {
		t.Errorf("update %+v, want version 2 by the token named test", update)
	}
	changed := map[string]string{}
	for _, change := range update.Changes {
		changed[change.Field] = string(change.From) + " → " + string(change.To)
	}
	delete(changed, "pricing.priced_at")
	want := map[string]string{
		"workflow_status":      `"identified" → "priced"`,
		"pricing.asking_price": `null → {"amount":1250,"currency":"USD"}`,
		"sku":                  `"EF-54" → null`,
	}
	if diff := cmp.Diff(want, changed); diff != "" {
		t.Errorf("changes:\n%s", diff)
	}
	if creation.Version != 1 || len(creation.Changes) != 0 {
		t.Errorf("creation %+v, want version 1 without changes", creation)
	}

	c.do("DELETE", "/cards/"+made.ID, nil, `If-Match: "1"`).refused(t, "version_mismatch")
	c.do("DELETE", "/cards/"+made.ID, nil, `If-Match: "2"`).want(t, http.StatusNoContent, nil)
	c.do("DELETE", "/cards/"+made.ID, nil).refused(t, "card_not_found")
	c.do("GET", "/cards/"+made.ID, nil).refused(t, "card_not_found")
	c.do("GET", "/cards/"+made.ID+"/history", nil).refused(t, "card_not_found")
	type deletion struct {
		CardID    string `json:"card_id"`
		DeletedAt string `json:"deleted_at"`
	}
	var deleted listOf[deletion]
	c.do("GET", "/deletions?updated_since=2020-01-01T00:00:00Z", nil).want(t, http.StatusOK, &deleted)
	if len(deleted.Data) != 1 || deleted.Data[0].CardID != made.ID {
		t.Fatalf("deletions %+v, want the card", deleted.Data)
	}
	c.do("GET", "/deletions?updated_since="+deleted.Data[0].DeletedAt, nil).want(t, http.StatusOK, &deleted)
	if len(deleted.Data) != 1 {
		t.Error("updated_since is not inclusive")
	}
}

// A change that a user makes in the dashboard names the user, beside the changes of programs.
func TestCards_HistoryOfTheDashboard(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, false)
	made := c.create(`{"identification":{"title":"Ember Fox"}}`)
	b := s.browser(t, c.account, users.Member)
	b.wantRedirect(b.post("/cards/"+made.ID, "version", "1", "title", "Ember Fox", "location", "Box 4"),
		"/cards/"+made.ID+"?saved=true")
	c.do("PATCH", "/cards/"+made.ID, `{"location":"Box 5"}`).want(t, http.StatusOK, nil)

	user, err := s.Users.ByEmail(t.Context(), "member-"+c.account+"@example.com")
	if err != nil {
		t.Fatal(err)
	}
	var found listOf[historyEntry]
	c.do("GET", "/cards/"+made.ID+"/history", nil).want(t, http.StatusOK, &found)
	var got []string
	for _, entry := range found.Data {
		got = append(got, entry.Actor.Type+" "+entry.Actor.Name)
	}
	if diff := cmp.Diff([]string{"token test", "user " + user.Email, "token test"}, got); diff != "" {
		t.Fatalf("actors (-want +got):\n%s", diff)
	}
	change := found.Data[1]
	if change.Actor.ID != user.ID || len(change.Changes) != 1 || change.Changes[0].Field != "location" {
		t.Errorf("the user's change: got %+v, want that of the location by %s", change, user.ID)
	}
}

func TestCards_DeletionIsRefused(t *testing.T) {
	t.Parallel()
	c := start(t).client(t, false)
	listed := c.own().card
	c.do("DELETE", "/cards/"+listed, nil).refused(t, "card_listed")
	var batch struct{ ID string }
	c.do("POST", "/batches", `{"name":"Done"}`).want(t, http.StatusCreated, &batch)
	made := c.create(`{"batch_id":"` + batch.ID + `"}`)
	c.do("POST", "/batches/"+batch.ID+"/complete", nil).want(t, http.StatusOK, nil)
	c.do("DELETE", "/cards/"+made.ID, nil).refused(t, "batch_complete")
}
