package dashboard

import (
	"crypto/rand"
	"errors"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/accounts"
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
	refused := b.post("/settings/users", "email", "<b>bob</b>", "role", "member")
	b.want(refused, http.StatusUnprocessableEntity, "must be an e-mail address")
	b.want(refused, http.StatusUnprocessableEntity, `value="&lt;b&gt;bob&lt;/b&gt;"`)
	b.want(b.post("/settings/users", "email", strings.ToUpper(ada), "role", "member"), http.StatusUnprocessableEntity,
		"must not be that of a user of the account")
	b.want(b.post("/settings/users", "email", bob, "role", "admin"), http.StatusUnprocessableEntity,
		"must be owner or member")

	path := s.link(b.post("/settings/users", "email", bob, "role", "member"))
	list := b.get("/settings/users")
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

// A user of another account who is logged in joins by a new password for both accounts.
func TestUsers_InviteUserOfAnotherAccount(t *testing.T) {
	t.Parallel()
	s := setup(t)
	const eve, second = "eve@example.com", "another password"
	s.newUser(s.newAccount("Eve's cards"), eve, users.Owner)
	b := s.logIn(ada)
	path := s.link(b.post("/settings/users", "email", eve, "role", "owner"))
	b.want(b.get(path), http.StatusForbidden, "This invitation is for "+eve)
	b.want(b.post(path, "password", second), http.StatusForbidden, "This invitation is for "+eve)
	s.wantRoles(map[string]users.Role{ada: users.Owner})
	guest, other := s.logIn(eve), s.logIn(eve)
	guest.want(guest.get(path), http.StatusOK, "<strong>Ada&#39;s cards</strong> as owner")
	guest.want(guest.post(path), http.StatusUnprocessableEntity, "must be 10 to 200 characters")
	guest.want(guest.post(path, "password", password), http.StatusUnprocessableEntity, "must be a new one")
	other.want(other.get("/"), http.StatusOK, eve)
	guest.wantRedirect(guest.post(path, "password", second), "/")
	guest.want(guest.get("/"), http.StatusOK, `value="`+s.account.ID+`" selected`)
	guest.want(guest.get("/"), http.StatusOK, "Eve&#39;s cards")
	other.wantRedirect(other.get("/"), "/login")
	other.want(other.post("/login", "email", eve, "password", password), http.StatusUnprocessableEntity, "is wrong")
	other.wantRedirect(other.post("/login", "email", eve, "password", second), "/")
	s.wantRoles(map[string]users.Role{ada: users.Owner, eve: users.Owner})
	b.want(b.post("/settings/users/"+s.user(eve).ID+"/link"), http.StatusForbidden, "works in other accounts too")
}

// The owner of another account, who set the password of an address and has a session by it, gets into no account that
// the person with the address joins later, whichever way the operator or the account's owner adds the person.
func TestUsers_NoTakeover(t *testing.T) {
	t.Parallel()
	const victim, ofVictim = "victim@example.com", "a password of the victim"
	for name, add := range map[string]func(s *shop, later accounts.Account) (link string){
		"user create": func(s *shop, later accounts.Account) string {
			_, err := s.config.Users.Create(s.t.Context(), later.ID, victim, users.Owner, "")
			if !errors.Is(err, users.ErrExists) {
				s.t.Errorf("Create: got %v, want ErrExists", err)
			}
			return s.invite(later, victim, users.Owner)
		},
		"user create with a password": func(s *shop, later accounts.Account) string {
			_, err := s.config.Users.Create(s.t.Context(), later.ID, victim, users.Owner, ofVictim)
			if err != nil {
				s.t.Fatal(err)
			}
			return ""
		},
		"invitation": func(s *shop, later accounts.Account) string {
			return s.invite(later, victim, users.Owner)
		},
		"invitation from before":  nil,
		"user create from before": nil,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := setup(t)
			later := s.newAccount("Later cards")
			link := ""
			switch name {
			case "invitation from before":
				link = s.invite(later, victim, users.Owner)
			case "user create from before":
				user, err := s.config.Users.Create(t.Context(), later.ID, victim, users.Owner, "")
				if err == nil {
					link, err = s.config.Users.NewLink(t.Context(), user.ID)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			owner, evil, person := s.logIn(ada), s.browser(), s.browser()
			evil.wantRedirect(evil.post(s.link(owner.post("/settings/users", "email", victim, "role", "owner")),
				"password", password), "/")
			if add != nil {
				link = add(s, later)
			}
			s.gainsNothing(owner, evil, later, victim)
			if link != "" {
				person.want(person.get("/password/"+link), http.StatusOK, victim)
				person.wantRedirect(person.post("/password/"+link, "password", ofVictim), "/")
			} else {
				person.wantRedirect(person.post("/login", "email", victim, "password", ofVictim), "/")
			}
			person.want(person.get("/settings"), http.StatusOK, later.Name)
			s.gainsNothing(owner, evil, later, victim)
			person.want(person.get("/settings"), http.StatusOK, later.Name) // whatever the other owner has tried
		})
	}
}

// gainsNothing lets the owner of the shop's account, and the browser in which they set the password of the victim, try
// what could get them into a later account.
func (s *shop) gainsNothing(owner, evil *browser, later accounts.Account, victim string) {
	s.t.Helper()
	path := "/settings/users" + "/" + s.user(victim).ID
	attempts := []*browser{evil, s.browser(), s.browser()}
	attempts[1].post("/login", "email", victim, "password", password)
	owner.post(path + "/link")
	owner.post(path+"/role", "role", "owner")
	owner.post(path + "/withdraw")
	owner.post(path + "/remove")
	again := owner.post("/settings/users", "email", victim, "role", "owner")
	if again.StatusCode == http.StatusOK {
		attempts[2].post(s.link(again), "password", "password "+rand.Text())
	}
	evil.post("/logout/everywhere")
	evil.post("/login", "email", victim, "password", password)
	for i, b := range attempts {
		page := b.get("/settings")
		if strings.Contains(page.body, later.ID) || strings.Contains(page.body, later.Name) {
			s.t.Errorf("attempt %d opens the account:\n%s", i, page.body)
		}
		b.post("/account", "account", later.ID)
		b.post("/developers/tokens", "name", "stolen", "scope-read", "on")
	}
	tokens, err := s.config.Accounts.Tokens(s.t.Context(), later.ID)
	if err != nil || len(tokens) > 0 {
		s.t.Errorf("tokens of the later account: %v, %v, want none", tokens, err)
	}
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
	b.want(b.get("/settings/users/"+bob.ID+"/remove"), http.StatusOK, "bob@example.com")
	b.wantRedirect(b.post("/settings/users/"+bob.ID+"/remove"), "/settings/users")
	guest := s.logIn("bob@example.com")
	guest.want(guest.get("/"), http.StatusForbidden, "You are a user of no account any more.")
	path := s.link(b.post("/settings/users", "email", "bob@example.com", "role", "member"))
	guest.want(guest.get(path), http.StatusOK, "Join an account")
	guest.wantRedirect(guest.post(path, "password", "another password"), "/")
	guest.want(guest.get("/"), http.StatusOK, "bob@example.com")
}

func TestUsers_ChangeRoleHoldsAtOnce(t *testing.T) {
	t.Parallel()
	s := setup(t)
	bob := s.newUser(s.account, "bob@example.com", users.Member)
	b, guest := s.logIn(ada), s.logIn("bob@example.com")
	guest.want(guest.get("/settings/users"), http.StatusForbidden, "")
	b.wantRedirect(b.post("/settings/users/"+bob.ID+"/role", "role", "owner"), "/settings/users")
	guest.want(guest.get("/settings/users"), http.StatusOK, "this is you")
	guest.wantRedirect(guest.post("/settings/users/"+s.ada.ID+"/role", "role", "member"), "/settings/users")
	b.want(b.get("/settings/users"), http.StatusForbidden, "")
	last := guest.post("/settings/users/"+bob.ID+"/role", "role", "member")
	guest.want(last, http.StatusConflict, "This is the account&#39;s last owner.")
	guest.want(guest.post("/settings/users/"+bob.ID+"/remove"), http.StatusConflict, "last owner")
	king := guest.post("/settings/users/"+s.ada.ID+"/role", "role", "king")
	guest.want(king, http.StatusBadRequest, "owner or member")
	s.wantRoles(map[string]users.Role{ada: users.Member, "bob@example.com": users.Owner})
	guest.wantRedirect(guest.post("/settings/users/"+s.ada.ID+"/role", "role", "owner"), "/settings/users")
	guest.wantRedirect(guest.post("/settings/users/"+bob.ID+"/role", "role", "member"), "/")
}

func TestUsers_PasswordLink(t *testing.T) {
	t.Parallel()
	s := setup(t)
	bob := s.newUser(s.account, "bob@example.com", users.Member)
	path := s.link(s.logIn(ada).post("/settings/users" + "/" + bob.ID + "/link"))
	guest := s.browser()
	guest.wantRedirect(guest.post(path, "password", "another password"), "/")
	guest.want(guest.get("/"), http.StatusOK, "bob@example.com")
}

func TestUsers_Withdraw(t *testing.T) {
	t.Parallel()
	s := setup(t)
	b := s.logIn(ada)
	path := s.link(b.post("/settings/users", "email", "bob@example.com", "role", "member"))
	action := "/settings/users" + "/" + s.user("bob@example.com").ID + "/withdraw"
	b.wantRedirect(b.post(action), "/settings/users")
	b.want(b.get(path), http.StatusGone, "")
	b.want(b.post(action), http.StatusNotFound, "")
}

func TestUsers_OfThisAccountOnly(t *testing.T) {
	t.Parallel()
	s := setup(t)
	bob := s.newUser(s.account, "bob@example.com", users.Member)
	s.newUser(s.newAccount("Eve's cards"), "eve@example.com", users.Owner)
	s.link(s.logIn(ada).post("/settings/users", "email", "carl@example.com", "role", "member"))
	eve := s.logIn("eve@example.com")
	if page := eve.get("/settings/users"); strings.Contains(page.body, "bob@") || strings.Contains(page.body, "carl@") {
		t.Errorf("another account's users are shown: %s", page.body)
	}
	for _, id := range []string{bob.ID, s.user("carl@example.com").ID, "usr_unknown", "%00"} {
		for _, action := range []string{"role", "link", "remove", "withdraw"} {
			eve.want(eve.post("/settings/users/"+id+"/"+action, "role", "owner"), http.StatusNotFound, "")
		}
		eve.want(eve.get("/settings/users/"+id+"/remove"), http.StatusNotFound, "")
	}
	s.wantRoles(map[string]users.Role{ada: users.Owner, "bob@example.com": users.Member})
}
