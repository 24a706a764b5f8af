package dashboard

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/users"
)

// link returns the path of the link that a page shows.
func (s *shop) link(a answer) string {
	s.t.Helper()
	found := regexp.MustCompile(`<code>` + regexp.QuoteMeta(s.config.Public) + `(/password/\w+)</code>`).
		FindStringSubmatch(a.body)
	if a.StatusCode != http.StatusOK || found == nil {
		s.t.Fatalf("the page shows no link: %d %s", a.StatusCode, a.body)
	}
	return found[1]
}

// wantRoles checks the users of the shop's account.
func (s *shop) wantRoles(want map[string]users.Role) {
	s.t.Helper()
	list, err := s.config.Users.List(s.t.Context(), s.account.ID)
	if err != nil {
		s.t.Fatal(err)
	}
	got := map[string]users.Role{}
	for _, user := range list {
		got[user.Email] = user.Role
	}
	if diff := cmp.Diff(want, got); diff != "" {
		s.t.Errorf("roles (-want +got):\n%s", diff)
	}
}

func TestUsers_InviteAndJoin(t *testing.T) {
	t.Parallel()
	s := setup(t)
	b := s.logIn(ada)
	const bob = "bob@example.com"
	refused := b.post(usersPath, "email", "<b>bob</b>", "role", "member")
	b.want(refused, http.StatusUnprocessableEntity, "must be an e-mail address")
	b.want(refused, http.StatusUnprocessableEntity, `value="&lt;b&gt;bob&lt;/b&gt;"`)
	b.want(b.post(usersPath, "email", strings.ToUpper(ada), "role", "member"), http.StatusUnprocessableEntity,
		"must not be that of a user of the account")
	b.want(b.post(usersPath, "email", bob, "role", "admin"), http.StatusUnprocessableEntity, "must be owner or member")

	path := s.link(b.post(usersPath, "email", bob, "role", "member"))
	list := b.get(usersPath)
	b.want(list, http.StatusOK, "invited")
	if strings.Contains(list.body, path) {
		t.Error("the link is shown again")
	}
	s.wantRoles(map[string]users.Role{ada: users.Owner})
	guest := s.browser()
	guest.want(guest.get(path), http.StatusOK, "You are invited to work in <strong>Ada&#39;s cards</strong>.")
	guest.want(guest.post(path, "password", "short"), http.StatusUnprocessableEntity, "must be 10 to 200 characters")
	guest.wantRedirect(guest.post(path, "password", password), "/")
	guest.want(guest.get("/"), http.StatusOK, bob)
	guest.want(guest.get(path), http.StatusGone, "")
	s.wantRoles(map[string]users.Role{ada: users.Owner, bob: users.Member})
}

func TestUsers_InviteUserOfAnotherAccount(t *testing.T) {
	t.Parallel()
	s := setup(t)
	const eve = "eve@example.com"
	s.newUser(s.newAccount("Eve's cards"), eve, users.Owner)
	b := s.logIn(ada)
	path := s.link(b.post(usersPath, "email", eve, "role", "owner"))
	stranger := s.browser()
	stranger.wantRedirect(stranger.get(path), "/login?next=%2Fpassword%2F"+strings.TrimPrefix(path, "/password/"))
	stranger.wantRedirect(stranger.post(path, "password", "another password"),
		"/login?next=%2Fpassword%2F"+strings.TrimPrefix(path, "/password/"))
	b.want(b.get(path), http.StatusForbidden, "This invitation is for "+eve)
	b.want(b.post(path), http.StatusForbidden, "This invitation is for "+eve)
	s.wantRoles(map[string]users.Role{ada: users.Owner})
	guest := s.logIn(eve) // the password did not change
	guest.want(guest.get(path), http.StatusOK, "<strong>Ada&#39;s cards</strong> as owner")
	guest.wantRedirect(guest.post(path), "/")
	guest.want(guest.get("/"), http.StatusOK, `value="`+s.account.ID+`" selected`)
	s.wantRoles(map[string]users.Role{ada: users.Owner, eve: users.Owner})
	b.want(b.post(usersPath+"/"+s.user(eve).ID+"/link"), http.StatusForbidden, "works in other accounts too")
}

// user returns the user with this address.
func (s *shop) user(email string) users.User {
	s.t.Helper()
	user, err := s.config.Users.ByEmail(s.t.Context(), email)
	if err != nil {
		s.t.Fatal(err)
	}
	return user
}

func TestUsers_RemovedUserJoinsAgain(t *testing.T) {
	t.Parallel()
	s := setup(t)
	bob := s.newUser(s.account, "bob@example.com", users.Member)
	b := s.logIn(ada)
	b.want(b.get(usersPath+"/"+bob.ID+"/remove"), http.StatusOK, "bob@example.com")
	b.wantRedirect(b.post(usersPath+"/"+bob.ID+"/remove"), usersPath)
	guest := s.logIn("bob@example.com")
	guest.want(guest.get("/"), http.StatusForbidden, "You are a user of no account any more.")
	path := s.link(b.post(usersPath, "email", "bob@example.com", "role", "member"))
	guest.want(guest.get(path), http.StatusOK, "Join an account")
	guest.wantRedirect(guest.post(path), "/")
	guest.want(guest.get("/"), http.StatusOK, "bob@example.com")
}

func TestUsers_ChangeRoleHoldsAtOnce(t *testing.T) {
	t.Parallel()
	s := setup(t)
	bob := s.newUser(s.account, "bob@example.com", users.Member)
	b, guest := s.logIn(ada), s.logIn("bob@example.com")
	guest.want(guest.get(usersPath), http.StatusForbidden, "")
	b.wantRedirect(b.post(usersPath+"/"+bob.ID+"/role", "role", "owner"), usersPath)
	guest.want(guest.get(usersPath), http.StatusOK, "this is you")
	guest.wantRedirect(guest.post(usersPath+"/"+s.ada.ID+"/role", "role", "member"), usersPath)
	b.want(b.get(usersPath), http.StatusForbidden, "")
	last := guest.post(usersPath+"/"+bob.ID+"/role", "role", "member")
	guest.want(last, http.StatusConflict, "This is the account&#39;s last owner.")
	guest.want(guest.post(usersPath+"/"+bob.ID+"/remove"), http.StatusConflict, "last owner")
	guest.want(guest.post(usersPath+"/"+s.ada.ID+"/role", "role", "king"), http.StatusBadRequest, "owner or member")
	s.wantRoles(map[string]users.Role{ada: users.Member, "bob@example.com": users.Owner})
	guest.wantRedirect(guest.post(usersPath+"/"+s.ada.ID+"/role", "role", "owner"), usersPath)
	guest.wantRedirect(guest.post(usersPath+"/"+bob.ID+"/role", "role", "member"), "/")
}

func TestUsers_PasswordLink(t *testing.T) {
	t.Parallel()
	s := setup(t)
	bob := s.newUser(s.account, "bob@example.com", users.Member)
	path := s.link(s.logIn(ada).post(usersPath + "/" + bob.ID + "/link"))
	guest := s.browser()
	guest.wantRedirect(guest.post(path, "password", "another password"), "/")
	guest.want(guest.get("/"), http.StatusOK, "bob@example.com")
}

func TestUsers_Withdraw(t *testing.T) {
	t.Parallel()
	s := setup(t)
	b := s.logIn(ada)
	path := s.link(b.post(usersPath, "email", "bob@example.com", "role", "member"))
	action := usersPath + "/" + s.user("bob@example.com").ID + "/withdraw"
	b.wantRedirect(b.post(action), usersPath)
	b.want(b.get(path), http.StatusGone, "")
	b.want(b.post(action), http.StatusNotFound, "")
}

func TestUsers_OfThisAccountOnly(t *testing.T) {
	t.Parallel()
	s := setup(t)
	bob := s.newUser(s.account, "bob@example.com", users.Member)
	s.newUser(s.newAccount("Eve's cards"), "eve@example.com", users.Owner)
	s.link(s.logIn(ada).post(usersPath, "email", "carl@example.com", "role", "member"))
	eve := s.logIn("eve@example.com")
	if page := eve.get(usersPath); strings.Contains(page.body, "bob@") || strings.Contains(page.body, "carl@") {
		t.Errorf("another account's users are shown: %s", page.body)
	}
	for _, id := range []string{bob.ID, s.user("carl@example.com").ID, "usr_unknown", "%00"} {
		for _, action := range []string{"role", "link", "remove", "withdraw"} {
			eve.want(eve.post(usersPath+"/"+id+"/"+action, "role", "owner"), http.StatusNotFound, "")
		}
		eve.want(eve.get(usersPath+"/"+id+"/remove"), http.StatusNotFound, "")
	}
	s.wantRoles(map[string]users.Role{ada: users.Owner, "bob@example.com": users.Member})
}
