package webhooks

import (
	"errors"
	"strings"
	"testing"
	"time"
)

// The signatures are openssl's: printf '1778513521.{"id":"evt_1"}' | openssl dgst -sha256 -hmac SECRET
const (
	secret, oldSecret = "whsec_c2VjcmV0", "whsec_old"
	body              = `{"id":"evt_1"}`
	v1                = "v1=f13d870086b05b74d65effe590fba8584ecf44d395e1f68fd475008e2e34baa4"
	oldV1             = "v1=7e8aa1e1ad44f2cd0b07ce14fd51afe0d23428d3326f79cc2a4198181dcdea80"
	header            = "t=1778513521," + v1
)

func TestVerify(t *testing.T) {
	now := time.Unix(1778513521, 0)
	for _, c := range []struct {
		name, secret, header, body string
		now                        time.Time
		want                       error
	}{
		{"good", secret, header, body, now, nil},
		{"the first of two while the secret is rotated", secret, header + "," + oldV1, body, now, nil},
		{"the second of two", oldSecret, header + "," + oldV1, body, now, nil},
		{"after a signature of a kind yet to come", secret, "t=1778513521,v2=xyz, " + v1, body, now, nil},
		{"as old as may be", secret, header, body, now.Add(Tolerance), nil},
		{"too old", secret, header, body, now.Add(Tolerance + time.Second), ErrTooOld},
		{"as new as may be", secret, header, body, now.Add(-Tolerance), nil},
		{"too new", secret, header, body, now.Add(-Tolerance - time.Second), ErrTooNew},
		{"another secret", "whsec_other", header, body, now, ErrMismatch},
		{"no secret", "", header, body, now, ErrNoSecret},
		{"no secret, and signed with none", "", sign("", now, []byte(body)), body, now, ErrNoSecret},
		{"another body", secret, header, body + " ", now, ErrMismatch},
		{"another time", secret, "t=1778513522," + v1, body, now, ErrMismatch},
		{"cut off", secret, header[:len(header)-2], body, now, ErrMismatch},
		{"no hex", secret, "t=1778513521,v1=xyz", body, now, ErrMismatch},
		{"an empty signature", secret, "t=1778513521,v1=", body, now, ErrMismatch},
		{"no signature", secret, "t=1778513521", body, now, ErrMalformed},
		{"no time", secret, v1, body, now, ErrMalformed},
		{"a time that is no number", secret, "t=now," + v1, body, now, ErrMalformed},
		{"a negative time", secret, "t=-1," + v1, body, now, ErrMalformed},
		{"a time beyond all", secret, "t=99999999999999999999," + v1, body, now, ErrMalformed},
		{"no header", secret, "", body, now, ErrMalformed},
	} {
		if err := VerifyAt(c.secret, c.header, []byte(c.body), c.now, Tolerance); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
}

func TestVerifyLooksAtTheClock(t *testing.T) {
	if err := Verify(secret, header, []byte(body)); !errors.Is(err, ErrTooOld) {
		t.Errorf("a signature of May 2026 gives %v, want ErrTooOld", err)
	}
	if err := Verify(secret, sign(secret, time.Now(), []byte(body)), []byte(body)); err != nil {
		t.Error(err)
	}
}

func TestToleranceIsTheCallers(t *testing.T) {
	at := time.Unix(1778513521, 0)
	if err := VerifyAt(secret, header, []byte(body), at.Add(time.Hour), 2*time.Hour); err != nil {
		t.Error(err)
	}
}

// TestEachByteCounts: no change of a single character of the body or of the signature is overlooked.
func TestEachByteCounts(t *testing.T) {
	at := time.Unix(1778513521, 0)
	for i := range body {
		changed := body[:i] + string(body[i]^1) + body[i+1:]
		if err := VerifyAt(secret, header, []byte(changed), at, Tolerance); !errors.Is(err, ErrMismatch) {
			t.Errorf("%s: %v", changed, err)
		}
	}
	for i := strings.Index(header, v1) + len("v1="); i < len(header); i++ {
		changed := header[:i] + string("0123456789abcdef"[(strings.IndexByte("0123456789abcdef", header[i])+1)%16]) + header[i+1:]
		if err := VerifyAt(secret, changed, []byte(body), at, Tolerance); !errors.Is(err, ErrMismatch) {
			t.Errorf("%s: %v", changed, err)
		}
	}
}
