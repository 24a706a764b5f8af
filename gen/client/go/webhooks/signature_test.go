package webhooks

import (
	"errors"
	"strings"
	"testing"
	"time"
)

// The signatures were computed by openssl: printf '1778513521.{"id":"evt_1"}' | openssl dgst -sha256 -hmac SECRET
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
		{"valid", secret, header, body, now, nil},
		{"first of two secrets", secret, header + "," + oldV1, body, now, nil},
		{"second of two secrets", oldSecret, header + "," + oldV1, body, now, nil},
		{"after a signature of an unknown kind", secret, "t=1778513521,v2=xyz, " + v1, body, now, nil},
		{"maximum age", secret, header, body, now.Add(Tolerance), nil},
		{"too old", secret, header, body, now.Add(Tolerance + time.Second), ErrTooOld},
		{"maximum time in the future", secret, header, body, now.Add(-Tolerance), nil},
		{"too new", secret, header, body, now.Add(-Tolerance - time.Second), ErrTooNew},
		{"another secret", "whsec_other", header, body, now, ErrMismatch},
		{"no secret", "", header, body, now, ErrNoSecret},
		{"signed with an empty secret", "", sign("", now, []byte(body)), body, now, ErrNoSecret},
		{"another body", secret, header, body + " ", now, ErrMismatch},
		{"another time", secret, "t=1778513522," + v1, body, now, ErrMismatch},
		{"truncated", secret, header[:len(header)-2], body, now, ErrMismatch},
		{"not hexadecimal", secret, "t=1778513521,v1=xyz", body, now, ErrMismatch},
		{"empty signature", secret, "t=1778513521,v1=", body, now, ErrMismatch},
		{"no signature", secret, "t=1778513521", body, now, ErrMalformed},
		{"no time", secret, v1, body, now, ErrMalformed},
		{"time is not a number", secret, "t=now," + v1, body, now, ErrMalformed},
		{"negative time", secret, "t=-1," + v1, body, now, ErrMalformed},
		{"time out of range", secret, "t=99999999999999999999," + v1, body, now, ErrMalformed},
		{"no header", secret, "", body, now, ErrMalformed},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := VerifyAt(c.secret, c.header, []byte(c.body), c.now, Tolerance)
			if !errors.Is(err, c.want) {
				t.Errorf("VerifyAt = %v, want %v", err, c.want)
			}
		})
	}
}

func TestVerify_Clock(t *testing.T) {
	if err := Verify(secret, header, []byte(body)); !errors.Is(err, ErrTooOld) {
		t.Errorf("a signature of May 2026: got %v, want ErrTooOld", err)
	}
	if err := Verify(secret, sign(secret, time.Now(), []byte(body)), []byte(body)); err != nil {
		t.Error(err)
	}
}

func TestVerifyAt_Tolerance(t *testing.T) {
	at := time.Unix(1778513521, 0)
	if err := VerifyAt(secret, header, []byte(body), at.Add(time.Hour), 2*time.Hour); err != nil {
		t.Error(err)
	}
}

// A change of any single character of the body or of the signature is detected.
func TestVerifyAt_EveryByte(t *testing.T) {
	at := time.Unix(1778513521, 0)
	for i := range body {
		changed := body[:i] + string(body[i]^1) + body[i+1:]
		if err := VerifyAt(secret, header, []byte(changed), at, Tolerance); !errors.Is(err, ErrMismatch) {
			t.Errorf("%s: got %v, want ErrMismatch", changed, err)
		}
	}
	const digits = "0123456789abcdef"
	for i := strings.Index(header, v1) + len("v1="); i < len(header); i++ {
		next := digits[(strings.IndexByte(digits, header[i])+1)%len(digits)]
		changed := header[:i] + string(next) + header[i+1:]
		if err := VerifyAt(secret, changed, []byte(body), at, Tolerance); !errors.Is(err, ErrMismatch) {
			t.Errorf("%s: got %v, want ErrMismatch", changed, err)
		}
	}
}
