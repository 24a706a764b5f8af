package netguard

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

func TestCanonical(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		"https://shop.münchen.example/hook":      "https://shop.xn--mnchen-3ya.example/hook",
		"https://shop.m%C3%BCnchen.example/hook": "https://shop.xn--mnchen-3ya.example/hook",
		"https://MÜNCHEN.example:8443/a?b=c#d":   "https://xn--mnchen-3ya.example:8443/a?b=c#d",
		"https://例え。テスト/フック":                     "https://xn--r8jz45g.xn--zckzah/フック",
		"HTTPS://shop.example/Hook":              "https://shop.example/Hook",
		" \u00a0https://shop.example/hook\n":     "https://shop.example/hook",
		"\ufeffhttps://shop.example":             "https://shop.example",
		"https://user@shop.example/a@b":          "https://user@shop.example/a@b",
		"https://[2001:db8::1]:443/x":            "https://[2001:db8::1]:443/x",
		"https://under_score.example/":           "https://under_score.example/",
		"https://xn--mnchen-3ya.example":         "https://xn--mnchen-3ya.example",
		"shop.example/hook":                      "shop.example/hook",
		"":                                       "",
		"https://a\u200db.example/":              "https://a\u200db.example/",
	} {
		if got := Canonical(raw); got != want {
			t.Errorf("Canonical(%q) = %q, want %q", raw, got, want)
		}
	}
}

// certificate returns a certificate for a name, signed by its own key or by another one.
func certificate(t *testing.T, name string, until time.Time, by *tls.Certificate) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, NotBefore: until.Add(-48 * time.Hour),
		NotAfter: until, DNSNames: []string{name}, IPAddresses: []net.IP{}, BasicConstraintsValid: true,
		IsCA: by == nil, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	parent, signer := template, any(key)
	if by != nil {
		if parent, err = x509.ParseCertificate(by.Certificate[0]); err != nil {
			t.Fatal(err)
		}
		signer = by.PrivateKey
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, &key.PublicKey, signer)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

func TestTLSFault(t *testing.T) {
	t.Parallel()
	const host = "shop.example"
	valid, past := time.Now().Add(time.Hour), time.Now().Add(-time.Hour)
	authority := certificate(t, "authority.example", valid, nil)
	root, err := x509.ParseCertificate(authority.Certificate[0])
	if err != nil {
		t.Fatal(err)
	}
	known := x509.NewCertPool()
	known.AddCert(root)
	other := certificate(t, "other.example", valid, nil)
	with := func(c tls.Certificate) *tls.Config { return &tls.Config{Certificates: []tls.Certificate{c}} }
	for name, tc := range map[string]struct {
		config *tls.Config // nil for a server without TLS
		want   string
	}{
		"expired":    {with(certificate(t, host, past, &authority)), "has expired"},
		"future":     {with(certificate(t, host, valid.Add(72*time.Hour), &authority)), "not valid yet"},
		"other name": {with(certificate(t, "b.example", valid, &authority)), "another host name"},
		"self":       {with(certificate(t, host, valid, nil)), "self-signed"},
		"unknown":    {with(certificate(t, host, valid, &other)), "unknown authority"},
		"old": {&tls.Config{
			Certificates: []tls.Certificate{certificate(t, host, valid, &authority)}, MaxVersion: tls.VersionTLS11,
			MinVersion: tls.VersionTLS10,
		}, "TLS 1.2 or later"},
		"plain": {nil, "without TLS"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewUnstartedServer(http.NotFoundHandler())
			if tc.config == nil {
				server.Start()
			} else {
				server.TLS = tc.config
				server.StartTLS()
			}
			defer server.Close()
			conn, err := net.Dial("tcp", server.Listener.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			client := tls.Client(conn, &tls.Config{ServerName: host, RootCAs: known, MinVersion: tls.VersionTLS12})
			err = &handshakeError{client.HandshakeContext(t.Context())}
			if got := TLSFault(err); !strings.Contains(got, tc.want) || Classify(err) != ClassTLS {
				t.Errorf("TLSFault(%v) = %q, want it to contain %q", err, got, tc.want)
			}
		})
	}
}
