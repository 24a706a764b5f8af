package keyring

import (
	"bytes"
	"testing"
)

func testKey(b byte) []byte { return bytes.Repeat([]byte{b}, KeySize) }

func mustKeyring(t testing.TB, keys ...[]byte) *Keyring {
	t.Helper()
	ring, err := New(keys...)
	if err != nil {
		t.Fatal(err)
	}
	return ring
}

func TestKeyring_DecryptsWithOlderKey(t *testing.T) {
	t.Parallel()
	owner := Owner{"acc_a", "whe_a"}
	old := mustKeyring(t, testKey(1)).Encrypt("whsec_x", owner)
	both := mustKeyring(t, testKey(2), testKey(1))
	if got, err := both.Decrypt(old, owner); err != nil || string(got) != "whsec_x" {
		t.Fatalf("decrypt = %q, %v", got, err)
	}
	if fresh := both.Encrypt("whsec_x", owner); fresh.KeyID == old.KeyID ||
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
	owner := Owner{"acc_a", "whe_a"}
	for name, other := range map[string]Owner{"account": {"acc_b", "whe_a"}, "endpoint": {"acc_a", "whe_b"},
		"joined": {"acc_awhe_a"}, "none": nil} {
		t.Run("another "+name, func(t *testing.T) {
			if _, err := ring.Decrypt(ring.Encrypt("whsec_x", owner), other); err == nil {
				t.Error("decrypted, want an error")
			}
		})
	}
	changed := ring.Encrypt("whsec_x", owner)
	changed.Data[len(changed.Data)-1] ^= 1
	if _, err := ring.Decrypt(changed, owner); err == nil {
		t.Error("decrypted a modified secret")
	}
	if _, err := ring.Decrypt(Sealed{changed.KeyID, []byte("short")}, owner); err == nil {
		t.Error("decrypted a truncated secret")
	}
}

func TestNew_RejectsInvalidKeys(t *testing.T) {
	t.Parallel()
	for name, keys := range map[string][][]byte{"none": nil, "short": {testKey(1)[:16]},
		"second short": {testKey(1), nil}} {
		t.Run(name, func(t *testing.T) {
			if _, err := New(keys...); err == nil {
				t.Error("no error")
			}
		})
	}
}

func TestKeyring_Reencrypt(t *testing.T) {
	t.Parallel()
	owner := Owner{"acc_a", "whe_a"}
	old := mustKeyring(t, testKey(1)).Encrypt("whsec_x", owner)
	both := mustKeyring(t, testKey(2), testKey(1))
	fresh, err := both.Reencrypt(old, owner)
	if err != nil || !both.Current(fresh) || both.Current(old) {
		t.Fatalf("encrypted again with key %s of %v, %v", fresh.KeyID, both.ciphers, err)
	}
	if got, err := mustKeyring(t, testKey(2)).Decrypt(fresh, owner); err != nil || string(got) != "whsec_x" {
		t.Errorf("Decrypt = %q, %v", got, err)
	}
	again, err := both.Reencrypt(fresh, owner)
	if err != nil || !bytes.Equal(again.Data, fresh.Data) {
		t.Errorf("a secret of the current key was changed: %v", err)
	}
	if _, err := mustKeyring(t, testKey(3)).Reencrypt(old, owner); err == nil {
		t.Error("encrypted again without the old key")
	}
}

// Stored secrets have the identifier of their key, so it must never change.
func TestKeyring_KeyID(t *testing.T) {
	t.Parallel()
	if got, want := mustKeyring(t, testKey(1)).current, "3a1af63ae04f8015"; got != want {
		t.Errorf("key id: got %s, want %s", got, want)
	}
}
