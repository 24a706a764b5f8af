package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"html/template"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/app"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/marketplaces"
	"github.com/cardvault/cardvault/internal/marketplaces/connections"
	"github.com/cardvault/cardvault/internal/marketplaces/marketplacetest"
	"github.com/cardvault/cardvault/internal/marketplaces/registry"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
	"github.com/cardvault/cardvault/internal/users"
)

// hall is a marketplace that only this file knows: "Card Hall", whose sellers type a key to connect an account.
type hall struct {
	*marketplacetest.Memory
	connections *connections.Service
}

const hallKey = "hall-key-secret"

// kind registers the hall.
func (h *hall) kind() registry.Kind {
	return registry.Kind{
		Name: "memory", Label: "Card Hall", Limits: marketplacetest.MemoryLimits,
		Connect: &registry.Connect{
			Missing: "Card Hall is closed", Intro: "Type the key from your Card Hall profile.",
			Incomplete: "An owner has to choose a shelf.", Hint: "Cards stand on a shelf of the hall.",
			Page:   "Opening hours",
			Fields: []registry.Field{{Name: "key", Label: "Key", Secret: true}},
			Actions: []registry.Action{{
				Name: "shelf", Title: "A new shelf", Intro: "Shelves have a name.", Button: "Build the shelf",
				Done: "The shelf was built.", Fields: []registry.Field{{Name: "name", Label: "Name", Max: 10}},
			}},
		},
		Open: func(in registry.Installation) (*registry.Opened, error) {
			h.connections = connections.New(in.DB, in.Keys, hallProvider{}, in.Listings)
			return &registry.Opened{
				Seller:    func(string) marketplaces.Marketplace { return h.Memory },
				Connector: h,
				Page: func(context.Context, string) (template.HTML, error) {
					return "<p>Card Hall opens at nine.</p>", nil
				},
			}, nil
		},
	}
}

// hallProvider has no page for a consent: its keys stay valid.
type hallProvider struct{}

var errNoConsent = errors.New("the hall has no page for a consent")

func (hallProvider) Name() string             { return "memory" }
func (hallProvider) HasSite(site string) bool { return site == "" }
func (hallProvider) ConsentURL(string) string { return "" }
func (hallProvider) Exchange(context.Context, string) (connections.Tokens, error) {
	return connections.Tokens{}, errNoConsent
}
func (hallProvider) Refresh(_ context.Context, key string) (connections.Tokens, error) {
	return connections.Tokens{Access: key, AccessLife: time.Hour}, nil
}
func (hallProvider) HasAny(context.Context, string, string, []string) (bool, error) { return true, nil }

func (h *hall) Connections() *connections.Service { return h.connections }

func (h *hall) Begin(ctx context.Context, accountID string, values registry.Values) (string, error) {
	if values["key"] != hallKey {
		return "", fault.Invalid("key", "is not a key of Card Hall")
	}
	_, err := h.connections.Connect(ctx, accountID, "", connections.Tokens{
		Access: values["key"], AccessLife: time.Hour, Refresh: values["key"], RefreshLife: 1000 * time.Hour,
	})
	return "", err
}

func (h *hall) Connected(context.Context, string) []registry.Warning { return nil }

func (h *hall) Used(ctx context.Context, accountID string) (bool, error) {
	c, err := h.connections.Find(ctx, accountID)
	return c.State == connections.Connected, err
}

func (h *hall) Ready(ctx context.Context, accountID string) error {
	c, err := h.connections.Find(ctx, accountID)
	if err == nil && !h.Complete(c) {
		err = fault.Invalid("marketplace", "needs a shelf")
	}
	return err
}

func (h *hall) Complete(c connections.Connection) bool { return h.Settings(c)["shelf"] != "" }

func (h *hall) Setup(
	_ context.Context, c connections.Connection, _ string, typed registry.Values,
) (registry.Setup, error) {
	shelf := registry.Field{
		Name: "shelf", Label: "Shelf", Choice: true, Empty: "No shelf yet", Value: h.Settings(c)["shelf"],
		Options: []registry.Option{{Value: "7", Label: "Shelf seven"}, {Value: "8", Label: "Shelf eight"}},
	}
	if typed != nil {
		shelf.Value = typed["shelf"]
	}
	return registry.Setup{Fields: []registry.Field{shelf}, Actions: []string{"shelf"}}, nil
}

func (h *hall) Configure(ctx context.Context, accountID string, values registry.Values) error {
	if values["shelf"] != "7" && values["shelf"] != "8" {
		return fault.Invalid("shelf", "must be a shelf of the hall")
	}
	settings, err := json.Marshal(map[string]string{"shelf": values["shelf"]})
	if err != nil {
		return err
	}
	return h.connections.Configure(ctx, accountID, "", settings)
}

func (h *hall) Do(_ context.Context, _, _ string, values registry.Values) error {
	if values["name"] == "" {
		return fault.Invalid("name", "must not be empty")
	}
	return nil
}

func (h *hall) Settings(c connections.Connection) map[string]string {
	settings := map[string]string{}
	_ = json.Unmarshal(c.Settings, &settings) // of a connection without settings there are none
	return settings
}

func TestPluginMarket_Conformance(t *testing.T) {
	t.Parallel()
	marketplacetest.Run(t, func(t *testing.T) marketplacetest.Subject {
		h := &hall{Memory: marketplacetest.NewMemory()}
		opened, err := h.kind().Open(registry.Installation{})
		if err != nil {
			t.Fatal(err)
		}
		return marketplacetest.Subject{
			Marketplace: opened.Seller("acc_1"), Limits: h.kind().Limits, Buy: h.Buy, EndThere: h.EndThere,
		}
	})
}

// A marketplace that is registered here only can be connected in the dashboard and published to, and its sales are
// recorded. No other file knows it.
func TestPluginMarket_ConnectAndPublish(t *testing.T) {
	t.Parallel()
	h := &hall{Memory: marketplacetest.NewMemory()}
	s := startWith(t, append([]registry.Kind{h.kind()}, app.Marketplaces...), pgtest.URL(t))
	c := s.client(t, false)
	b := s.browser(t, c.account, users.Owner)
	h.connect(t, b)

	made := c.create(`{"identification":{"title":"Ember Fox","condition":"NM","game":"pokemon"},
		"pricing":{"asking_price":{"amount":1250,"currency":"USD"}}}`)
	c.do("PUT", "/cards/"+made.ID+"/photos/front", blank(t), "Content-Type: image/jpeg").want(t, http.StatusOK, nil)
	publish := "/listings/" + made.ID + "/publish"
	c.do("POST", publish, `{"marketplace":"nowhere"}`).refused(t, "invalid_request")
	var l ebayListing
	c.do("POST", publish, `{}`).want(t, http.StatusAccepted, &l)
	eventually(t, "the listing is live", func() bool {
		c.do("GET", "/listings/"+l.ID, nil).want(t, http.StatusOK, &l)
		return l.Status == "live"
	})
	if l.Marketplace != "memory" || !strings.HasPrefix(*l.URL, "https://memory.example/") {
		t.Errorf("listing %+v, want it in the hall", l)
	}
	var listed struct{ Data []ebayListing }
	c.do("GET", "/listings?marketplace=memory", nil).want(t, http.StatusOK, &listed)
	if len(listed.Data) != 1 || listed.Data[0].ID != l.ID {
		t.Errorf("listings of the hall: %+v, want the card's", listed.Data)
	}
	c.do("GET", "/listings?marketplace=nowhere", nil).refused(t, "invalid_request")
	b.want(b.get("/listings?marketplace=memory"), http.StatusOK, "Card Hall", "Ember Fox")

	h.Buy(t, l.ID)
	var sold struct{ Data []struct{ Channel string } }
	eventually(t, "the sale is recorded", func() bool {
		c.do("GET", "/sales?channel=memory", nil).want(t, http.StatusOK, &sold)
		return len(sold.Data) == 1
	})
	if sold.Data[0].Channel != "memory" {
		t.Errorf("sale %+v, want the hall's", sold.Data[0])
	}
	c.do("GET", "/sales?channel=nowhere", nil).refused(t, "invalid_request")
	b.want(b.get("/sales?channel=memory"), http.StatusOK, "Card Hall")
}

// connect connects the account in the dashboard and chooses a shelf.
func (h *hall) connect(t *testing.T, b *browser) {
	t.Helper()
	const path = marketplacesPage + "/memory"
	b.want(b.get(marketplacesPage), http.StatusOK, "Type the key from your Card Hall profile.", "eBay is not set up")
	b.want(b.post(path+"/connect", "key", "guess"), http.StatusUnprocessableEntity, "is not a key of Card Hall")
	b.wantRedirect(b.post(path+"/connect", "key", hallKey), marketplacesPage+"?done=connected")
	page := b.get(marketplacesPage + "?done=connected")
	b.want(page, http.StatusOK, "The account is connected to Card Hall.", "not ready to publish", "Shelf seven")
	if strings.Contains(page.body, hallKey) {
		t.Error("the page shows the key")
	}
	b.want(b.post(path, "shelf", "9"), http.StatusUnprocessableEntity, "must be a shelf of the hall")
	b.wantRedirect(b.post(path, "shelf", "7"), marketplacesPage+"?done=saved")
	b.want(b.get(marketplacesPage), http.StatusOK, ">connected<", `<option value="7" selected>`)
	b.want(b.post(path+"/shelf", "name", ""), http.StatusUnprocessableEntity, "must not be empty")
	b.wantRedirect(b.post(path+"/shelf", "name", "Nine"), marketplacesPage+"?done=shelf")
	b.want(b.get(path+"/page"), http.StatusOK, "Card Hall opens at nine.")
	b.want(b.get("/settings/audit"), http.StatusOK, "connected the marketplace: memory")
}
