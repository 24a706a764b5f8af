package ebay

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
)

// keyServer has keys whose identifiers begin with "known".
type keyServer struct {
	signingKeys
	calls int
	down  bool
	clock time.Time
}

func newKeyServer(t *testing.T) *keyServer {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKIXPublicKey(&key.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	s := &keyServer{clock: time.Now()}
	s.now = func() time.Time { return s.clock }
	s.read = func(_ context.Context, keyID string) (*wire.PublicKey, error) {
		s.calls++
		switch {
		case s.down:
			return nil, errors.New("no answer")
		case strings.HasPrefix(keyID, "known"):
			return &wire.PublicKey{Key: base64.StdEncoding.EncodeToString(der)}, nil
		}
		return nil, nil
	}
	return s
}

func (s *keyServer) want(t *testing.T, keyID string, calls int, want error) {
	t.Helper()
	key, err := s.find(t.Context(), keyID)
	if want == nil && (err != nil || key == nil) || want != nil && !errors.Is(err, want) || s.calls != calls {
		t.Errorf("find(%.20q) = %v, %v after %d calls; want %v after %d", keyID, key, err, s.calls, want, calls)
	}
}

func TestSigningKeys_CachesKeys(t *testing.T) {
	t.Parallel()
	s := newKeyServer(t)
	s.want(t, "known", 1, nil)
	s.want(t, "unknown", 2, wire.ErrSignature)
	s.want(t, strings.Repeat("x", maxKeyID+1), 2, wire.ErrSignature)
	s.clock = s.clock.Add(unknownKeyLife - time.Second)
	s.want(t, "known", 2, nil)
	s.want(t, "unknown", 2, wire.ErrSignature)
	s.clock = s.clock.Add(2 * time.Second)
	s.want(t, "unknown", 3, wire.ErrSignature)
	s.clock = s.clock.Add(keyLife)
	s.want(t, "known", 4, nil)
}

// Invented identifiers neither make a call each nor displace the key that eBay uses.
func TestSigningKeys_BoundsCalls(t *testing.T) {
	t.Parallel()
	s := newKeyServer(t)
	s.want(t, "known", 1, nil)
	for i := range 10 * maxKeys {
		_, err := s.find(t.Context(), fmt.Sprint("invented", i))
		if !errors.Is(err, wire.ErrSignature) && !fault.Is(err, fault.Unavailable) {
			t.Fatal(err)
		}
	}
	if s.calls != keyCalls {
		t.Errorf("%d calls in a minute, want at most %d", s.calls, keyCalls)
	}
	for range 2 * maxKeys / keyCalls {
		s.clock = s.clock.Add(keyWindow)
		for range keyCalls {
			s.find(t.Context(), rand.Text())
		}
	}
	if calls := s.calls; len(s.cached) > maxKeys {
		t.Errorf("%d identifiers are cached, want at most %d", len(s.cached), maxKeys)
	} else {
		s.want(t, "known", calls, nil)
	}
}

func TestSigningKeys_KeepsNoFailure(t *testing.T) {
	t.Parallel()
	s := newKeyServer(t)
	s.down = true
	if _, err := s.find(t.Context(), "known"); !fault.Is(err, fault.Unavailable) {
		t.Errorf("while eBay does not answer: got %v, want unavailable", err)
	}
	s.down = false
	s.want(t, "known", 2, nil)
	s.reading.Lock()
	defer s.reading.Unlock()
	s.want(t, "known", 2, nil)
	if _, err := s.find(t.Context(), "known2"); !fault.Is(err, fault.Unavailable) {
		t.Errorf("while another key is read: got %v, want unavailable", err)
	}
}
