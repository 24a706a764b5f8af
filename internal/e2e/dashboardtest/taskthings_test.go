package dashboardtest

import (
	"bytes"
	"image"
	"image/jpeg"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/config"
	"github.com/cardvault/cardvault/internal/demo"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/marketplaces/ebay/ebaytest"
	"github.com/cardvault/cardvault/internal/ratelimit"
	"github.com/cardvault/cardvault/internal/users"
)

// files are the files that tasks choose, by their names.
var files = map[string]string{
	"cards.csv": "Card Name,Number\nMoth,1\nHeron,2\n", "wrong.csv": "Card Name,Condition\nMoth,shiny\n",
	"photo.jpg": greyPhoto(), "letter.jpg": "Dear customer, here are your cards.",
}

// greyPhoto returns a photo that resembles no card and is large enough for eBay.
func greyPhoto() string {
	var b bytes.Buffer
	_ = jpeg.Encode(&b, image.NewGray(image.Rect(0, 0, 500, 695)), nil) // a buffer has no errors
	return b.String()
}

// taskThings returns what the names in the tasks of a view stand for: the things of the demo account, those that the
// view's tasks change or end, and those of a seller.
func (s *service) taskThings(t testing.TB, view string) func(text string) string {
	t.Helper()
	things := s.things(t)
	own := strings.NewReplacer(slices.Concat(
		s.cardsOf(t, view), s.misreadOf(t, view), s.developersOf(t, view), s.sellerOf(t, view),
	)...)
	return func(text string) string {
		return strings.ReplaceAll(own.Replace(things.Replace(text)), "{view}", view)
	}
}

// cardsOf creates cards that only the tasks of a view change, one for each kind of failure and action. It returns what
// their names stand for.
func (s *service) cardsOf(t testing.TB, view string) []string {
	t.Helper()
	p := s.program(t)
	const price = `"pricing":{"asking_price":{"amount":310,"currency":"USD"}}`
	p.create(`{"identification":{"title":"Unread photo ` + view + `"},` +
		`"photos":[{"role":"front","url":"` + s.base + `/login"}]}`)
	spare := p.create(`{"identification":{"title":"Spare card ` + view + `"}}`)
	ready := s.photographed(p, `{"identification":{"title":"Ready card `+view+`","condition":"NM"},`+price+`}`)
	refused := s.photographed(p, `{"identification":{"title":"Refused listing `+view+`","condition":"NM",`+
		`"grade":{"company":"PSA","value":"mint","cert_number":null}},`+price+`}`)
	p.send("POST", "/listings/"+refused.ID+"/publish", "")
	review := s.photographed(p, `{"identify":false}`)
	p.send("POST", "/identify", `{"card_id":"`+review.ID+`"}`)
	return []string{"{spare}", spare.ID, "{ready}", ready.ID, "{review}", review.ID}
}

// misreadOf creates a card with the title of another one than its photo shows. It returns what the names of the card
// and of the candidate that the photo shows stand for.
func (s *service) misreadOf(t testing.TB, view string) []string {
	t.Helper()
	p, drawing := s.program(t), demo.Drawings()[2]
	photo, err := drawing.Photo(1)
	if err != nil {
		t.Fatal(err)
	}
	misread := p.create(`{"identify":false}`)
	s.addPhoto(p, misread.ID, string(photo))
	p.send("POST", "/identify", `{"card_id":"`+misread.ID+`"}`)
	p.send("PATCH", "/cards/"+misread.ID, `{"identification":{"title":"Misread card `+view+`"}}`)
	return []string{"{misread}", misread.ID, "{candidate}", drawing.Art.Name}
}

// create creates a card.
func (p *program) create(draft string) thing {
	p.t.Helper()
	var made struct{ Data []thing }
	p.call("POST", "/cards", `{"cards":[`+draft+`]}`, &made)
	return made.Data[0]
}

// photographed creates a card with a photo of its front.
func (s *service) photographed(p *program, draft string) thing {
	p.t.Helper()
	made := p.create(draft)
	s.addPhoto(p, made.ID, greyPhoto())
	return made
}

// addPhoto adds a photo of its front to a card of a program's account.
func (s *service) addPhoto(p *program, cardID, photo string) {
	p.t.Helper()
	if _, err := s.Photos.Put(p.t.Context(), p.account, cardID, cards.RoleFront, strings.NewReader(photo)); err != nil {
		p.t.Fatal(err)
	}
}

// developersOf creates a token, and a webhook with a delivery that was dropped. It returns what their names stand for.
func (s *service) developersOf(t testing.TB, view string) []string {
	t.Helper()
	token, _, err := s.Accounts.CreateToken(t.Context(), s.demo.AccountID, "Kiosk "+view, ratelimit.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	hook := s.program(t).send("POST", "/webhooks", `{"url":"http://127.0.0.1:9998/hook-`+view+`"}`)
	dropped := id.New(id.Delivery, time.Now())
	_, err = s.DB.Exec(t.Context(), `
		INSERT INTO deliveries_dropped (account_id, id, endpoint_id, event_id, event_created_at, event, body,
			dropped_at, attempts, last_error)
		VALUES ($1, $2, $3, 'evt_' || $2, now(), 'card.priced', '{}', now(), 8, 'status: the answer was 500')`,
		s.demo.AccountID, dropped, hook.ID)
	if err != nil {
		t.Fatal(err)
	}
	return []string{"{kiosk}", token.Name, "{hook}", hook.ID}
}

// sellerOf creates an account that can be connected to eBay, with a card to sell there and an export that failed, and a
// user who works in it and in the demo account too. It invites an owner to it, who becomes a member of the demo
// account. It returns what the names of these stand for.
func (s *service) sellerOf(t testing.TB, view string) []string {
	t.Helper()
	s.ebay.SetPolicies(2) // of each kind, and no place
	account, err := s.Accounts.Create(t.Context(), "Shop "+view, false)
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.DB.Exec(t.Context(), `
		INSERT INTO account_exports
			(account_id, id, status, part, written, size, attempts, created_at, finished_at, expires_at)
		VALUES ($1, $2, 'failed', '', 0, 0, 5, now(), now(), now() + interval '1 day')`,
		account.ID, id.New(id.Export, time.Now()))
	if err != nil {
		t.Fatal(err)
	}
	seller, partner := "seller@"+view+".example", "partner@"+view+".example"
	links := map[users.Role]string{}
	var made users.User
	for role, place := range map[users.Role]string{users.Owner: account.ID, users.Member: s.demo.AccountID} {
		links[role], err = s.Users.Invite(t.Context(), place, seller, role)
		if err == nil {
			made, err = s.Users.Create(t.Context(), place, partner, users.Member, "a password for "+place)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	stock := s.photographed(s.programOf(t, account.ID), `{"identification":{"title":"Moth `+view+`","game":"pokemon",`+
		`"condition":"NM"},"pricing":{"asking_price":{"amount":310,"currency":"USD"}}}`)
	return []string{
		"{seller}", seller, "{shop}", account.ID, "{stock}", stock.ID, "{invitation}", links[users.Owner],
		"{second invitation}", links[users.Member], "{partner}", partner, "{partner id}", made.ID,
	}
}

// withEbay lets accounts be connected to a server that stands in for eBay.
func withEbay(server *ebaytest.Server) func(*config.Config) {
	return func(c *config.Config) {
		c.EbayClientID, c.EbayClientSecret = ebaytest.ClientID, ebaytest.ClientSecret
		c.EbayRedirect, c.EbayEnvironment = ebaytest.Redirect, server.URL
		server.SendBack(c.PublicURL + "/settings/marketplaces/ebay/callback")
	}
}
