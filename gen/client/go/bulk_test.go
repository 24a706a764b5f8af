package cardvault

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// bulkService returns a service that updates, publishes and ends many. The item "bad" fails, and so does each request
// with the item "worse". sizes gets the number of items of each request.
func bulkService(t *testing.T, sizes *[]int) service {
	return func(r *http.Request) (*http.Response, error) {
		var body struct {
			Updates    []struct{ ID string }
			CardIDs    []string `json:"card_ids"`
			ListingIDs []string `json:"listing_ids"`
		}
		text, err := io.ReadAll(r.Body)
		if err != nil || json.Unmarshal(text, &body) != nil {
			t.Errorf("sent %s", text)
		}
		ids := slices.Concat(body.CardIDs, body.ListingIDs)
		for _, update := range body.Updates {
			ids = append(ids, update.ID)
		}
		*sizes = append(*sizes, len(ids))
		if slices.Contains(ids, "worse") {
			return refuse(http.StatusBadRequest, CodeInvalidRequest)(r)
		}
		var results []string
		for _, id := range ids {
			item := fmt.Sprintf(`{"id":%q,"status":200,"card":{"id":%q},"listing":{"id":%q},`+
				`"estimate":{"sample_size":3},"error":null}`, id, id, id)
			if id == "bad" {
				item = `{"id":"bad","status":409,"card":null,"listing":null,"estimate":null,` +
					`"error":{"code":"card_sold","message":"The card is sold.","status":409}}`
			}
			results = append(results, item)
		}
		return respond(http.StatusOK, `{"data":[`+strings.Join(results, ",")+"]}")(r)
	}
}

// outcomes returns the identifier of each result, with the code of its error if it has one.
func outcomes[R any](results iter.Seq2[R, error], id func(R) string) []string {
	var got []string
	for result, err := range results {
		outcome := id(result)
		for _, code := range []Code{CodeCardSold, CodeInvalidRequest} {
			if errors.Is(err, code) {
				outcome += " " + string(code)
			}
		}
		got = append(got, outcome)
	}
	return got
}

func TestBulkUpdate(t *testing.T) {
	var updates []CardUpdate
	var want []string
	for i := range 1200 {
		id := fmt.Sprint("card_", i)
		switch i {
		case 3:
			id = "bad"
		case 600:
			id = "worse"
		}
		updates = append(updates, CardUpdate{ID: id, Notes: Set("new")})
		switch {
		case i == 3:
			id += " card_sold"
		case i >= 500 && i < 1000:
			id += " invalid_request"
		}
		want = append(want, id)
	}
	var sizes []int
	c := bulkService(t, &sizes).client(t)
	got := outcomes(c.BulkUpdate(t.Context(), updates), func(r CardUpdateResult) string { return r.ID })
	if !slices.Equal(got, want) {
		t.Errorf("got the results %v", got)
	}
	if !slices.Equal(sizes, []int{500, 500, 200}) {
		t.Errorf("sent requests with %v items, want at most 500 each", sizes)
	}
}

func TestBulkUpdate_Results(t *testing.T) {
	c := bulkService(t, &[]int{}).client(t)
	updates := []CardUpdate{{ID: "card_1"}, {ID: "bad"}, {ID: "card_1"}, {ID: "worse"}}
	var got []string
	for result, err := range c.BulkUpdate(t.Context(), updates) {
		got = append(got, fmt.Sprint(result.Status, " ", result.Card != nil, " ", err))
	}
	want := []string{
		"200 true <nil>",
		"409 false cardvault: The card is sold. (409 card_sold)",
		"400 false cardvault: UpdateCards: It cannot be done. (400 invalid_request)", // a request of its own
		"400 false cardvault: UpdateCards: It cannot be done. (400 invalid_request)",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestBulkPublish(t *testing.T) {
	var sizes []int
	c := bulkService(t, &sizes).client(t)
	results := c.BulkPublish(t.Context(), []string{"card_1", "bad", "card_1"}, "")
	got := outcomes(results, func(r PublishResult) string { return r.ID })
	if want := []string{"card_1", "bad card_sold", "card_1"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if !slices.Equal(sizes, []int{2, 1}) {
		t.Errorf("sent requests with %v items, want a card once in each", sizes)
	}
}

func TestBulkEnd(t *testing.T) {
	var sizes []int
	c := bulkService(t, &sizes).client(t)
	got := outcomes(c.BulkEnd(t.Context(), []string{"lst_1", "worse"}), func(r EndResult) string { return r.ID })
	if want := []string{"lst_1 invalid_request", "worse invalid_request"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestBulkLookupPrices(t *testing.T) {
	var sizes []int
	c := bulkService(t, &sizes).client(t)
	ids := make([]string, 120)
	want := make([]string, len(ids))
	for i := range ids {
		ids[i] = fmt.Sprint("card_", i)
	}
	copy(want, ids)
	ids[7], want[7] = "bad", "bad card_sold"
	got := outcomes(c.BulkLookupPrices(t.Context(), ids), func(r PriceLookupResult) string {
		if (r.Estimate == nil) != (r.Error != nil) {
			t.Errorf("got %+v, want an estimate or an error", r)
		}
		return r.ID
	})
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if !slices.Equal(sizes, []int{50, 50, 20}) {
		t.Errorf("sent requests with %v items, want at most 50 each", sizes)
	}
}

func TestLookupPrices(t *testing.T) {
	var sizes []int
	s := bulkService(t, &sizes)
	checked := service(func(r *http.Request) (*http.Response, error) {
		if r.Method != http.MethodPost || !strings.HasSuffix(r.URL.Path, "/price-lookup") ||
			r.Header.Get("Idempotency-Key") != "once" {
			t.Errorf("sent %s %s with the key %q", r.Method, r.URL, r.Header.Get("Idempotency-Key"))
		}
		return s(r)
	})
	found, err := checked.client(t).LookupPrices(t.Context(), []string{"card_1", "bad"}, WithIdempotencyKey("once"))
	if err != nil || len(found.Data) != 2 || found.Data[0].Estimate.SampleSize != 3 ||
		found.Data[1].Error.Code != CodeCardSold {
		t.Errorf("got %+v, %v, want an estimate and an error", found, err)
	}
}

func TestBulk_LeaveLoop(t *testing.T) {
	var sizes []int
	c := bulkService(t, &sizes).client(t)
	for range c.BulkUpdate(t.Context(), make([]CardUpdate, 3)) { // the same card
		break
	}
	if len(sizes) != 1 {
		t.Errorf("sent %d requests, want none after the loop was left", len(sizes))
	}
}

func TestBulk_WrongNumberOfResults(t *testing.T) {
	s, _ := inTurn(t, respond(http.StatusOK, `{"data":[]}`))
	for result, err := range s.client(t).BulkEnd(t.Context(), []string{"lst_1"}) {
		if err == nil || result.ID != "lst_1" {
			t.Errorf("got %+v, %v, want an error", result, err)
		}
	}
}
