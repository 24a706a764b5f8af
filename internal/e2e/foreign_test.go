package e2e

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/openapi"
)

// possessions are identifiers of what an account owns.
type possessions struct {
	card, photo, batch, listing, event, webhook, secret, delivery, sale, job, token string
}

// own creates a card with a photo and a live listing in a batch, a disabled webhook with a previous secret and
// deliveries that wait, and a job that has refused a card.
func (c *client) own() possessions {
	c.t.Helper()
	var batch, listing, sale, work struct{ ID string }
	var webhook webhook
	c.do("POST", "/webhooks", `{"url":"http://127.0.0.1:9999/"}`).want(c.t, http.StatusCreated, &webhook)
	c.do("PATCH", "/webhooks/"+webhook.ID, `{"enabled":false}`).want(c.t, http.StatusOK, nil)
	c.do("POST", "/webhooks/"+webhook.ID+"/rotate-secret", nil).want(c.t, http.StatusOK, &webhook)
	sold := c.create(`{"identification":{"title":"Ember Fox"}}`).ID
	c.do("POST", "/cards/"+sold+"/sell", `{"channel":"in_person","price":{"amount":500,"currency":"USD"}}`).
		want(c.t, http.StatusCreated, &sale)
	c.do("POST", "/jobs", `{"kind":"identify","card_ids":["`+sold+`"]}`).want(c.t, http.StatusAccepted, &work)
	c.do("POST", "/batches", `{"name":"Spring fair"}`).want(c.t, http.StatusCreated, &batch)
	made := c.create(`{
		"identification": {"title": "Ember Fox"},
		"pricing": {"asking_price": {"amount": 500, "currency": "USD"}},
		"batch_id": "` + batch.ID + `"
	}`)
	put := c.do("PUT", "/cards/"+made.ID+"/photos/front", blank(c.t), "Content-Type: image/jpeg")
	put.want(c.t, http.StatusOK, &made)
	c.do("POST", "/listings/"+made.ID+"/publish", nil).want(c.t, http.StatusAccepted, &listing)
	eventually(c.t, "the listing is live", func() bool { return c.get(made.ID).WorkflowStatus == "listed" })
	c.awaitJob(work.ID)
	var happened, deliveries listOf[struct{ ID string }]
	c.do("GET", "/webhooks/"+webhook.ID+"/deliveries", nil).want(c.t, http.StatusOK, &deliveries)
	c.do("GET", "/events", nil).want(c.t, http.StatusOK, &happened)
	tokens, err := c.service.Accounts.Tokens(c.t.Context(), c.account)
	if err != nil {
		c.t.Fatal(err)
	}
	return possessions{
		card:     made.ID,
		photo:    made.Photos[0].ID,
		batch:    batch.ID,
		listing:  listing.ID,
		event:    happened.Data[0].ID,
		webhook:  webhook.ID,
		secret:   webhook.PreviousSecrets[0].ID,
		delivery: deliveries.Data[0].ID,
		sale:     sale.ID,
		job:      work.ID,
		token:    tokens[0].ID,
	}
}

// use is a place of the contract that takes an identifier, and requests with an identifier in that place. {id} stands
// for the identifier, {card} and {webhook} for what the caller owns.
type use struct {
	operation, place string
	of               func(possessions) string // returns an identifier of the right kind
	method, path     string
	bodies           []string
	headers          []string
}

func aCard(p possessions) string     { return p.card }
func aPhoto(p possessions) string    { return p.photo }
func aBatch(p possessions) string    { return p.batch }
func aListing(p possessions) string  { return p.listing }
func anEvent(p possessions) string   { return p.event }
func aWebhook(p possessions) string  { return p.webhook }
func aSecret(p possessions) string   { return p.secret }
func aDelivery(p possessions) string { return p.delivery }
func aSale(p possessions) string     { return p.sale }
func aJob(p possessions) string      { return p.job }
func aToken(p possessions) string    { return p.token }

var none = []string{""} // no body

// scanIntoBatch is a form with a photo and a batch.
const scanIntoBatch = "--a-boundary\r\nContent-Disposition: form-data; name=\"batch_id\"\r\n\r\n{id}\r\n" +
	"--a-boundary\r\nContent-Disposition: form-data; name=\"photos\"; filename=\"a.jpg\"\r\n\r\na picture\r\n" +
	"--a-boundary--\r\n"

// uses has every place of the contract, which TestUses_CoverContract checks.
var uses = []use{
	{"getCard", "path id", aCard, "GET", "/cards/{id}", none, nil},
	{"getCard", "path id", aCard, "GET", "/cards/{id}", none, []string{"If-None-Match: *"}},
	{"updateCard", "path id", aCard, "PATCH", "/cards/{id}",
		[]string{
			`{}`, `{"notes":"mine now"}`, `{"archived":true}`, `{"batch_id":null}`,
			`{"identification":{"title":null}}`,
		},
		nil},
	{"updateCard", "path id", aCard, "PATCH", "/cards/{id}",
		[]string{`{"notes":"mine now"}`},
		[]string{`If-Match: "1"`}},
	{"updateCard", "body batch_id", aBatch, "PATCH", "/cards/{card}",
		[]string{`{"batch_id":"{id}"}`, `{"notes":"x","batch_id":"{id}"}`},
		nil},
	{"createCards", "body cards.batch_id", aBatch, "POST", "/cards",
		[]string{`{"cards":[{"notes":"x"},{"batch_id":"{id}"}]}`},
		nil},
	{"scanCards", "body batch_id", aBatch, "POST", "/cards/scan", []string{scanIntoBatch}, []string{formMedia}},
	{"deleteCard", "path id", aCard, "DELETE", "/cards/{id}", none, nil},
	{"listCardHistory", "path id", aCard, "GET", "/cards/{id}/history", none, nil},
	{"getCardWaiting", "path id", aCard, "GET", "/cards/{id}/waiting", none, nil},
	{"listCardCandidates", "path id", aCard, "GET", "/cards/{id}/candidates", none, nil},
	{"putCardPhoto", "path id", aCard, "PUT", "/cards/{id}/photos/front",
		[]string{"a picture"},
		[]string{"Content-Type: image/jpeg"}},
	{"deleteCardPhoto", "path id", aCard, "DELETE", "/cards/{id}/photos/pho_01k5w0q2m7t9c3r5v8x0z1b4d6", none, nil},
	{"deleteCardPhoto", "path photo", aPhoto, "DELETE", "/cards/{card}/photos/{id}", none, nil},
	{"listCards", "query batch", aBatch, "GET", "/cards?batch={id}", none, nil},
	{"listCards", "query batch", aBatch, "GET", "/cards?limit=1&updated_since=2020-01-01T00:00:00Z&batch={id}",
		none,
		nil},
	{"summarizeCards", "query batch", aBatch, "GET", "/cards/summary?group_by=status&batch={id}", none, nil},
	{"getBatch", "path id", aBatch, "GET", "/batches/{id}", none, nil},
	{"updateBatch", "path id", aBatch, "PATCH", "/batches/{id}", []string{`{}`, `{"name":"mine"}`}, nil},
	{"completeBatch", "path id", aBatch, "POST", "/batches/{id}/complete", none, nil},
	{"reopenBatch", "path id", aBatch, "POST", "/batches/{id}/reopen", none, nil},
	{"listBatchCards", "path id", aBatch, "GET", "/batches/{id}/cards", none, nil},
	{"listBatchCards", "path id", aBatch, "GET", "/batches/{id}/cards?status=listed&limit=1", none, nil},
	{"identify", "body card_id", aCard, "POST", "/identify", []string{`{"card_id":"{id}"}`}, nil},
	{"lookupPrice", "body card_id", aCard, "POST", "/price-lookup", []string{`{"card_id":"{id}"}`}, nil},
	{"listListings", "query card", aCard, "GET", "/listings?card={id}", none, nil},
	{"getListing", "path id", aListing, "GET", "/listings/{id}", none, nil},
	{"getListingWaiting", "path id", aListing, "GET", "/listings/{id}/waiting", none, nil},
	{"updateListing", "path id", aListing, "PATCH", "/listings/{id}",
		[]string{`{}`, `{"title":"mine"}`, `{"price":{"amount":1,"currency":"USD"}}`},
		nil},
	{"endListing", "path id", aListing, "POST", "/listings/{id}/end", none, nil},
	{"publishCard", "path cardId", aCard, "POST", "/listings/{id}/publish",
		[]string{``, `{}`, `{"price":{"amount":1,"currency":"EUR"}}`},
		nil},
	{"updateCards", "body updates.id", aCard, "PATCH", "/cards",
		[]string{`{"atomic":true,"updates":[{"id":"{id}","notes":"mine now"}]}`},
		nil},
	{"updateCards", "body updates.batch_id", aBatch, "PATCH", "/cards",
		[]string{`{"atomic":true,"updates":[{"id":"{card}","batch_id":"{id}"}]}`},
		nil},
	{"publishCards", "body card_ids", aCard, "POST", "/listings/publish",
		[]string{`{"atomic":true,"card_ids":["{id}"]}`},
		nil},
	{"publishCards", "body filter.ids", aCard, "POST", "/listings/publish",
		[]string{`{"filter":{"ids":["{id}"]}}`},
		nil},
	{"publishCards", "body filter.batch", aBatch, "POST", "/listings/publish",
		[]string{`{"filter":{"batch":"{id}"}}`},
		nil},
	{"endListings", "body listing_ids", aListing, "POST", "/listings/end",
		[]string{`{"atomic":true,"listing_ids":["{id}"]}`},
		nil},
	{"sellCard", "path id", aCard, "POST", "/cards/{id}/sell",
		[]string{`{"channel":"in_person","price":{"amount":1,"currency":"USD"}}`},
		nil},
	{"listSales", "query card", aCard, "GET", "/sales?card={id}", none, nil},
	{"getSale", "path id", aSale, "GET", "/sales/{id}", none, nil},
	{"updateSale", "path id", aSale, "PATCH", "/sales/{id}", []string{`{}`, `{"buyer_reference":"mine"}`}, nil},
	{"voidSale", "path id", aSale, "POST", "/sales/{id}/void", none, nil},
	{"refundSale", "path id", aSale, "POST", "/sales/{id}/refund", []string{`{"restock":true}`}, nil},
	{"getJob", "path id", aJob, "GET", "/jobs/{id}", none, nil},
	{"getJobWaiting", "path id", aJob, "GET", "/jobs/{id}/waiting", none, nil},
	{"listJobRefusals", "path id", aJob, "GET", "/jobs/{id}/refusals", none, nil},
	{"cancelJob", "path id", aJob, "POST", "/jobs/{id}/cancel", none, nil},
	{"undoJob", "path id", aJob, "POST", "/jobs/{id}/undo", none, nil},
	{"getAccountUsage", "query token", aToken, "GET", "/account/usage?token={id}", none, nil},
	{"getEvent", "path id", anEvent, "GET", "/events/{id}", none, nil},
	{"getWebhook", "path id", aWebhook, "GET", "/webhooks/{id}", none, nil},
	{"updateWebhook", "path id", aWebhook, "PATCH", "/webhooks/{id}",
		[]string{`{}`, `{"enabled":true}`, `{"url":"http://127.0.0.1:9999/mine","events":[]}`},
		nil},
	{"deleteWebhook", "path id", aWebhook, "DELETE", "/webhooks/{id}", none, nil},
	{"rotateWebhookSecret", "path id", aWebhook, "POST", "/webhooks/{id}/rotate-secret",
		[]string{``, `{"grace_seconds":0}`},
		nil},
	{"endWebhookSecret", "path id", aWebhook, "DELETE",
		"/webhooks/{id}/previous-secrets/whs_01k5w0q2m7t9c3r5v8x0z1b4d6", none, nil},
	{"endWebhookSecret", "path previous", aSecret, "DELETE", "/webhooks/{webhook}/previous-secrets/{id}", none, nil},
	{"testWebhook", "path id", aWebhook, "POST", "/webhooks/{id}/test", none, nil},
	{"listWebhookDeliveries", "path id", aWebhook, "GET", "/webhooks/{id}/deliveries", none, nil},
	{"listWebhookDeliveries", "path id", aWebhook, "GET", "/webhooks/{id}/deliveries?state=pending", none, nil},
	{"resendWebhookDelivery", "path id", aWebhook, "POST",
		"/webhooks/{id}/deliveries/dlv_01k5w0q2m7t9c3r5v8x0z1b4d6/resend", none, nil},
	{"resendWebhookDelivery", "path delivery", aDelivery, "POST", "/webhooks/{webhook}/deliveries/{id}/resend",
		none,
		nil},
	{"resendDroppedWebhookDeliveries", "path id", aWebhook, "POST", "/webhooks/{id}/resend-dropped",
		[]string{``, `{"since":"2020-01-01T00:00:00Z"}`},
		nil},
}

// malformed are not identifiers of any kind.
var malformed = []string{
	"x", "null", "0", "card_", "CARD", "bat_%00", "lst_%F0%9F%A6%8A", "evt_zzzzzzzzzzzzzzzzzzzzzzzzzz", "%20", "%25",
	"pho_..", "';--", "card_01k5w0q2m7t9c3r5v8x0z1b4d67", "card_01k5w0q2m7t9c3r5v8x0z1b4d6%0A",
	"card_01k5w0q2m7t9c3r5v8x0z1b4di", strings.Repeat("card_", 400),
}

// TestForeignIdentifiers_AreUnknown checks that an identifier of another account gets exactly the response to an
// identifier that does not exist. A malformed identifier in a path gets the same response, and one elsewhere is an
// error. None of the requests changes anything.
func TestForeignIdentifiers_AreUnknown(t *testing.T) {
	t.Parallel()
	s := start(t)
	theirs := s.client(t, false).own()
	c := s.client(t, false)
	mine := c.own()
	before := s.snapshot(t)
	for _, u := range uses {
		t.Run(u.operation+" "+u.place, func(t *testing.T) {
			for _, body := range u.bodies {
				c.in(t).tryForeign(u, body, mine, theirs)
			}
		})
	}
	s.unchanged(t, before)
}

// tryForeign sends one request with identifiers that are not the caller's and compares the responses.
func (c *client) tryForeign(u use, body string, mine, theirs possessions) {
	c.t.Helper()
	try := func(id string) response { return c.sendUse(u, body, mine, id) }
	foreign := u.of(theirs)
	prefix, _, _ := strings.Cut(foreign, "_")
	want := try(prefix + "_01k5w0q2m7t9c3r5v8x0z1b4d6")
	if want.status >= 500 {
		c.t.Errorf("unknown identifier: %d %s", want.status, want.body)
	}
	for _, same := range []string{foreign, strings.ToUpper(foreign), prefix + "_0000000000ZZZZZZZZZZZZZZZZ"} {
		if got := try(same); !alike(got, want) {
			c.t.Errorf("identifier %s, body %s: got %d %s, want %d %s",
				same, body, got.status, got.body, want.status, want.body)
		}
	}
	inPath := strings.HasPrefix(u.place, "path")
	for _, id := range append(slices.Clone(malformed), otherKind(u, mine), otherKind(u, theirs)) {
		got := try(id)
		if inPath && !alike(got, want) {
			c.t.Errorf("malformed identifier %.60q: got %d %s, want %d %s",
				id, got.status, got.body, want.status, want.body)
		}
		if !inPath {
			got.want(c.t, http.StatusBadRequest, nil)
		}
	}
}

// otherKind returns a valid identifier of a kind that the place does not take.
func otherKind(u use, p possessions) string {
	if u.of(p) == p.card {
		return p.batch
	}
	return p.card
}

// sendUse sends a request with an identifier in its place.
func (c *client) sendUse(u use, body string, mine possessions, id string) response {
	c.t.Helper()
	path := strings.NewReplacer(
		"{id}", strings.ReplaceAll(id, ";", "%3B"), "{card}", mine.card, "{webhook}", mine.webhook,
	).Replace(u.path)
	if body == "" {
		return c.do(u.method, path, nil, u.headers...)
	}
	quoted, err := json.Marshal(id)
	if err != nil {
		c.t.Fatal(err)
	}
	body = strings.NewReplacer(`"{id}"`, string(quoted), "{id}", id, "{card}", mine.card).Replace(body)
	return c.do(u.method, path, body, u.headers...)
}

// alike reports whether a client cannot distinguish two responses.
func alike(a, b response) bool {
	for _, name := range []string{
		"Content-Type", "ETag", "Cache-Control", "Allow", "X-Ratelimit-Limit", "Content-Length",
	} {
		if !slices.Equal(a.header.Values(name), b.header.Values(name)) {
			return false
		}
	}
	return a.status == b.status && string(a.body) == string(b.body)
}

// TestOwnIdentifiers_AreFound checks that the requests of uses find the caller's own things, in upper case too.
// Otherwise TestForeignIdentifiers_AreUnknown might compare errors with another reason.
func TestOwnIdentifiers_AreFound(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, false)
	mine := c.own()
	for _, u := range uses {
		switch {
		case u.operation == "deleteCardPhoto":
			continue // the photo of a listed card cannot be deleted: TestListing_Ends
		case u.operation == "listCardCandidates":
			continue // the card has no candidates
		case u.place == "path id" && (u.operation == "resendWebhookDelivery" || u.operation == "endWebhookSecret"):
			continue // it names a delivery, or a secret, that does not exist
		}
		if u.method != http.MethodGet { // the request before may have changed the state that this one needs
			c = s.client(t, false)
			mine = c.own()
		}
		t.Run(u.operation+" "+u.place, func(t *testing.T) {
			got := c.in(t).sendUse(u, u.bodies[0], mine, strings.ToUpper(u.of(mine)))
			if got.status == http.StatusNotFound || strings.Contains(string(got.body), `"data":[]`) {
				t.Errorf("got %d %s", got.status, got.body)
			}
		})
	}
}

// TestUses_CoverContract compares uses with the identifiers in the contract.
func TestUses_CoverContract(t *testing.T) {
	t.Parallel()
	spec, err := openapi.ParseV1()
	if err != nil {
		t.Fatal(err)
	}
	places := map[string]bool{}
	for _, item := range spec.Paths.Map() {
		for _, operation := range item.Operations() {
			for _, place := range identifierPlaces(operation) {
				places[operation.OperationID+", "+place] = true
			}
		}
	}
	tried := maps.Clone(jobPlaces)
	tried["lookupPrice, body card_ids"] = true // each result has an identifier: TestPrices_ForeignIdentifiers
	for _, u := range uses {
		tried[u.operation+", "+u.place] = true
	}
	if diff := cmp.Diff(places, tried); diff != "" {
		t.Errorf("uses does not have the places of the contract (-contract +uses):\n%s", diff)
	}
}

// identifierPlaces returns the places where an operation takes an identifier, such as "path id".
func identifierPlaces(operation *openapi3.Operation) (places []string) {
	for _, p := range operation.Parameters {
		if isIdentifier(p.Value.Schema.Value) {
			places = append(places, p.Value.In+" "+p.Value.Name)
		}
	}
	if operation.RequestBody == nil {
		return places
	}
	for _, media := range operation.RequestBody.Value.Content {
		identifiersOf(media.Schema.Value, "", func(field string) { places = append(places, "body "+field) })
	}
	return places
}

// isIdentifier reports whether a schema has the part of the pattern that all identifiers share.
func isIdentifier(s *openapi3.Schema) bool {
	return strings.Contains(s.Pattern, "_[0-7][0-9A-HJKMNP-TV-Z")
}

// identifiersOf calls found for each field of a schema that is an identifier.
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
