package users

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

func TestService_SessionsEnd(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*club) error{
		"log-out everywhere": func(c *club) error {
			return c.LogOutEverywhere(t.Context(), c.loggedIn(t, ada, password))
		},
		"disabled": func(c *club) error {
			_, err := c.Disable(t.Context(), c.ada.ID)
			return err
		},
		"new password": func(c *club) error {
			secret, err := c.NewLink(t.Context(), c.ada.ID)
			if err != nil {
				return err
			}
			_, err = c.SetPassword(t.Context(), secret, "another password")
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := setup(t)
			if err := end(c); err != nil {
				t.Fatal(err)
			}
			user, err := c.Get(t.Context(), c.ada.ID)
			if err != nil || user.Generation <= c.ada.Generation {
				t.Errorf("generation: got %d, %v, want more than %d", user.Generation, err, c.ada.Generation)
			}
		})
	}
}

func TestSessions(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	s := NewSessions(db)
	commitIn := func(ctx context.Context, hash, data string, lifetime time.Duration) {
		t.Helper()
		if err := s.CommitCtx(ctx, hash, []byte(data), time.Now().Add(lifetime)); err != nil {
			t.Fatal(err)
		}
	}
	commit := func(hash, data string, lifetime time.Duration) {
		t.Helper()
		commitIn(t.Context(), hash, data, lifetime)
	}
	load := func(hash string) context.Context {
		t.Helper()
		ctx := TrackSession(t.Context())
		if _, _, err := s.FindCtx(ctx, hash); err != nil {
			t.Fatal(err)
		}
		return ctx
	}
	want := func(hash, data string) {
		t.Helper()
		got, found, err := s.FindCtx(t.Context(), hash)
		if err != nil || string(got) != data || found != (data != "") {
			t.Errorf("FindCtx(%q) = %q, %v, %v, want %q", hash, got, found, err, data)
		}
	}
	commit("a", "1", time.Hour)
	inProgress := load("a")
	commitIn(inProgress, "a", "2", time.Hour)
	commit("b", "3", time.Hour)
	commit("old", "4", -time.Minute)
	want("a", "2")
	want("b", "3")
	want("old", "")
	if err := s.DeleteCtx(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	want("a", "")
	commitIn(inProgress, "a", "5", time.Hour)
	want("a", "")                                // a request in progress does not bring the session back
	commitIn(inProgress, "c", "6", -time.Minute) // a new token, as after a log-in
	if _, err := NewSweeper(db).Work(t.Context()); err != nil {
		t.Fatal(err)
	}
	var left []string
	if err := db.Select(t.Context(), &left, `SELECT hash FROM user_sessions`); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"b"}, left); diff != "" {
		t.Errorf("sessions after a sweep (-want +got):\n%s", diff)
	}
}
