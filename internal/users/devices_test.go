package users

import (
	"fmt"
	"net/netip"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/ratelimit"
)

// withDevice returns the client of a browser in which the user has logged in.
func (c *club) withDevice(t *testing.T, email, password string) Client {
	t.Helper()
	login := c.loggedIn(t, email, password)
	return Client{Address: home, Devices: []string{c.DeviceToken(login, Client{})}}
}

func (c *club) logInFrom(t *testing.T, from Client, email, password string) fault.Code {
	t.Helper()
	_, err := c.LogIn(t.Context(), from, email, password)
	return code(t, err)
}

// lockOut lets strangers fail until the user cannot log in from elsewhere.
func (c *club) lockOut(t *testing.T, email string) {
	t.Helper()
	for i := range failuresPerUser {
		c.logIn(t, netip.AddrFrom4([4]byte{198, 51, 100, byte(i)}), email, "wrong")
	}
	if got := c.logIn(t, other, email, password); got != fault.RateLimited {
		t.Fatalf("after %d failures: got %q, want rate_limited", failuresPerUser, got)
	}
}

func TestService_KnownDeviceKeepsAWayIn(t *testing.T) {
	t.Parallel()
	c := setup(t)
	c.create(t, "bob@example.com", Member, password)
	known, ofBob := c.withDevice(t, ada, password), c.withDevice(t, "bob@example.com", password)
	expired := known
	later := *c.Service
	later.clock = clock.Clock{Now: func() time.Time { return time.Now().Add(-DeviceLifetime) }}
	expired.Devices = []string{later.DeviceToken(c.loggedIn(t, ada, password), Client{})}
	c.lockOut(t, ada)
	for name, tc := range map[string]struct {
		from Client
		want fault.Code
	}{
		"known":          {known, ""},
		"among others":   {Client{home, append([]string{"x", ofBob.Devices[0]}, known.Devices...)}, ""},
		"another user's": {ofBob, fault.RateLimited},
		"expired":        {expired, fault.RateLimited},
		"made up":        {Client{home, []string{"", ".", "a.b", known.Devices[0] + "A"}}, fault.RateLimited},
	} {
		t.Run(name, func(t *testing.T) {
			if got := c.logInFrom(t, tc.from, ada, password); got != tc.want {
				t.Errorf("LogIn: got %q, want %q", got, tc.want)
			}
		})
	}
	if got := c.setPassword(t, c.link(t, c.ada.ID), "another password"); got != "" {
		t.Fatal(got)
	}
	if got := c.logInFrom(t, known, ada, "another password"); got != fault.RateLimited {
		t.Errorf("a device from before the new password: got %q, want rate_limited", got)
	}
}

// A stolen token gives a bounded number of attempts, and so do many tokens of the same password.
func TestService_DevicesAreLimited(t *testing.T) {
	t.Parallel()
	c := setup(t)
	login := c.loggedIn(t, ada, password)
	compared := 0
	for range failuresOfDevices/failuresPerDevice + 2 {
		stolen := Client{Address: home, Devices: []string{c.DeviceToken(login, Client{})}}
		if renewed := c.devices(Client{Devices: []string{c.DeviceToken(login, stolen)}}); renewed[0].ID !=
			c.devices(stolen)[0].ID {
			t.Error("another log-in makes another device of the same browser")
		}
		failed := 0
		for range failuresPerDevice + 2 {
			if c.logInFrom(t, stolen, ada, "wrong") == fault.InvalidRequest {
				failed++
			}
		}
		if failed > failuresPerDevice {
			t.Errorf("%d attempts of one device, want at most %d", failed, failuresPerDevice)
		}
		compared += failed
	}
	if compared != failuresOfDevices {
		t.Errorf("%d attempts of all devices, want %d", compared, failuresOfDevices)
	}
	if got := c.logIn(t, other, ada, password); got != "" {
		t.Errorf("log-in from elsewhere: got %q, want success", got)
	}
}

func TestService_LogInsAreLimited(t *testing.T) {
	t.Parallel()
	c := setup(t)
	known := c.withDevice(t, ada, password)
	got := map[fault.Code]int{}
	for range logIns + 5 {
		got[c.logIn(t, other, ada, password)]++
	}
	if diff := cmp.Diff(map[fault.Code]int{"": logIns - 1, fault.RateLimited: 6}, got); diff != "" { // one by known
		t.Errorf("log-ins (-want +got):\n%s", diff)
	}
	if got := c.logInFrom(t, known, ada, password); got != "" {
		t.Errorf("log-in of a known device: got %q, want success", got)
	}
}

func TestService_InvitationsAreLimited(t *testing.T) {
	t.Parallel()
	c := setup(t)
	invite := func(n int) fault.Code {
		_, err := c.Invite(t.Context(), c.account, fmt.Sprintf("user-%d@example.com", n), Member)
		return code(t, err)
	}
	for n := range linksPerMinute {
		if got := invite(n); got != "" {
			t.Fatalf("invitation %d: got %q, want success", n, got)
		}
	}
	if got := invite(0); got != fault.RateLimited {
		t.Errorf("one more within a minute: got %q, want rate_limited", got)
	}
	if _, err := c.NewMemberLink(t.Context(), c.account, c.ada.ID); !fault.Is(err, fault.RateLimited) {
		t.Errorf("a password link: got %v, want rate_limited", err)
	}
	for n := linksPerMinute; n < maxInvitations; n++ {
		c.limiter = ratelimit.NewMemory()
		invite(n)
	}
	if got := invite(maxInvitations); got != fault.InvalidRequest {
		t.Errorf("one more than %d: got %q, want invalid_request", maxInvitations, got)
	}
	if got := invite(0); got != "" {
		t.Errorf("an invitation that replaces another: got %q, want success", got)
	}
}

// The oldest sessions of the same password end. Those of another password stay.
func TestSessions_OldestEnd(t *testing.T) {
	t.Parallel()
	c := setup(t)
	sessions := NewSessions(c.db)
	begin := func(hash, password string) {
		t.Helper()
		ctx := TrackSession(t.Context())
		BeginSession(ctx, Login{c.ada, Proof{Passwords: []string{password}}})
		if err := sessions.CommitCtx(ctx, hash, []byte("data"), time.Now().Add(time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	begin("another", "b")
	for n := range maxSessions + 2 {
		begin(fmt.Sprintf("%02d", n), "a")
	}
	var kept []string
	if err := c.db.Select(t.Context(), &kept, `SELECT hash FROM user_sessions ORDER BY hash`); err != nil {
		t.Fatal(err)
	}
	if len(kept) != maxSessions+1 || kept[0] != "02" || kept[maxSessions] != "another" {
		t.Errorf("sessions: got %v, want the newest %d and the one of another password", kept, maxSessions)
	}
}
