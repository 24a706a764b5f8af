package sandbox_test

import (
	"testing"

	"github.com/cardvault/cardvault/internal/listings/marketplaces/sandbox"
)

func TestNew_RefusesInvalidURL(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"", "localhost:8090", "ftp://localhost", "http://", "://"} {
		if _, err := sandbox.New(address); err == nil {
			t.Errorf("%q was taken", address)
		}
	}
	market, err := sandbox.New("http://localhost:8090/")
	if err != nil {
		t.Fatal(err)
	}
	if name := market.Seller("acc_1").Name(); name != "sandbox" {
		t.Errorf("the marketplace is called %q", name)
	}
}
