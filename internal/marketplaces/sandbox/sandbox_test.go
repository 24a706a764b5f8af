package sandbox_test

import (
	"testing"

	"github.com/cardvault/cardvault/internal/marketplaces/sandbox"
)

func TestNew_InvalidURL(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"", "localhost:8090", "ftp://localhost", "http://", "://"} {
		if _, err := sandbox.New(address); err == nil {
			t.Errorf("New(%q): got no error", address)
		}
	}
}

func TestMarket_SellerName(t *testing.T) {
	t.Parallel()
	market, err := sandbox.New("http://localhost:8090/")
	if err != nil {
		t.Fatal(err)
	}
	if name := market.Seller("acc_1").Name(); name != "sandbox" {
		t.Errorf("Name: got %q, want sandbox", name)
	}
}
