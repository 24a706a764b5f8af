package webhooks

import (
	"bytes"
	"errors"
	"os/exec"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestSign_MatchesOpenSSL(t *testing.T) {
	t.Parallel()
	openssl, err := exec.LookPath("openssl")
	if err != nil {
		t.Fatal("the test needs openssl as an independent implementation: ", err)
	}
	const secret, body = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", `{"id":"evt_1","title":"Pokémon"}`
	cmd := exec.Command(openssl, "dgst", "-sha256", "-hmac", secret, "-r")
	cmd.Stdin = strings.NewReader("1767225600." + body)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	want := "t=1767225600,v1=" + string(bytes.Fields(out)[0])
	if got := Sign(secret, time.Unix(1767225600, 999), []byte(body)); got != want {
		t.Fatalf("Sign = %s, openssl returns %s", got, want)
	}
}

func TestVerify(t *testing.T) {
	t.Parallel()
	now := time.Unix(1767225600, 0)
	body := []byte(`{"id":"evt_1"}`)
	good := Sign("whsec_new", now, body)
	_, v1, _ := strings.Cut(good, ",")
	for _, c := range []struct {
		name, secret, header string
		body                 []byte
		now                  time.Time
		want                 error
	}{
		{"valid", "whsec_new", good, body, now, nil},
		{"end of the window", "whsec_new", good, body, now.Add(ReplayWindow), nil},
		{"too old", "whsec_new", good, body, now.Add(ReplayWindow + time.Second), ErrSignatureExpired},
		{"second of two", "whsec_new", Sign("whsec_old", now, body) + "," + v1, body, now, nil},
		{"other secret", "whsec_old", good, body, now, ErrSignatureWrong},
		{"other body", "whsec_new", good, []byte(`{"id":"evt_2"}`), now, ErrSignatureWrong},
		{"other time", "whsec_new", "t=1767225601," + v1, body, now, ErrSignatureWrong},
		{"truncated", "whsec_new", good[:len(good)-2], body, now, ErrSignatureWrong},
		{"not hex", "whsec_new", "t=1767225600,v1=zz", body, now, ErrSignatureWrong},
		{"no signature", "whsec_new", "t=1767225600", body, now, ErrSignatureMalformed},
		{"no time", "whsec_new", v1, body, now, ErrSignatureMalformed},
		{"empty", "whsec_new", "", body, now, ErrSignatureMalformed},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := Verify(c.secret, c.header, c.body, c.now); !errors.Is(err, c.want) {
				t.Errorf("Verify = %v, want %v", err, c.want)
			}
		})
	}
}

func TestVerify_RejectsModifiedBody(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		secret := rapid.StringN(1, 40, 80).Draw(t, "secret")
		body := rapid.SliceOfN(rapid.Byte(), 1, 200).Draw(t, "body")
		at := time.Unix(rapid.Int64Range(0, 1<<33).Draw(t, "t"), 0)
		header := Sign(secret, at, body)
		if err := Verify(secret, header, body, at); err != nil {
			t.Fatal(err)
		}
		body[rapid.IntRange(0, len(body)-1).Draw(t, "at")] ^= 1
		if err := Verify(secret, header, body, at); !errors.Is(err, ErrSignatureWrong) {
			t.Fatalf("modified body: %v", err)
		}
	})
}
