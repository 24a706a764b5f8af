package sandbox_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/cardvault/cardvault/internal/marketplaces/ebay/ebayapi"
	"github.com/cardvault/cardvault/internal/marketplaces/marketplacetest"
	"github.com/cardvault/cardvault/internal/marketplaces/sandbox"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
	"github.com/cardvault/cardvault/internal/sandboxmarket/markettest"
)

func TestMarket_Conformance(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(markettest.On(t, pgtest.New(t)))
	t.Cleanup(server.Close)
	market, err := sandbox.New(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	visit := func(act string) func(t *testing.T, listingID string) {
		return func(t *testing.T, listingID string) {
			resp, err := http.Post(server.URL+"/sandbox/listings/"+listingID+"/"+act, "application/json", nil)
			if err != nil || resp.StatusCode != http.StatusOK {
				t.Fatal(resp, err)
			}
			resp.Body.Close()
		}
	}
	marketplacetest.Run(t, func(t *testing.T) marketplacetest.Subject {
		return marketplacetest.Subject{
			Marketplace: market.Seller(t.Name()), Limits: ebayapi.Limits, Buy: visit("buy"), EndThere: visit("end"),
		}
	})
}
