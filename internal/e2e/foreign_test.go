package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/cardvault/cardvault/openapi"
)

// What an account has, or another one.
type possessions struct {
	card, photo, batch, listing, event string
}

// own gives the account one of everything: a card with a photo and a live listing, in a batch.
func (c *client) own() possessions {
	c.t.Helper()
	var p possessions
	var batch, listing struct{ ID string }
	c.do("POST", "/batches", `{"name":"Spring fair"}`).want(c.t, http.StatusCreated, &batch)
	made := c.create(`{"identification":{"title":"Ember Fox"},"pricing":{"asking_price":{"amount":500,"currency":"USD"}},"batch_id":"` + batch.ID + `"}`)
	c.do("PUT", "/cards/"+made.ID+"/photos/front", blank(c.t), "Content-Type: image/jpeg").want(c.t, http.StatusOK, &made)
	c.do("POST", "/listings/"+made.ID+"/publish", nil).want(c.t, http.StatusAccepted, &listing)
	eventually(c.t, "the listing is live", func() bool { return c.get(made.ID).WorkflowStatus == "listed" })
	var happened listOf[struct{ ID string }]
	c.do("GET", "/events", nil).want(c.t, http.StatusOK, &happened)
	p.card, p.photo, p.batch, p.listing, p.event = made.ID, made.Photos[0].ID, batch.ID, listing.ID, happened.Data[0].ID
	return p
}

// use is a place of the contract where an identifier can be given, and requests that give it there.
// {id} stands for the identifier; {card} for a card of the caller's own.
type use struct {
	operation, place string
	of               func(possessions) string // what kind of thing is named
	method, path     string
	bodies           []string
	headers          []string
}

func aCard(p possessions) string    { return p.card }
func aPhoto(p possessions) string   { return p.photo }
func aBatch(p possessions) string   { return p.batch }
func aListing(p possessions) string { return p.listing }
func anEvent(p possessions) string  { return p.event }

var none = []string{""} // no body

// uses must have every place of the contract: TestEveryIdentifierOfTheContractIsTried sees to it.
var uses = []use{
	{"getCard", "path id", aCard, "GET", "/cards/{id}", none, nil},
	{"getCard", "path id", aCard, "GET", "/cards/{id}", none, []string{"If-None-Match: *"}},
	{"updateCard", "path id", aCard, "PATCH", "/cards/{id}", []string{`{}`, `{"notes":"mine now"}`, `{"archived":true}`, `{"batch_id":null}`, `{"identification":{"title":null}}`}, nil},
	{"updateCard", "path id", aCard, "PATCH", "/cards/{id}", []string{`{"notes":"mine now"}`}, []string{`If-Match: "1"`}},
	{"updateCard", "body batch_id", aBatch, "PATCH", "/cards/{card}", []string{`{"batch_id":"{id}"}`, `{"notes":"x","batch_id":"{id}"}`}, nil},
	{"createCards", "body cards.batch_id", aBatch, "POST", "/cards", []string{`{"cards":[{"notes":"x"},{"batch_id":"{id}"}]}`}, nil},
	{"putCardPhoto", "path id", aCard, "PUT", "/cards/{id}/photos/front", []string{"a picture"}, []string{"Content-Type: image/jpeg"}},
	{"deleteCardPhoto", "path id", aCard, "DELETE", "/cards/{id}/photos/pho_01k5w0q2m7t9c3r5v8x0z1b4d6", none, nil},
	{"deleteCardPhoto", "path photo", aPhoto, "DELETE", "/cards/{card}/photos/{id}", none, nil},
	{"listCards", "query batch", aBatch, "GET", "/cards?batch={id}", none, nil},
	{"listCards", "query batch", aBatch, "GET", "/cards?limit=1&updated_since=2020-01-01T00:00:00Z&batch={id}", none, nil},
	{"getBatch", "path id", aBatch, "GET", "/batches/{id}", none, nil},
	{"completeBatch", "path id", aBatch, "POST", "/batches/{id}/complete", none, nil},
	{"reopenBatch", "path id", aBatch, "POST", "/batches/{id}/reopen", none, nil},
	{"listBatchCards", "path id", aBatch, "GET", "/batches/{id}/cards", none, nil},
	{"listBatchCards", "path id", aBatch, "GET", "/batches/{id}/cards?status=listed&limit=1", none, nil},
	{"identify", "body card_id", aCard, "POST", "/identify", []string{`{"card_id":"{id}"}`}, nil},
	{"lookupPrice", "body card_id", aCard, "POST", "/price-lookup", []string{`{"card_id":"{id}"}`}, nil},
	{"listListings", "query card", aCard, "GET", "/listings?card={id}", none, nil},
	{"getListing", "path id", aListing, "GET", "/listings/{id}", none, nil},
	{"endListing", "path id", aListing, "POST", "/listings/{id}/end", none, nil},
	{"publishCard", "path cardId", aCard, "POST", "/listings/{id}/publish", []string{``, `{}`, `{"price":{"amount":1,"currency":"EUR"}}`}, nil},
	{"getEvent", "path id", anEvent, "GET", "/events/{id}", none, nil},
}

// malformed are no identifiers of any kind. Those of other kinds are tried as well.
var malformed = []string{
	"x", "null", "0", "card_", "CARD", "bat_%00", "lst_%F0%9F%A6%8A", "evt_zzzzzzzzzzzzzzzzzzzzzzzzzz", "%20", "%25", "pho_..", "';--",
	"card_01k5w0q2m7t9c3r5v8x0z1b4d67", "card_01k5w0q2m7t9c3r5v8x0z1b4d6%0A", "card_01k5w0q2m7t9c3r5v8x0z1b4di", strings.Repeat("card_", 400),
}

// An identifier of another account is answered exactly as one that never was, and so is a malformed
// one in an address. A malformed one elsewhere is refused, whoever asks. Nothing changes for anybody.
func TestForeignIdentifiersAreUnknownOnes(t *testing.T) {
	t.Parallel()
	s := start(t)
	theirs := s.client(t, false).own()
	c := s.client(t, false)
	mine := c.own()
	before := s.snapshot(t)
	for _, u := range uses {
		for _, body := range u.bodies {
			c.tryForeign(u, body, mine, theirs)
		}
	}
	s.unchanged(t, before)
}

// tryForeign sends one request with identifiers that are none of the caller's and compares the answers.
func (c *client) tryForeign(u use, body string, mine, theirs possessions) {
	c.t.Helper()
	try := func(id string) response { return c.sendUse(u, body, mine, id) }
	foreign := u.of(theirs)
	prefix, _, _ := strings.Cut(foreign, "_")
	want := try(prefix + "_01k5w0q2m7t9c3r5v8x0z1b4d6")
	if want.status >= 500 {
		c.t.Errorf("%s, %s unknown: %d %s", u.operation, u.place, want.status, want.body)
	}
	for _, same := range []string{foreign, strings.ToUpper(foreign), prefix + "_0000000000ZZZZZZZZZZZZZZZZ"} {
		if got := try(same); !alike(got, want) {
			c.t.Errorf("%s, %s %s, body %s: %d %s, want %d %s", u.operation, u.place, same, body, got.status, got.body, want.status, want.body)
		}
	}
	inPath := strings.HasPrefix(u.place, "path")
	for _, id := range slices.Concat(malformed, []string{otherKind(u, mine), otherKind(u, theirs)}) {
		got := try(id)
		if inPath && !alike(got, want) {
			c.t.Errorf("%s, malformed %s %.60q: %d %s, want %d %s", u.operation, u.place, id, got.status, got.body, want.status, want.body)
		}
		if !inPath {
			got.want(c.t, http.StatusBadRequest, nil)
		}
	}
}

// otherKind returns an identifier that names something, but not what is asked for here.
func otherKind(u use, p possessions) string {
	if u.of(p) == p.card {
		return p.batch
	}
	return p.card
}

func (c *client) sendUse(u use, body string, mine possessions, id string) response {
	c.t.Helper()
	path := strings.NewReplacer("{id}", strings.ReplaceAll(id, ";", "%3B"), "{card}", mine.card).Replace(u.path)
	if body == "" {
		return c.do(u.method, path, nil, u.headers...)
	}
	quoted, err := json.Marshal(id)
	if err != nil {
		c.t.Fatal(err)
	}
	return c.do(u.method, path, strings.ReplaceAll(body, `"{id}"`, string(quoted)), u.headers...)
}

// alike reports whether two answers tell a client the same.
func alike(a, b response) bool {
	for _, name := range []string{"Content-Type", "ETag", "Cache-Control", "Allow", "X-Ratelimit-Limit", "Content-Length"} {
		if !slices.Equal(a.header[http.CanonicalHeaderKey(name)], b.header[http.CanonicalHeaderKey(name)]) {
			return false
		}
	}
	return a.status == b.status && string(a.body) == string(b.body)
}

// The same requests with the caller's own identifiers do find something: the test above compares
// refusals because of whose things they are and of nothing else.
func TestOwnIdentifiersAreFoundInAnyCase(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, false)
	mine := c.own()
	for _, u := range uses {
		if u.operation == "deleteCardPhoto" {
			continue // not of a listed card: TestAListingEnds
		}
		if u.method != http.MethodGet { // what the request before did must not be why this one fails
			c = s.client(t, false)
			mine = c.own()
		}
		if got := c.sendUse(u, u.bodies[0], mine, strings.ToUpper(u.of(mine))); got.status == http.StatusNotFound || strings.Contains(string(got.body), `"data":[]`) {
			t.Errorf("%s, %s: %d %s", u.operation, u.place, got.status, got.body)
		}
	}
}

func TestEveryIdentifierOfTheContractIsTried(t *testing.T) {
	t.Parallel()
	spec, err := openapi.ParseV1()
	if err != nil {
		t.Fatal(err)
	}
	places := map[string]bool{}
	for _, item := range spec.Paths.Map() {
		for _, operation := range item.Operations() {
			for _, p := range operation.Parameters {
				if isIdentifier(p.Value.Schema.Value) {
					places[fmt.Sprintf("%s, %s %s", operation.OperationID, p.Value.In, p.Value.Name)] = true
				}
			}
			if operation.RequestBody != nil {
				for _, media := range operation.RequestBody.Value.Content {
					identifiersOf(media.Schema.Value, "", func(field string) { places[operation.OperationID+", body "+field] = true })
				}
			}
		}
	}
	tried := map[string]bool{}
	for _, u := range uses {
		if tried[u.operation+", "+u.place] = true; !places[u.operation+", "+u.place] {
			t.Errorf("the contract has no %s, %s", u.operation, u.place)
		}
	}
	for place := range places {
		if !tried[place] {
			t.Errorf("nothing tries another account's identifier at %s", place)
		}
	}
}

// isIdentifier tells an identifier by the part of its pattern that all of them share.
func isIdentifier(s *openapi3.Schema) bool {
	return strings.Contains(s.Pattern, "_[0-7][0-9A-HJKMNP-TV-Z")
}

func identifiersOf(s *openapi3.Schema, field string, found func(field string)) {
	if isIdentifier(s) {
		found(field)
	}
	if s.Items != nil {
		identifiersOf(s.Items.Value, field, found)
	}
	for name, property := range s.Properties {
		identifiersOf(property.Value, strings.TrimPrefix(field+"."+name, "."), found)
	}
}
