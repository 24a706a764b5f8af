package dashboard

import (
	"bytes"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/dashboard/cardpage"
	"github.com/cardvault/cardvault/internal/dashboard/web"
	"github.com/cardvault/cardvault/internal/identify"
	"github.com/cardvault/cardvault/internal/listings"
	"github.com/cardvault/cardvault/internal/paging"
	"github.com/cardvault/cardvault/internal/photos"
	"github.com/cardvault/cardvault/internal/users"
)

// upload sends a form with a file.
func (b *browser) upload(path, role string, photo []byte) answer {
	b.t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	if err := form.WriteField("role", role); err != nil {
		b.t.Fatal(err)
	}
	if photo != nil {
		file, err := form.CreateFormFile("photo", "photo.jpg")
		if err != nil {
			b.t.Fatal(err)
		}
		if _, err := file.Write(photo); err != nil {
			b.t.Fatal(err)
		}
	}
	if err := form.Close(); err != nil {
		b.t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(b.t.Context(), http.MethodPost, b.base+path, &body)
	if err != nil {
		b.t.Fatal(err)
	}
	r.Header.Set("Content-Type", form.FormDataContentType())
	return b.do(r)
}

func TestCardPhotos(t *testing.T) {
	t.Parallel()
	s := setup(t)
	card := s.add("Ember Fox")[0]
	b, path := s.logIn(ada), "/cards/"+card.ID
	page := b.get(path)
	b.want(page, http.StatusOK, `accept="image/*,.heic,.heif,.avif" capture="environment"`)
	b.want(page, http.StatusOK, "Add a photo before you publish the card.")
	b.wantRedirect(b.upload(path+"/photos?from=q%3Dfox", "front", picture(t)), path+"?from=q%3Dfox&saved=photo#photos")
	got := s.card(card.ID)
	if len(got.Photos) != 1 || got.Photos[0].Role != cards.RoleFront || got.Photos[0].Width != 400 {
		t.Fatalf("photos %+v, want one of the front", got.Photos)
	}
	b.want(b.get(path+"?saved=photo"), http.StatusOK, "The photo was added.")
	b.want(b.get(path), http.StatusOK, `<img src="/photos/`+got.Photos[0].ID+`"`)
	for name, tc := range map[string]struct {
		role  string
		photo []byte
		want  int
		text  string
	}{
		"no photo":   {"front", nil, http.StatusUnprocessableEntity, "Choose a photo first."},
		"empty":      {"front", []byte{}, http.StatusUnprocessableEntity, "Choose a photo first."},
		"other role": {"side", picture(t), http.StatusUnprocessableEntity, "Choose what the photo shows"},
		"not a photo": {
			"back", []byte("<script>alert(1)</script>"), http.StatusUnprocessableEntity,
			`id="e-photo-back" role="alert">the photo must be a JPEG, PNG, WebP, HEIC or AVIF image`,
		},
		"too large": {
			"back", make([]byte, photos.MaxBytes+1), http.StatusUnprocessableEntity, "larger than 15 MiB",
		},
		"form too large": {
			"back", make([]byte, photos.MaxBytes+web.MaxForm), http.StatusRequestEntityTooLarge, "larger than 15 MiB",
		},
	} {
		t.Run(name, func(t *testing.T) {
			b.want(b.upload(path+"/photos", tc.role, tc.photo), tc.want, tc.text)
		})
	}
	b.want(b.post(path+"/photos", "role", "front"), http.StatusUnprocessableEntity, "did not arrive completely")
	turn := path + "/photos/" + got.Photos[0].ID + "/turn"
	b.want(b.get(path), http.StatusOK, `action="`+turn+`"`)
	b.wantRedirect(b.post(turn), path+"?saved=turned#photos")
	b.want(b.get(path+"?saved=turned"), http.StatusOK, "The photo was turned and stored.")
	turned := s.card(card.ID)
	if len(turned.Photos) != 1 || turned.Photos[0].Width != got.Photos[0].Height || turned.Version != got.Version+1 {
		t.Fatalf("card %+v, want a turned photo in the next version", turned)
	}
	b.want(b.post(turn), http.StatusNotFound, "This card has no photo with this identifier.")
	got = turned
	remove := path + "/photos/" + got.Photos[0].ID + "/remove"
	b.wantRedirect(b.post(remove), path+"?saved=no-photo#photos")
	b.want(b.post(remove), http.StatusNotFound, "This card has no photo with this identifier.")
	if got := s.card(card.ID); len(got.Photos) != 0 {
		t.Errorf("photos %+v after the removal, want none", got.Photos)
	}
}

func TestCardCandidates(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.catalogue()
	inCatalogue := guess("Moss Fox", "95/203", 0.8)
	inCatalogue.CatalogID = "dawn-95"
	card := s.unidentified(cards.Patch{Condition: cards.Set("LP")}, guess("Jade Owl", "1", 0.82), inCatalogue)
	b, path := s.logIn(ada), "/cards/"+card.ID
	page := b.get(path)
	b.want(page, http.StatusOK, "<b>Jade Owl</b>")
	if strings.Contains(page.body, `data-key="1"`) {
		t.Error("a single key takes a candidate outside of the review")
	}
	b.want(page, http.StatusOK, `<a role="button" href="/review?card=`+card.ID+`">`)
	b.wantRedirect(b.send(path+"/take", reviewed(t, page, 1)), path+"?saved=taken#candidates")
	got := s.card(card.ID)
	if d := got.Identification; deref(d.CatalogID) != "dawn-95" || deref(d.Condition) != "LP" || *d.Year != 2021 {
		t.Errorf("identified as %+v, want the card of the catalogue and the condition kept", d)
	}
	b.want(b.send(path+"/take", reviewed(t, page, 0)), http.StatusPreconditionFailed, "was changed in the meantime")
	b.wantRedirect(b.send(path+"/take", reviewed(t, b.get(path), 0)), path+"?saved=taken#candidates")
	if d := s.card(card.ID).Identification; d.CatalogID != nil || deref(d.Title) != "Jade Owl" || d.Year != nil {
		t.Errorf("identified as %+v, want the candidate's values alone", d)
	}

	b.wantRedirect(b.post(path+"/identify"), path+"?saved=unsure#candidates")
	b.want(b.get(path+"?saved=unsure"), http.StatusOK, "Choose a candidate, or enter the values by hand.")
	s.guesses.list.Store(&[]identify.Candidate{guess("Frost Fox", "3", 0.99)})
	b.wantRedirect(b.post(path+"/identify"), path+"?saved=identified#candidates")
	if got := s.card(card.ID).Identification; deref(got.Title) != "Frost Fox" || deref(got.Source) != cards.SourceAI {
		t.Errorf("identified as %+v, want Frost Fox by the photo", got)
	}
	plain := s.add("Plain")[0]
	b.want(b.get("/cards/"+plain.ID), http.StatusOK, "Add a photo of the front before identifying this card.")
	b.want(b.post("/cards/"+plain.ID+"/identify"), http.StatusConflict, "Add a photo of the front")
}

func TestCardPrice(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.catalogue()
	made := s.add("Moss Fox", "Unheard Of")
	b, path := s.logIn(ada), "/cards/"+made[0].ID
	if page := b.get(path); strings.Contains(page.body, "Comparable prices") {
		t.Error("the page looks prices up although the reader did not ask for it")
	}
	page := b.get(path + "?prices=true")
	for _, want := range []string{
		"$46.25", "between", "$12.50", "$80.00", "From 2 prices: prices of the catalogue", "Moss Fox 95/203 Dawn",
		"The newest is from today.", `<td class="day">today</td>`, `100&nbsp;%</td>`,
	} {
		b.want(page, http.StatusOK, want)
	}
	take := url.Values{}
	for _, found := range hidden.FindAllStringSubmatch(page.body, -1) {
		if found[1] == "version" || strings.HasPrefix(found[1], "asking") {
			take.Set(found[1], found[2])
		}
	}
	b.wantRedirect(b.send(path, take), path+"?saved=true")
	got := s.card(made[0].ID)
	if got.Pricing.AskingPrice.String() != "46.25 USD" || deref(got.Identification.Title) != "Moss Fox" ||
		got.Pricing.Cost == nil {
		t.Errorf("card %+v, want the price of the look-up and all else kept", got)
	}
	b.want(b.get("/cards/"+made[1].ID+"?prices=true"), http.StatusOK, "Neither your sold listings nor the catalogue")
}

// Each group of fields is a form, which keeps the others.
func TestCard_GroupsSaveAlone(t *testing.T) {
	t.Parallel()
	s := setup(t)
	card := s.add("Ember Fox")[0]
	b, path := s.logIn(ada), "/cards/"+card.ID
	group := regexp.MustCompile(`(?s)<form [^>]*class="facts-form">.*?</form>`)
	var names []string
	for _, found := range group.FindAllString(b.get(path).body, -1) {
		if name := regexp.MustCompile(`<h2>([^<]*)</h2>`).FindStringSubmatch(found); name != nil {
			names = append(names, name[1])
		}
	}
	if diff := cmp.Diff([]string{"What it is", "Condition", "Price", "Place"}, names); diff != "" {
		t.Errorf("groups (-want +got):\n%s", diff)
	}
	b.wantRedirect(b.post(path, "version", "1", "location", "Box 4", "notes", "a\r\nb"), path+"?saved=true")
	b.wantRedirect(b.post(path, "version", "2", "condition", "LP"), path+"?saved=true")
	b.wantRedirect(b.post(path+"?from=", "version", "3", "year", "1999"), path+"?from=&saved=true")
	b.wantRedirect(b.post(path, "version", "4", "notes", ""), path+"?saved=true")
	got := s.card(card.ID)
	values := []any{
		deref(got.Identification.Title), deref(got.Location), *got.Identification.Condition, *got.Identification.Year,
		got.Pricing.AskingPrice.String(), got.Notes == nil,
	}
	if diff := cmp.Diff([]any{"Ember Fox", "Box 4", "LP", int32(1999), "1.00 USD", true}, values); diff != "" {
		t.Errorf("card (-want +got):\n%s", diff)
	}
}

func TestCardListing_Publishes(t *testing.T) {
	t.Parallel()
	s := setup(t)
	card := s.add("Ember Fox")[0]
	b, path := s.logIn(ada), "/cards/"+card.ID
	publish := path + "/publish"
	b.want(b.post(publish, "marketplace", "ebay"), http.StatusConflict, "Add a photo before publishing this card.")
	b.upload(path+"/photos", "front", picture(t))
	page := b.get(path)
	b.want(page, http.StatusOK, `<option value="sandbox">sandbox</option><option value="ebay">eBay</option>`)
	b.want(page, http.StatusOK, `name="price" value="1.00"`)
	refused := b.post(publish, "marketplace", "ebay", "price", "1.005", "currency", "eur")
	b.want(refused, http.StatusUnprocessableEntity, `id="e-publish-price">must be an amount such as 12.50`)
	b.want(refused, http.StatusUnprocessableEntity, `value="1.005"`)
	b.want(refused, http.StatusUnprocessableEntity, `<option value="ebay" selected>eBay</option>`)
	b.want(b.post(publish, "marketplace", "moon"), http.StatusUnprocessableEntity, `id="e-marketplace">`)
	b.want(b.post(publish, "marketplace", "moon"), http.StatusUnprocessableEntity, "is not set up on this server")
	b.wantRedirect(b.post(publish, "marketplace", "ebay", "price", "7.50", "currency", "usd"),
		path+"?saved=published#listing")
	found, err := s.config.Listings.List(t.Context(), s.account.ID, listings.Filter{Card: &card.ID}, page1)
	if err != nil || len(found.Data) != 1 || found.Data[0].Marketplace != "ebay" || found.Data[0].Price != usd(750) {
		t.Fatalf("listings %+v, %v, want one on ebay for $7.50", found.Data, err)
	}
	page = b.get(path + "?saved=published")
	b.want(page, http.StatusOK, "The listing is being published.")
	b.want(page, http.StatusOK, "publishing")
	b.want(b.post(publish, "marketplace", "ebay"), http.StatusConflict, "This card has a listing under way")
	b.want(b.post(path+"/end", "listing", found.Data[0].ID), http.StatusConflict, "only a live one can be ended")
	b.want(b.post(path+"/archive", "version", "9", "archived", "true"), http.StatusPreconditionFailed,
		"was changed in the meantime")
	b.want(b.get(path+"/delete"), http.StatusOK, "The card has a listing under way, so it cannot be deleted.")
	other := s.add("Jade Owl")[0]
	b.want(b.post("/cards/"+other.ID+"/end", "listing", found.Data[0].ID), http.StatusNotFound, "There is no listing")
}

var page1 = paging.Request{Limit: 1}

func TestCardSale(t *testing.T) {
	t.Parallel()
	s := setup(t)
	made := s.add("Ember Fox", "Jade Owl")
	b, path := s.logIn(ada), "/cards/"+made[0].ID
	page := b.get(path)
	b.want(page, http.StatusOK, `<option value="in_person">in person</option>`)
	refused := b.post(path+"/sell", "channel", "own_store", "price", "much", "currency", "USD")
	b.want(refused, http.StatusUnprocessableEntity, `id="e-sale-price">must be an amount such as 12.50`)
	b.want(refused, http.StatusUnprocessableEntity, `<option value="own_store" selected>`)
	b.want(b.post(path+"/sell", "channel", "moon", "price", "1", "currency", "USD"), http.StatusUnprocessableEntity,
		`id="e-channel">must be one of ebay, sandbox, own_store, in_person, other`)
	b.wantRedirect(b.post(path+"/sell", "channel", "in_person", "price", "9.50", "currency", "usd"),
		path+"?saved=sold#sale")
	page = b.get(path + "?saved=sold")
	b.want(page, http.StatusOK, "The sale is recorded.")
	b.want(page, http.StatusOK, "$9.50")
	b.want(b.post(path+"/sell", "channel", "in_person", "price", "9.50", "currency", "usd"), http.StatusConflict,
		"This card was sold.")
	if strings.Contains(page.body, path+"/photos") {
		t.Error("the page of a sold card takes photos")
	}
}

func TestCard_Archives(t *testing.T) {
	t.Parallel()
	s := setup(t)
	card := s.add("Ember Fox")[0]
	b, path := s.logIn(ada), "/cards/"+card.ID
	b.wantRedirect(b.post(path+"/archive", "version", "1", "archived", "true"), path+"?saved=archived#end")
	page := b.get(path + "?saved=archived")
	b.want(page, http.StatusOK, "The card is archived, with all of its data")
	b.want(page, http.StatusOK, "Bring back")
	b.want(page, http.StatusOK, "This card is archived; bring it back before selling it.")
	b.want(b.post(path+"/archive", "version", "1", "archived", "false"), http.StatusPreconditionFailed,
		"was changed in the meantime")
	b.wantRedirect(b.post(path+"/archive", "version", "2", "archived", "false"), path+"?saved=unarchived#end")
	if got := s.card(card.ID); got.Archived || got.Status != cards.Priced {
		t.Errorf("card %+v, want it back as before", got)
	}
}

func TestCard_Deletes(t *testing.T) {
	t.Parallel()
	s := setup(t)
	card := s.add("<b>Ember Fox")[0]
	b, path := s.logIn(ada), "/cards/"+card.ID
	asked := b.get(path + "/delete?from=q%3Dfox")
	b.want(asked, http.StatusOK, "Delete &lt;b&gt;Ember Fox?")
	b.want(asked, http.StatusOK, "It cannot be undone.")
	b.want(b.post(path+"/delete"), http.StatusBadRequest, "The form is incomplete.")
	b.want(b.post(path+"/delete", "version", "7"), http.StatusPreconditionFailed, "was changed in the meantime")
	b.wantRedirect(b.post(path+"/delete?from=q%3Dfox", "version", "1"), "/cards?q=fox")
	b.want(b.get(path), http.StatusNotFound, "")
	b.want(b.get(path+"/delete"), http.StatusNotFound, "")
}

func TestCard_HistoryHasPages(t *testing.T) {
	t.Parallel()
	s := setup(t)
	card := s.add("Ember Fox")[0]
	for i := range cardpage.HistoryShown + 1 {
		patch := cards.Patch{Location: cards.Set(fmt.Sprint("Box ", i))}
		if _, err := s.config.Cards.Update(t.Context(), s.account.ID, card.ID, patch, nil); err != nil {
			t.Fatal(err)
		}
	}
	b, path := s.logIn(ada), "/cards/"+card.ID+"?from=q%3Dfox"
	newest := b.get(path)
	b.want(newest, http.StatusOK, "→ Box 20")
	if strings.Contains(newest.body, "→ Box 0<") || strings.Contains(newest.body, "Newest changes") {
		t.Error("the page shows more than the newest changes")
	}
	link := regexp.MustCompile(`<a href="([^"]*)#history">Older changes</a>`).FindStringSubmatch(newest.body)
	if link == nil {
		t.Fatalf("the page has no link to older changes: %s", newest.body)
	}
	older := b.get(strings.ReplaceAll(link[1], "&amp;", "&"))
	b.want(older, http.StatusOK, "→ Box 0<")
	b.want(older, http.StatusOK, `<a href="`+path+`#history">Newest changes</a>`)
	if strings.Contains(older.body, "Older changes") || strings.Contains(older.body, "→ Box 20<") {
		t.Error("the last page of the history has other changes than the oldest")
	}
	b.want(b.get(path+"&history=x"), http.StatusBadRequest, "cursor")
}

func TestCardForms_OfThisAccountOnly(t *testing.T) {
	t.Parallel()
	s := setup(t)
	card := s.unidentified(cards.Patch{Title: cards.Set("Ember Fox")}, guess("Moss Fox", "1", 0.5))
	s.newUser(s.newAccount("Eve's cards"), "eve@example.com", users.Owner)
	eve, path := s.logIn("eve@example.com"), "/cards/"+card.ID
	for _, form := range []string{
		"/take", "/identify", "/publish", "/end", "/sell", "/archive", "/delete",
		"/photos/" + card.Photos[0].ID + "/remove",
	} {
		a := eve.post(path+form, "version", "1", "take", "candidate:0", "price", "1", "currency", "USD")
		eve.want(a, http.StatusNotFound, "There is no card with this identifier")
	}
	eve.want(eve.upload(path+"/photos", "front", picture(t)), http.StatusNotFound, "")
	eve.want(eve.get(path+"/delete"), http.StatusNotFound, "")
	if got := s.card(card.ID); got.Version != card.Version {
		t.Error("another account's user changed the card")
	}
}
