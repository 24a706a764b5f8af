package delivery

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/timestamp"
	"github.com/cardvault/cardvault/internal/webhooks"
)

// rotation is an endpoint with all secrets that it has had.
type rotation struct {
	*testEnv
	t        *testing.T
	sink     *sink
	endpoint string
	secrets  []string // newest first
	manual   *manualClock
}

func newRotation(t *testing.T) *rotation {
	manual := newManualClock()
	r := &rotation{testEnv: newTestEnv(t, manual.asClock()), t: t, manual: manual}
	r.sink = r.testEnv.sink(nil)
	e, secret := r.register(r.sink.URL)
	r.endpoint, r.secrets = e.ID, []string{secret}
	r.engine(Config{})
	return r
}

func (r *rotation) rotate(grace time.Duration) {
	r.t.Helper()
	secret, err := r.endpoints.RotateSecret(r.t.Context(), r.account, r.endpoint, grace)
	must(r.t, err)
	r.secrets = append([]string{secret}, r.secrets...)
}

// previous returns the previous secrets that still sign, newest first.
func (r *rotation) previous() []webhooks.PreviousSecret {
	r.t.Helper()
	e, err := r.endpoints.Get(r.t.Context(), r.account, r.endpoint)
	must(r.t, err)
	return e.SigningSecrets(r.clock.Time())
}

// wantSigners checks by which secrets a delivery is signed, as indexes of r.secrets, in the order of the header.
func (r *rotation) wantSigners(want ...int) {
	r.t.Helper()
	r.record(1)
	got := r.sink.next(r.t)
	header, _ := strings.CutPrefix(got.header.Get(webhooks.Header), "t=")
	stamp, _, _ := strings.Cut(header, ",")
	signers := []int{}
	for _, signature := range strings.Split(header, ",")[1:] {
		for i, secret := range r.secrets {
			if webhooks.Verify(secret, "t="+stamp+","+signature, []byte(got.body), r.clock.Time()) == nil {
				signers = append(signers, i)
			}
		}
	}
	if diff := cmp.Diff(want, signers); diff != "" {
		r.t.Errorf("signed by secrets (-want +got):\n%s", diff)
	}
}

// Up to four previous secrets sign, newest first.
func TestEndpoints_RotateSecretLimitsPreviousSecrets(t *testing.T) {
	t.Parallel()
	r := newRotation(t)
	for i := range webhooks.MaxPreviousSecrets {
		r.rotate(time.Duration(i+1) * time.Hour)
	}
	r.wantSigners(0, 1, 2, 3, 4)
	_, err := r.endpoints.RotateSecret(t.Context(), r.account, r.endpoint, time.Second)
	oldest := r.previous()[3]
	if !fault.Is(err, fault.SecretLimitReached) || !strings.Contains(err.Error(), timestamp.Format(oldest.ExpiresAt)) {
		t.Errorf("fifth rotation: %v, want the end of the oldest secret, %v", err, oldest)
	}
	r.rotate(0) // needs no room: the replaced secret ends at once
	r.wantSigners(0, 2, 3, 4, 5)
	r.manual.set(r.clock.Time().Add(time.Hour))
	r.wantSigners(0, 2, 3, 4)
	r.rotate(time.Hour)
	r.wantSigners(0, 1, 3, 4, 5)
}

func TestEndpoints_EndSecret(t *testing.T) {
	t.Parallel()
	r := newRotation(t)
	for range 3 {
		r.rotate(time.Hour)
	}
	r.wantSigners(0, 1, 2, 3)
	end := func(secret string) error { return r.endpoints.EndSecret(t.Context(), r.account, r.endpoint, secret) }
	must(t, end(strings.ToUpper(r.previous()[1].ID)))
	r.wantSigners(0, 1, 3)
	newest := r.previous()[0].ID
	must(t, end(newest))
	r.wantSigners(0, 3)
	for _, unknown := range []string{newest, id.New(id.Secret, time.Now()), r.endpoint, "x"} {
		if err := end(unknown); !fault.Is(err, fault.SecretNotFound) {
			t.Errorf("end secret %s: %v, want webhook_secret_not_found", unknown, err)
		}
	}
	last := r.previous()[0].ID
	r.manual.set(r.clock.Time().Add(time.Hour))
	if err := end(last); !fault.Is(err, fault.SecretNotFound) {
		t.Errorf("end a secret whose grace period is over: %v, want webhook_secret_not_found", err)
	}
	err := r.endpoints.EndSecret(t.Context(), r.account, id.New(id.Endpoint, time.Now()), last)
	if !fault.Is(err, fault.EndpointNotFound) {
		t.Errorf("end a secret of an unknown endpoint: %v, want webhook_not_found", err)
	}
}

// A process of the version before has one previous secret without an identifier, which a rotation replaces.
func TestEndpoints_SecretsOfVersionBefore(t *testing.T) {
	t.Parallel()
	r := newRotation(t)
	r.rotate(time.Hour)
	_, err := r.db.Exec(t.Context(), `UPDATE webhook_endpoints SET previous_secret_id = NULL WHERE account_id = $1`,
		r.account)
	must(t, err)
	first := r.previous()[0]
	if _, ok := id.Parse(id.Secret, first.ID); !ok {
		t.Errorf("a secret without an identifier has %q, want one", first.ID)
	}
	r.rotate(time.Hour)
	if got := r.previous()[1]; got != first {
		t.Errorf("after a rotation it is %v, want %v", got, first)
	}
	r.wantSigners(0, 1, 2)

	_, err = r.db.Exec(t.Context(), `
		UPDATE webhook_endpoints SET previous_secret = secret, previous_key_id = secret_key_id,
			updated_at = updated_at + interval '1 microsecond'
		WHERE account_id = $1`, r.account)
	must(t, err)
	r.outbox.Wake()
	eventually(t, "the engine sees the change", func() bool {
		r.record(1)
		return strings.Count(r.sink.next(t).header.Get(webhooks.Header), "v1=") == 3
	})
	must(t, r.endpoints.EndSecret(t.Context(), r.account, r.endpoint, first.ID))
	if got := r.previous(); len(got) != 1 {
		t.Errorf("%d previous secrets are left, want 1", len(got))
	}
}

// Each of the previous secrets is encrypted with the new key.
func TestEndpoints_ReencryptsPreviousSecrets(t *testing.T) {
	t.Parallel()
	env := newTestEnv(t, clock.System)
	e, _ := env.register("http://127.0.0.1:9999/")
	for range 3 {
		_, err := env.endpoints.RotateSecret(t.Context(), env.account, e.ID, time.Hour)
		must(t, err)
	}
	both := env.endpointsWithKeys(mustKeyring(t, testKey(9), testKey(7)))
	for _, want := range []webhooks.ReencryptResult{{Reencrypted: 1}, {Current: 1}} {
		if got, err := both.Reencrypt(t.Context()); err != nil || got != want {
			t.Fatalf("Reencrypt = %+v, %v, want %+v", got, err, want)
		}
	}
	target, err := loadTarget(t.Context(), env.db, mustKeyring(t, testKey(9)),
		webhooks.EndpointKey{Account: env.account, Endpoint: e.ID}, time.Now())
	if err != nil || len(target.keys(time.Now())) != 4 {
		t.Errorf("with the new key alone: %+v, %v, want four secrets", target, err)
	}
	must(t, env.endpoints.Delete(t.Context(), env.account, e.ID))
	if n := env.count(`SELECT count(*) FROM webhook_endpoints WHERE older_secrets <> '[]' OR secret <> ''`); n != 0 {
		t.Errorf("%d deleted endpoints keep a secret", n)
	}
}
