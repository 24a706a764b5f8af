package e2e

import (
	"bytes"
	"image/jpeg"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/cardvault/cardvault/internal/demo"
)

// picture returns the nth drawn card as a JPEG, and phonePhoto a photo of it on a table as a phone takes it. To draw a
// card takes longer than most tests need it for, so the tests share the pictures.
var (
	picture = remember(func(n int) ([]byte, error) {
		var b bytes.Buffer
		err := jpeg.Encode(&b, demo.Drawings()[n].Image(), nil)
		return b.Bytes(), err
	})
	phonePhoto = remember(func(n int) ([]byte, error) { return demo.Drawings()[n].Photo(int64(n)) })
)

// remember returns a function that draws each picture once.
func remember(draw func(n int) ([]byte, error)) func(t testing.TB, n int) []byte {
	var drawn sync.Map // functions that return a picture, by n
	return func(t testing.TB, n int) []byte {
		t.Helper()
		once, _ := drawn.LoadOrStore(n, sync.OnceValues(func() ([]byte, error) { return draw(n) }))
		data, err := once.(func() ([]byte, error))()
		if err != nil {
			t.Fatal(err)
		}
		return bytes.Clone(data)
	}
}

// heif returns a HEIC or AVIF file of the tests of package heif.
func heif(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile("../photos/heif/testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestCards(t *testing.T) {
	t.Parallel()
	c := start(t).client(t, false)
	made := c.create(`{
		"identification": {
			"title": "Ember Fox", "set": "Dawn of Cinders", "number": "54/167", "game": "other", "year": 2026,
			"variant": "reverse holo", "language": "en", "condition": "NM",
			"grade": {"company": "PSA", "value": "9.5", "cert_number": null}
		},
		"pricing": {"cost": {"amount": 300, "currency": "EUR"}},
		"location": "Room A/Shelf 2", "sku": "EF-54", "notes": "nick\nat the top"
	}`)
	if made.WorkflowStatus != "identified" || made.Version != 1 {
		t.Fatalf("created %+v, want an identified card of version 1", made)
	}
	got := c.do("GET", "/cards/"+strings.ToUpper(made.ID), nil).want(t, http.StatusOK, nil)
	if got.header.Get("ETag") != `"1"` {
		t.Errorf("ETag %s, want \"1\"", got.header.Get("ETag"))
	}
	c.do("GET", "/cards/"+made.ID, nil, `If-None-Match: W/"1"`).want(t, http.StatusNotModified, nil)
	c.do("HEAD", "/cards/"+made.ID, nil).want(t, http.StatusOK, nil)

	var changed card
	patch := `{
		"pricing": {"asking_price": {"amount": 1250, "currency": "USD"}},
		"location": null,
		"identification": {"variant": null}
	}`
	got = c.do("PATCH", "/cards/"+made.ID, patch, `If-Match: "1"`, "Content-Type: application/merge-patch+json")
	got.want(t, http.StatusOK, &changed)
	if changed.WorkflowStatus != "priced" || changed.Version != 2 || got.header.Get("ETag") != `"2"` {
		t.Errorf("changed %+v, ETag %s, want a priced card of version 2", changed, got.header.Get("ETag"))
	}
	stale := c.do("PATCH", "/cards/"+made.ID, patch, `If-Match: "1"`)
	stale.want(t, http.StatusPreconditionFailed, nil).refused(t, "version_mismatch")
	c.do("PATCH", "/cards/"+made.ID, `{"identification":{"title":null}}`).refused(t, "invalid_request")
	c.do("PATCH", "/cards/"+made.ID, `{"archived":true}`).want(t, http.StatusOK, &changed)
	if changed.WorkflowStatus != "archived" {
		t.Errorf("workflow status %s, want archived", changed.WorkflowStatus)
	}
	c.do("POST", "/listings/"+made.ID+"/publish", `{}`).refused(t, "card_archived")

	var found listOf[card]
	c.do("GET", "/cards?status=archived,sold&set=Dawn%20of%20Cinders&q=fox&limit=1", nil).want(t, http.StatusOK, &found)
	if len(found.Data) != 1 || found.HasMore {
		t.Errorf("found %+v, want the card", found)
	}
	c.do("GET", "/cards?status=listed&status=sold", nil).want(t, http.StatusOK, &found)
	if len(found.Data) != 0 {
		t.Errorf("found %+v, want no card", found)
	}
}

func TestPhotos(t *testing.T) {
	t.Parallel()
	c := start(t).client(t, false)
	made := c.create(`{"identify":false}`)
	path := "/cards/" + made.ID + "/photos/"
	var changed card
	c.do("PUT", path+"front", picture(t, 0), "Content-Type: image/jpeg").want(t, http.StatusOK, &changed)
	if len(changed.Photos) != 1 {
		t.Fatalf("photos %+v, want one", changed.Photos)
	}
	first := changed.Photos[0]
	if first.Status != "ready" || first.URL == nil || *first.Width != 750 {
		t.Fatalf("photo %+v, want it ready, with a URL and a width of 750", first)
	}
	shown, err := http.Get(*first.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer shown.Body.Close()
	data, err := io.ReadAll(shown.Body)
	contentType := shown.Header.Get("Content-Type")
	if err != nil || shown.StatusCode != http.StatusOK || contentType != "image/jpeg" || len(data) == 0 {
		t.Fatalf("the photo's URL returns %d %s of %d bytes, %v", shown.StatusCode, contentType, len(data), err)
	}
	forged, err := http.Get(strings.Replace(*first.URL, "signature=", "signature=x", 1))
	if err != nil {
		t.Fatal(err)
	}
	forged.Body.Close()
	if forged.StatusCode != http.StatusNotFound {
		t.Errorf("a URL with a forged signature returns %d, want 404", forged.StatusCode)
	}

	for contentType, file := range map[string]string{
		"image/heic": "grid.heic", "image/heif": "plain.heic", "image/avif": "plain.avif",
	} {
		c.do("PUT", path+"back", heif(t, file), "Content-Type: "+contentType).want(t, http.StatusOK, &changed)
		back := changed.Photos[1]
		if *back.Width != 400 || !strings.Contains(*back.URL, ".jpg?") {
			t.Errorf("%s became %+v, want a JPEG with a width of 400", file, back)
		}
	}
	c.do("DELETE", path+changed.Photos[1].ID, nil).want(t, http.StatusNoContent, nil)
	c.do("PUT", path+"back", heif(t, "crop.avif"), "Content-Type: image/avif").refused(t, "photo_invalid")
	c.do("PUT", path+"back", heif(t, "plain.heic"), "Content-Type: image/gif").refused(t, "unsupported_media_type")

	c.do("PUT", path+"front", picture(t, 1), "Content-Type: image/jpeg").want(t, http.StatusOK, &changed)
	if len(changed.Photos) != 1 || changed.Photos[0].ID == first.ID {
		t.Errorf("photos %+v, want the second front photo in place of the first", changed.Photos)
	}
	c.do("PUT", path+"front", []byte("not a picture"), "Content-Type: image/png").refused(t, "photo_invalid")
	c.do("PUT", path+"front", `{}`).refused(t, "unsupported_media_type")
	c.do("PUT", path+"side", picture(t, 1), "Content-Type: image/jpeg").want(t, http.StatusNotFound, nil)
	c.do("DELETE", path+first.ID, nil).refused(t, "photo_not_found")
	c.do("DELETE", path+changed.Photos[0].ID, nil).want(t, http.StatusNoContent, nil)
	if left := c.get(made.ID); len(left.Photos) != 0 {
		t.Errorf("photos %+v after the deletion", left.Photos)
	}
}

func TestBatches(t *testing.T) {
	t.Parallel()
	c := start(t).client(t, false)
	var fair struct {
		ID, Name, Status string
		Description      *string
		CardCount        int `json:"card_count"`
	}
	c.do("POST", "/batches", `{"name":"Spring fair"}`).want(t, http.StatusCreated, &fair)
	in := c.create(`{"batch_id":"` + fair.ID + `"}`)
	c.create(`{}`)
	var found listOf[card]
	c.do("GET", "/batches/"+fair.ID+"/cards", nil).want(t, http.StatusOK, &found)
	if len(found.Data) != 1 || found.Data[0].ID != in.ID {
		t.Errorf("the batch has the cards %+v, want %s", found.Data, in.ID)
	}
	c.do("GET", "/cards?batch="+fair.ID, nil).want(t, http.StatusOK, &found)
	if len(found.Data) != 1 {
		t.Errorf("the filter by batch finds %+v, want one card", found.Data)
	}
	for range 2 {
		c.do("POST", "/batches/"+fair.ID+"/complete", nil).want(t, http.StatusOK, &fair)
		if fair.Status != "complete" || fair.CardCount != 1 {
			t.Errorf("completed %+v, want one card in it", fair)
		}
	}
	c.do("PATCH", "/cards/"+in.ID, `{"batch_id":null}`).refused(t, "batch_complete")
	c.do("POST", "/batches/"+fair.ID+"/reopen", nil).want(t, http.StatusOK, &fair)
	c.do("PATCH", "/batches/"+fair.ID, `{"description":"Bought in May."}`).want(t, http.StatusOK, nil)
	c.do("PATCH", "/batches/"+fair.ID, `{"name":"Summer fair"}`).want(t, http.StatusOK, nil)
	c.do("GET", "/batches/"+fair.ID, nil).want(t, http.StatusOK, &fair)
	if fair.Name != "Summer fair" || fair.Description == nil || *fair.Description != "Bought in May." {
		t.Errorf("updated %+v, want both changes", fair)
	}
	c.do("PATCH", "/batches/"+fair.ID, `{"description":null}`).want(t, http.StatusOK, &fair)
	if fair.Description != nil {
		t.Errorf("the description is %q, want none", *fair.Description)
	}
	c.do("PATCH", "/batches/"+fair.ID, `{"name":" "}`).refused(t, "invalid_request")
	var batches listOf[struct{ ID string }]
	c.do("GET", "/batches?status=open&updated_since=2020-01-01T00:00:00Z", nil).want(t, http.StatusOK, &batches)
	if len(batches.Data) != 1 {
		t.Errorf("open batches %+v, want one", batches)
	}
	var happened listOf[struct{ ID, Event string }]
	c.do("GET", "/events?event=batch.completed", nil).want(t, http.StatusOK, &happened)
	if len(happened.Data) != 1 {
		t.Fatalf("events batch.completed %+v, want one", happened)
	}
	c.do("GET", "/events/"+happened.Data[0].ID, nil).want(t, http.StatusOK, nil)
}

func TestImport_AllOrNothing(t *testing.T) {
	t.Parallel()
	c := start(t).client(t, false)
	unknownBatch := c.do("POST", "/cards", `{"cards":[{},{"batch_id":"bat_01k5w0q2m7t9c3r5v8x0z1b4d6"}]}`)
	unknownBatch.refused(t, "batch_not_found")
	if !strings.Contains(string(unknownBatch.body), "batch") {
		t.Errorf("%s does not name the batch", unknownBatch.body)
	}
	twoFronts := `{"cards":[{},{"photos":[
		{"url":"https://a.example/x","role":"front"},
		{"url":"https://a.example/y","role":"front"}
	]}]}`
	c.do("POST", "/cards", twoFronts).refused(t, "invalid_request")
	var found listOf[card]
	c.do("GET", "/cards", nil).want(t, http.StatusOK, &found)
	if len(found.Data) != 0 {
		t.Errorf("refused imports created %+v", found.Data)
	}
}
