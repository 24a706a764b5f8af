package main

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

// object runs a command with --json and reads what it printed into value.
func (t *terminalOf) object(value any, args ...string) {
	t.Helper()
	out, _ := t.run(exitDone, append(args, "--json")...)
	if err := json.Unmarshal([]byte(out), value); err != nil {
		t.Fatalf("%v prints %q: %v", args, out, err)
	}
}

// newAccount creates an account and returns its identifier.
func (t *terminalOf) newAccount(name string) string {
	t.Helper()
	var account struct{ ID string }
	t.object(&account, "account", "create", "--name", name)
	return account.ID
}

// members returns the users of an account with their roles.
func (t *terminalOf) members(account string) (list []string) {
	t.Helper()
	var users struct {
		Data []struct{ Email, Role string }
	}
	t.object(&users, "user", "list", "--account", account)
	for _, user := range users.Data {
		list = append(list, user.Email+" "+user.Role)
	}
	return list
}

// A new user gets a role at once and a link to set a password. A user of another account gets a link only: without it,
// neither the user's password nor a session opens the account.
func TestUserCreate(t *testing.T) {
	t.Parallel()
	on := &terminalOf{t, pgtest.URL(t), t.TempDir()}
	first, second := on.newAccount("First"), on.newAccount("Second")
	const ada = "ada@example.com"
	create := []string{"user", "create", "--email", ada, "--role", "owner", "--account"}
	var created, invited, again createdUser
	on.object(&created, append(create, first)...)
	if created.AccountID != first || created.Role != "owner" || !strings.Contains(created.Link, "/password/") {
		t.Errorf("a new user: printed %+v, want an owner with a link to set a password", created)
	}
	if got := on.members(first); !slices.Equal(got, []string{ada + " owner"}) {
		t.Errorf("users of the first account: %v, want the owner", got)
	}

	on.object(&invited, append(create, second)...)
	if invited.ID != created.ID || invited.AccountID != second || !strings.Contains(invited.Link, "/password/") {
		t.Errorf("a user of another account: printed %+v, want the user with an invitation", invited)
	}
	on.object(&again, append(create, second)...)
	if again.Link == invited.Link {
		t.Error("a second invitation has the link of the first, want a new one that replaces it")
	}
	if got := on.members(second); len(got) != 0 {
		t.Errorf("users of the second account before the invitation is accepted: %v, want none", got)
	}
	text, _ := on.run(exitDone, append(create, second)...)
	for _, want := range []string{"is a user of other accounts", "joins " + second + " as owner by this link", "days"} {
		if !strings.Contains(text, want) {
			t.Errorf("printed %q, want %q in it", text, want)
		}
	}
	on.object(&again, "user", "create", "--email", ada, "--role", "member", "--account", first)
	if got := on.members(first); again.ID != created.ID || !slices.Equal(got, []string{ada + " member"}) {
		t.Errorf("a user of the account: printed %+v, users are %v, want the new role", again, got)
	}
}

func TestUserCreate_Refuses(t *testing.T) {
	t.Parallel()
	on := &terminalOf{t, pgtest.URL(t), t.TempDir()}
	account := on.newAccount("First")
	for _, tc := range []struct {
		code                          int
		account, email, role, failure string
	}{
		{exitFailed, "acc_00000000000000000000000000", "ada@example.com", "owner", "account"},
		{exitFailed, account, "ada", "owner", "email"},
		{exitBadUsage, account, "ada@example.com", "admin", "role"},
	} {
		_, failure := on.run(tc.code, "user", "create", "--account", tc.account, "--email", tc.email, "--role", tc.role)
		if !strings.Contains(failure, tc.failure) {
			t.Errorf("%+v: printed %q", tc, failure)
		}
	}
	if got := on.members(account); len(got) != 0 {
		t.Errorf("users after refusals: %v, want none", got)
	}
}

func TestUserCreateCmd_Password(t *testing.T) {
	t.Parallel()
	for input, want := range map[string]string{
		"a long password\r\nignored": "a long password", "a long password": "a long password", "\nsecond": "", "": "",
	} {
		got, err := userCreateCmd{PasswordStdin: true}.password(strings.NewReader(input))
		if got != want || (err != nil) != (want == "") {
			t.Errorf("%q: got %q, %v, want %q", input, got, err, want)
		}
	}
	if got, err := (userCreateCmd{}).password(strings.NewReader("not read\n")); got != "" || err != nil {
		t.Errorf("without --password-stdin: got %q, %v, want nothing", got, err)
	}
}
