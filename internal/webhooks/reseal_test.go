package webhooks

import (
	"strings"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/clock"
)

// with returns the endpoints' service as a process with these keys has it.
func (h *house) with(keys *Keyring) *Endpoints {
	return NewEndpoints(h.db, h.clock, devGuard(), keys, h.outbox)
}

// A key is replaced: first it opens beside the new one, then everything is resealed, then it is gone
// and deliveries are signed as before, by both secrets of an endpoint that is being rotated.
func TestResealReplacesTheKey(t *testing.T) {
	t.Parallel()
	h := newHouse(t, clock.System)
	ctx := t.Context()
	s := h.sink(nil)
	old, next := h.keys, mustKeyring(t, testKey(9))
	both := mustKeyring(t, testKey(9), testKey(7))
	e, first := h.register(s.URL)
	second, err := h.with(old).RotateSecret(ctx, h.account, e.ID, time.Hour)
	must(t, err)
	h.register(s.URL)
	spent, _ := h.register(s.URL)
	_, err = h.with(old).RotateSecret(ctx, h.account, spent.ID, 0)
	must(t, err)
	deleted, _ := h.register(s.URL)
	must(t, h.endpoints.Delete(ctx, h.account, deleted.ID))
	fresh, _, err := h.with(both).Register(ctx, h.account, s.URL, nil)
	must(t, err)

	for _, want := range []Resealed{{Resealed: 3, Current: 1}, {Current: 4}} {
		if got, err := h.with(both).Reseal(ctx); err != nil || got != want {
			t.Fatalf("Reseal = %+v, %v, want %+v", got, err, want)
		}
	}
	if n := h.count(`SELECT count(*) FROM webhook_endpoints WHERE deleted_at IS NULL AND (secret_key_id <> $1 OR previous_key_id <> $1)`, next.current); n != 0 {
		t.Errorf("%d are under another key", n)
	}
	if got, err := h.endpoints.Get(ctx, h.account, spent.ID); err != nil || got.PreviousSecretExpiresAt != nil {
		t.Errorf("a secret whose grace is over was kept: %+v, %v", got, err)
	}
	for _, other := range []string{spent.ID, fresh.ID} {
		must(t, h.endpoints.Disable(ctx, h.account, other))
	}
	h.engine(Config{Keys: next})
	h.record(1)
	for range 2 {
		got := s.next(t)
		header := got.header.Get(Header)
		if strings.Count(header, "v1=") == 1 {
			continue // of the endpoint that was not rotated
		}
		for _, secret := range []string{first, second} {
			must(t, Verify(secret, header, []byte(got.body), time.Now()))
		}
		return
	}
	t.Error("no delivery was signed by both secrets")
}

func TestResealTellsOfWhatItCannotOpen(t *testing.T) {
	t.Parallel()
	h := newHouse(t, clock.System)
	lost, _ := h.register("http://127.0.0.1:9999/")
	kept, _, err := h.with(mustKeyring(t, testKey(8))).Register(t.Context(), h.account, "http://127.0.0.1:9999/", nil)
	must(t, err)
	got, err := h.with(mustKeyring(t, testKey(9), testKey(8))).Reseal(t.Context())
	if err == nil || !strings.Contains(err.Error(), lost.ID) || strings.Contains(err.Error(), kept.ID) || got.Resealed != 1 {
		t.Errorf("Reseal = %+v, %v", got, err)
	}
}

// A secret whose grace is over may be under a key that is gone: the endpoint goes on without it.
func TestAnExpiredSecretNeedsNoKey(t *testing.T) {
	t.Parallel()
	h := newHouse(t, clock.System)
	s := h.sink(nil)
	e, _ := h.register(s.URL)
	secret, err := h.with(mustKeyring(t, testKey(9), testKey(7))).RotateSecret(t.Context(), h.account, e.ID, 0)
	must(t, err)
	h.engine(Config{Keys: mustKeyring(t, testKey(9))})
	h.record(1)
	got := s.next(t)
	must(t, Verify(secret, got.header.Get(Header), []byte(got.body), time.Now()))
}
