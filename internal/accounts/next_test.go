package accounts_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

func TestService_Next(t *testing.T) {
	t.Parallel()
	s := accounts.New(pgtest.New(t), clock.System)
	var want, got []string
	for range 3 {
		account, err := s.Create(t.Context(), "Test", false)
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, account.ID)
	}
	slices.Sort(want)
	for after := ""; ; after = got[len(got)-1] {
		account, err := s.Next(t.Context(), after)
		if err != nil {
			t.Fatal(err)
		}
		if account == "" {
			break
		}
		got = append(got, account)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("accounts (-want +got):\n%s", diff)
	}
}
