package delivery

import (
	"strings"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/keyring"
	"github.com/cardvault/cardvault/internal/webhooks"
)

// endpointsWithKeys returns the endpoint service with another keyring.
func (env *testEnv) endpointsWithKeys(keys *keyring.Keyring) *webhooks.Endpoints {
	return webhooks.NewEndpoints(env.db, env.clock, devGuard(), keys, env.outbox)
}

// A key is replaced: the old key first decrypts beside the new one, then all secrets are re-encrypted, then the old
// key is removed. Deliveries are still signed, by both secrets during a rotation.
func TestEndpoints_ReencryptReplacesKey(t *testing.T) {
	t.Parallel()
	env := newTestEnv(t, clock.System)
	ctx := t.Context()
	s := env.sink(nil)
	old, next := env.keys, mustKeyring(t, testKey(9))
	both := mustKeyring(t, testKey(9), testKey(7))
	e, first := env.register(s.URL)
	second, err := env.endpointsWithKeys(old).RotateSecret(ctx, env.account, e.ID, time.Hour)
	must(t, err)
	env.register(s.URL)
	spent, _ := env.register(s.URL)
	_, err = env.endpointsWithKeys(old).RotateSecret(ctx, env.account, spent.ID, time.Nanosecond)
	must(t, err)
	deleted, _ := env.register(s.URL)
	must(t, env.endpoints.Delete(ctx, env.account, deleted.ID))
	fresh, _, err := env.endpointsWithKeys(both).Register(ctx, env.account, s.URL, nil)
	must(t, err)

	for _, want := range []webhooks.ReencryptResult{{Reencrypted: 3, Current: 1}, {Current: 4}} {
		if got, err := env.endpointsWithKeys(both).Reencrypt(ctx); err != nil || got != want {
			t.Fatalf("Reencrypt = %+v, %v, want %+v", got, err, want)
		}
	}
	if n := env.count(`SELECT count(*) FROM webhook_endpoints WHERE deleted_at IS NULL
	  AND (secret_key_id <> (SELECT secret_key_id FROM webhook_endpoints WHERE id = $1)
	    OR previous_key_id <> (SELECT secret_key_id FROM webhook_endpoints WHERE id = $1))`, fresh.ID); n != 0 {
		t.Errorf("%d are under another key", n)
	}
	if got, err := env.endpoints.Get(ctx, env.account, spent.ID); err != nil || got.PreviousSecretExpiresAt != nil {
		t.Errorf("a secret whose grace is over was kept: %+v, %v", got, err)
	}
	for _, other := range []string{spent.ID, fresh.ID} {
		must(t, env.endpoints.Disable(ctx, env.account, other))
	}
	env.engine(Config{Keys: next})
	env.record(1)
	for range 2 {
		got := s.next(t)
		header := got.header.Get(webhooks.Header)
		if strings.Count(header, "v1=") == 1 {
			continue // the endpoint without a rotation
		}
		for _, secret := range []string{first, second} {
			must(t, webhooks.Verify(secret, header, []byte(got.body), time.Now()))
		}
		return
	}
	t.Error("no delivery was signed by both secrets")
}

func TestEndpoints_ReencryptReportsUnknownKeys(t *testing.T) {
	t.Parallel()
	env := newTestEnv(t, clock.System)
	lost, _ := env.register("http://127.0.0.1:9999/")
	kept, _, err := env.endpointsWithKeys(mustKeyring(t, testKey(8))).Register(t.Context(), env.account,
		"http://127.0.0.1:9999/", nil)
	must(t, err)
	got, err := env.endpointsWithKeys(mustKeyring(t, testKey(9), testKey(8))).Reencrypt(t.Context())
	if err == nil || !strings.Contains(err.Error(), lost.ID) || strings.Contains(err.Error(), kept.ID) ||
		got.Reencrypted != 1 {
		t.Errorf("Reencrypt = %+v, %v", got, err)
	}
}

// An expired secret is not decrypted, because its key may have been removed.
func TestEngine_IgnoresExpiredSecret(t *testing.T) {
	t.Parallel()
	env := newTestEnv(t, clock.System)
	s := env.sink(nil)
	e, _ := env.register(s.URL)
	secret, err := env.endpointsWithKeys(mustKeyring(t, testKey(9), testKey(7))).RotateSecret(t.Context(),
		env.account, e.ID, time.Nanosecond)
	must(t, err)
	env.engine(Config{Keys: mustKeyring(t, testKey(9))})
	env.record(1)
	got := s.next(t)
	must(t, webhooks.Verify(secret, got.header.Get(webhooks.Header), []byte(got.body), time.Now()))
}
