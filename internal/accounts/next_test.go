package accounts_test

import (
	"slices"
	"testing"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

func TestService_NextGoesThroughAllAccounts(t *testing.T) {
	t.Parallel()
	s := accounts.New(pgtest.New(t), clock.System)
	var want, got []string
	for range 3 {
		made, err := s.Create(t.Context(), "Test", false)
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, made.ID)
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
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
