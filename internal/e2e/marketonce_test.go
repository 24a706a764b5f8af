package e2e

import (
	"net/http"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Of many requests at once to publish one card, one is accepted, and the marketplace has one listing.
func TestEbay_PublishAtOnce(t *testing.T) {
	t.Parallel()
	r := startRun(t)
	card := r.create(1)[0]
	const requests = 50
	got := map[int]int{}
	var mu sync.Mutex
	var wait sync.WaitGroup
	for range requests {
		wait.Go(func() {
			resp := r.c.do("POST", "/listings/"+card+"/publish", `{}`)
			if resp.status != http.StatusAccepted {
				resp.refused(t, "card_already_listed")
			}
			mu.Lock()
			defer mu.Unlock()
			got[resp.status]++
		})
	}
	wait.Wait()
	want := map[int]int{http.StatusAccepted: 1, http.StatusConflict: requests - 1}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("responses by status (-want +got):\n%s", diff)
	}
	r.await("live", 1)
	if n := r.count(`SELECT count(*) FROM market.offers WHERE $1 <> ''`); n != 1 {
		t.Errorf("%d offers at the marketplace, want 1", n)
	}
}

// The answer to each call that connects an account is lost once. After the account is connected again, eBay has one
// destination and one subscription, and the sales arrive.
func TestEbay_ConnectAnswersLost(t *testing.T) {
	t.Parallel()
	r := startRun(t)
	for _, call := range []string{
		"getToken", "getDestinations", "updateConfig", "createDestination", "getSubscriptions", "createSubscription",
		"getFulfillmentPolicies", "getInventoryLocations",
	} {
		if _, err := r.DB.Exec(t.Context(), `DELETE FROM market.subscriptions`); err != nil {
			t.Fatal(err)
		}
		if _, err := r.DB.Exec(t.Context(), `DELETE FROM market.destinations`); err != nil {
			t.Fatal(err)
		}
		r.fault("lost", call, 1)
		r.b.tryMarket(t, "ada")
		r.noFaults()
		r.b.connectMarket(t, "ada")
		for _, table := range []string{"destinations", "subscriptions"} {
			if n := r.count(`SELECT count(*) FROM market.` + table + ` WHERE $1 <> ''`); n != 1 {
				t.Errorf("%s lost: %d %s, want 1", call, n, table)
			}
		}
	}
	market, _ := r.Markets.Find("ebay")
	if err := market.Connector.Ready(t.Context(), r.c.account); err != nil {
		t.Error(err)
	}
}
