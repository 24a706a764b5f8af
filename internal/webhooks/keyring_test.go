package webhooks

import (
	"bytes"
	"regexp"
	"testing"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func testKey(b byte) []byte { return bytes.Repeat([]byte{b}, keyLen) }

func mustKeyring(t testing.TB, keys ...[]byte) *Keyring {
	t.Helper()
	ring, err := NewKeyring(keys...)
	if err != nil {
		t.Fatal(err)
	}
	return ring
}

func TestKeyring_DecryptsWithOlderKey(t *testing.T) {
	t.Parallel()
	owner := EndpointKey{"acc_a", "whe_a"}
	old := mustKeyring(t, testKey(1)).encrypt("whsec_x", owner)
	both := mustKeyring(t, testKey(2), testKey(1))
	if got, err := both.Decrypt(old, owner); err != nil || string(got) != "whsec_x" {
		t.Fatalf("decrypt = %q, %v", got, err)
	}
	if fresh := both.encrypt("whsec_x", owner); fresh.KeyID == old.KeyID ||
		bytes.Contains(fresh.Data, []byte("whsec")) {
		t.Fatalf("encrypted with %s: %q", fresh.KeyID, fresh.Data)
	}
	if _, err := mustKeyring(t, testKey(2)).Decrypt(old, owner); err == nil {
		t.Fatal("decrypted without its key")
	}
}

func TestKeyring_RejectsMovedOrModifiedSecret(t *testing.T) {
	t.Parallel()
	ring := mustKeyring(t, testKey(1))
	owner := EndpointKey{"acc_a", "whe_a"}
	for name, other := range map[string]EndpointKey{"account": {"acc_b", "whe_a"}, "endpoint": {"acc_a", "whe_b"}} {
		t.Run("another "+name, func(t *testing.T) {
			if _, err := ring.Decrypt(ring.encrypt("whsec_x", owner), other); err == nil {
				t.Error("decrypted, want an error")
			}
		})
	}
	changed := ring.encrypt("whsec_x", owner)
	changed.Data[len(changed.Data)-1] ^= 1
	if _, err := ring.Decrypt(changed, owner); err == nil {
		t.Error("decrypted a modified secret")
	}
	if _, err := ring.Decrypt(EncryptedSecret{changed.KeyID, []byte("short")}, owner); err == nil {
		t.Error("decrypted a truncated secret")
	}
}

func TestNewKeyring_RejectsInvalidKeys(t *testing.T) {
	t.Parallel()
	for name, keys := range map[string][][]byte{"none": nil, "short": {testKey(1)[:16]},
		"second short": {testKey(1), nil}} {
		t.Run(name, func(t *testing.T) {
			if _, err := NewKeyring(keys...); err == nil {
				t.Error("no error")
			}
		})
	}
}

func TestNewSecret(t *testing.T) {
	t.Parallel()
	a, b := newSecret(), newSecret()
	if form := regexp.MustCompile(`^whsec_[A-Za-z0-9_-]{43}$`); !form.MatchString(a) || a == b {
		t.Fatalf("%q, %q", a, b)
	}
}
