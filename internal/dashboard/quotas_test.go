package dashboard

import (
	"net/http"
	"testing"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/quota"
)

// The settings show each quota of the account, and what is used.
func TestSettings_Quotas(t *testing.T) {
	t.Parallel()
	s := setup(t)
	b := s.logIn(ada)
	own, err := quota.Parse("cards=4,photo_bytes=2MiB")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.config.Accounts.SetQuotas(t.Context(), s.account.ID, own); err != nil {
		t.Fatal(err)
	}
	if _, err := s.config.Cards.Create(t.Context(), s.account.ID, []cards.Draft{{}}, nil); err != nil {
		t.Fatal(err)
	}
	page := b.get("/settings")
	for _, text := range []string{"users and invitations", "1 (25 %)", "2.1\u00a0MB", "no limit"} {
		b.want(page, http.StatusOK, text)
	}
}
