package e2e

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

func TestAccountDelete_Command(t *testing.T) {
	t.Parallel()
	databaseURL := pgtest.URL(t)
	s := startOn(t, databaseURL)
	account := s.client(t, false).account
	run := func(args ...string) (printed accounts.Account, err error) {
		t.Helper()
		var out bytes.Buffer
		args = append([]string{"account", "delete", "--account", account, "--json", "--allow-private-networks",
			"--database-url", databaseURL, "--photo-store", s.Config.PhotoStore}, args...)
		command := cardvault(t, 0, args...)
		command.Stdout = &out
		if err := command.Run(); err != nil {
			return printed, err
		}
		return printed, json.Unmarshal(out.Bytes(), &printed)
	}
	asked, err := run()
	if err != nil || asked.DeleteAt == nil || time.Until(*asked.DeleteAt).Round(time.Hour) != 14*24*time.Hour {
		t.Fatalf("account delete: %+v, %v, want a deletion in 14 days", asked, err)
	}
	if kept, err := run("--cancel"); err != nil || kept.DeleteAt != nil || kept.ID != account {
		t.Errorf("account delete --cancel: %+v, %v, want an account that is kept", kept, err)
	}
	if _, err := run("--now", "--cancel"); err == nil {
		t.Error("account delete --now --cancel: got no error")
	}
	if _, err := s.Accounts.Get(t.Context(), account); err != nil {
		t.Fatal(err)
	}
	if deleted, err := run("--now"); err != nil || deleted.ID != account {
		t.Errorf("account delete --now: %+v, %v", deleted, err)
	}
	eventually(t, "the account is deleted", func() bool {
		_, err := s.Accounts.Get(t.Context(), account)
		return fault.Is(err, fault.AccountNotFound)
	})
	if _, err := run("--cancel"); err == nil {
		t.Error("account delete --cancel of a deleted account: got no error")
	}
}
