package e2e

import (
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/users"
)

// accountRows describes the rows of an account in each table that has some: their number and a hash of all of them.
func (s *service) accountRows(t testing.TB, account string) map[string]string {
	t.Helper()
	rows := map[string]string{}
	for _, table := range s.accountTables(t) {
		var found *string
		err := s.DB.Get(t.Context(), &found, fmt.Sprintf(`
			SELECT count(*) || ' rows, ' || md5(string_agg(r::text, E'\n' ORDER BY r::text))
			FROM (SELECT to_jsonb(t) - '%s' AS r FROM %s t WHERE account_id = $1) rows`,
			volatileColumns[table], table), account)
		if err != nil {
			t.Fatal(err)
		}
		if found != nil {
			rows[table] = *found
		}
	}
	return rows
}

// reachDeletion moves the clock to the next turn of the deletion of an account.
func (s *service) reachDeletion(t testing.TB, account string) {
	t.Helper()
	err := s.DB.InTx(t.Context(), func(tx *postgres.Tx) error { // in which now() is the same for all
		for _, statement := range []string{
			`UPDATE accounts SET delete_at = now() WHERE id = $1`,
			`UPDATE account_deletions SET due_at = now() WHERE account_id = $1`,
			`UPDATE queue_accounts SET due_at = now(), turn_at = now(), changes = changes + 1
				WHERE account_id = $1 AND queue = 'account_deletions'`,
		} {
			if _, err := tx.Exec(t.Context(), statement, account); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// storedFiles returns the files of the account's photos and archives.
func (s *service) storedFiles(t testing.TB, account string) (found []string) {
	t.Helper()
	for _, folder := range []string{account, "exports/" + account} {
		files, err := filepath.Glob(filepath.Join(s.Config.PhotoStore, folder, "*"))
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, files...)
	}
	return found
}

func TestDashboard_DeleteAccount(t *testing.T) {
	t.Parallel()
	s := start(t)
	mine, theirs := s.shop(t), s.shop(t)
	owner, member := s.browser(t, mine.account, users.Owner), s.browser(t, mine.account, users.Member)
	other := s.browser(t, theirs.account, users.Owner)
	both := "bob-" + mine.account + "@example.com" // works in both accounts
	if _, err := s.Users.Create(t.Context(), theirs.account, both, users.Member, "a second password"); err != nil {
		t.Fatal(err)
	}
	if n := len(s.storedFiles(t, mine.account)); n < 3 {
		t.Fatalf("%d files, want photos and an archive", n)
	}
	const path = "/settings/delete"
	owner.want(owner.get("/settings"), http.StatusOK, `href="/settings/delete"`)
	owner.want(owner.get(path), http.StatusOK, "Type the name of the account", "Your password")
	member.want(member.get(path), http.StatusForbidden)
	account, err := s.Accounts.Get(t.Context(), mine.account)
	if err != nil {
		t.Fatal(err)
	}
	const banner = "will be deleted on"
	ask := func(name, password string) page { return owner.post(path, "name", name, "password", password) }
	owner.want(ask("<b>wrong</b>", browserPassword), http.StatusUnprocessableEntity,
		"This is not the name of the account.", "&lt;b&gt;wrong&lt;/b&gt;")
	owner.want(ask(account.Name, "wrong password"), http.StatusUnprocessableEntity, "The password is wrong.",
		`value="`+account.Name+`"`)
	owner.get("/cards").lacks(t, banner)
	owner.wantRedirect(ask(account.Name, browserPassword), path)
	for _, p := range []string{"/", "/cards", path} {
		owner.want(owner.get(p), http.StatusOK, banner, "Keep the account")
	}
	seen := member.get("/cards")
	member.want(seen, http.StatusOK, banner, "An owner can keep it.")
	seen.lacks(t, "/settings/keep")
	other.get("/cards").lacks(t, banner)
	member.want(member.post("/settings/keep"), http.StatusForbidden)
	owner.wantRedirect(owner.post("/settings/keep"), "/settings")
	owner.get("/settings").lacks(t, banner)
	owner.wantRedirect(ask(account.Name, browserPassword), path)
	mine.create(`{"identification":{"title":"until the end"}}`) // tokens work as before
	owner.want(owner.get("/settings/audit"), http.StatusOK, "asked to delete the account: ", "kept the account: ")

	unharmed := func() (rows map[string]string, files []string) {
		rows = s.accountRows(t, theirs.account)
		maps.DeleteFunc(rows, func(table, _ string) bool { return slices.Contains(excludedTables, table) })
		return rows, s.storedFiles(t, theirs.account)
	}
	before, filesBefore := unharmed()
	s.reachDeletion(t, mine.account)
	var left map[string]string
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("rows that are left: %v", left)
		}
	})
	eventually(t, "the account's rows are deleted", func() bool {
		s.reachDeletion(t, mine.account) // the look for what was written in the meantime is due too
		left = s.accountRows(t, mine.account)
		delete(left, "account_deletions")
		delete(left, "queue_accounts")
		return len(left) == 0 && len(s.storedFiles(t, mine.account)) == 0
	})
	owner.wantRedirect(owner.get("/"), "/login")
	eventually(t, "the token stops working", func() bool {
		return mine.do("GET", "/cards", nil).status == http.StatusUnauthorized
	})
	eventually(t, "nothing is left", func() bool { // also of what was being written at the moment of the deletion
		s.reachDeletion(t, mine.account)
		return len(s.accountRows(t, mine.account)) == 0
	})
	after, filesAfter := unharmed()
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("the other account (-before +after):\n%s", diff)
	}
	if diff := cmp.Diff(filesBefore, filesAfter); diff != "" {
		t.Errorf("the files of the other account (-before +after):\n%s", diff)
	}
	other.want(other.get("/settings/users"), http.StatusOK, both)
	for _, email := range []string{"owner-", "member-", "carol-"} {
		email += mine.account + "@example.com"
		if _, err := s.Users.ByEmail(t.Context(), email); !fault.Is(err, fault.UserNotFound) {
			t.Errorf("%s: got %v, want user_not_found", email, err)
		}
	}
	if _, err := s.Accounts.Get(t.Context(), mine.account); !fault.Is(err, fault.AccountNotFound) {
		t.Errorf("the account: got %v, want account_not_found", err)
	}
	if _, err := os.Stat(filepath.Join(s.Config.PhotoStore, mine.account)); !os.IsNotExist(err) {
		t.Errorf("the folder of photos: got %v, want none", err)
	}
}
