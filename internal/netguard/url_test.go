package netguard

import (
	"context"
	"errors"
	"net"
	"strings"
	"testing"
)

func TestGuard_CheckURL(t *testing.T) {
	t.Parallel()
	const public, dev, never = "public", "development", "never"
	cases := []struct{ url, want string }{
		{"https://example.com/hook", public}, {"HTTPS://Example.COM", public}, {"https://example.com:443/", public},
		{"https://example.com:8443/a?b=c", public}, {"https://example.com:/", public},
		{"https://example.com./", public},
		{"https://8.8.8.8/", public}, {"https://[2606:4700:4700::1111]:8443/", public},
		{"https://xn--bcher-kva.example.com/", public},
		{"https://a_b.example.com/", public}, {"https://1.example.com/", public}, {"https://3com.com/", public},

		{"http://example.com/", dev}, {"http://example.com:80/", dev}, {"http://127.0.0.1:9999/hook", dev},
		{"https://localhost:8443/", dev},
		{"http://[::1]:8080/", dev}, {"http://10.0.0.1/", dev}, {"https://[::ffff:127.0.0.1]/", dev},
		{"https://receiver/", dev},
		{"https://printer.local/", dev}, {"https://api.internal./", dev}, {"https://foo.localhost/", dev},
		{"https://nas.home.arpa/", dev},

		{"", never}, {"example.com", never}, {"/hook", never}, {"//example.com/", never}, {"https:example.com", never},
		{"https://", never},
		{"https:///hook", never}, {"https://:443/", never}, {"ftp://example.com/", never},
		{"file:///etc/passwd", never},
		{"gopher://example.com:70/", never}, {"javascript:alert(1)", never},
		{"https://user:secret@example.com/", never}, {"https://user@example.com/", never},
		{"https://example.com:22/", never}, {"https://example.com:25/", never}, {"https://example.com:0/", never},
		{"https://example.com:65536/", never},
		{"https://example.com:-1/", never}, {"https://example.com:443x/", never},
		{"https://0.0.0.0/", never}, {"https://169.254.169.254/latest", never}, {"https://[fe80::1%25eth0]/", never},
		{"https://[::]/", never},
		{"https://[64:ff9b::7f00:1]/", never}, {"https://[::127.0.0.1]/", never},
		{"https://2130706433/", never}, {"https://017700000001/", never}, {"https://0x7f000001/", never},
		{"https://0x7f.1/", never},
		{"https://127.1/", never}, {"https://0177.0.0.1/", never}, {"https://127.0.0.1./", never},
		{"https://127.0.0.0x1/", never}, {"https://1.2.3.4.5/", never},
		{"https://example.0x/", never}, {"https://exämple.com/", never}, {"https://１２７.０.０.１/", never},
		{"https://127。0。0。1/", never},
		{"https://exa mple.com/", never}, {"https://example..com/", never}, {"https://.example.com/", never},
		{"https://example.com\n/", never},
		{"https://" + strings.Repeat("a", 64) + ".com/", never},
		{"https://" + strings.Repeat("abcdefg.", 32) + "com/", never},
		{"https://example.com/" + strings.Repeat("a", MaxURLLength), never},
		{"https://example.com%2f@10.0.0.1/", never},
	}
	production, development := New(Config{}), New(Config{AllowPrivate: true})
	for _, c := range cases {
		t.Run(c.url, func(t *testing.T) {
			_, err := production.CheckURL(c.url)
			checkVerdict(t, "production", c.url, err, c.want == public)
			_, err = development.CheckURL(c.url)
			checkVerdict(t, "development", c.url, err, c.want != never)
		})
	}
}

func checkVerdict(t *testing.T, mode, url string, err error, allowed bool) {
	t.Helper()
	var reason *ForbiddenError
	switch {
	case allowed && err != nil:
		t.Errorf("%s: %q: %v", mode, url, err)
	case !allowed && (!errors.Is(err, ErrForbidden) || !errors.As(err, &reason) || reason.Reason == ""):
		t.Errorf("%s: %q is not refused with a reason: %v", mode, url, err)
	}
}

func TestGuard_CheckHost(t *testing.T) {
	t.Parallel()
	guard := New(Config{Resolver: fakeDNS(map[string][]string{
		"public.example.com.":  {"8.8.8.8"},
		"private.example.com.": {"10.0.0.1"},
		"mixed.example.com.":   {"8.8.8.8", "127.0.0.1"},
		"mapped.example.com.":  {"::ffff:127.0.0.1"},
	})})
	ctx := context.Background()
	if err := guard.CheckHost(ctx, "public.example.com"); err != nil {
		t.Errorf("public: %v", err)
	}
	for _, host := range []string{"private.example.com", "mixed.example.com", "mapped.example.com", "127.0.0.1",
		"localhost"} {
		t.Run(host, func(t *testing.T) {
			err := guard.CheckHost(ctx, host)
			if !errors.Is(err, ErrForbidden) || strings.Contains(err.Error(), "10.0.0.1") {
				t.Errorf("%v", err)
			}
		})
	}
	var notFound *net.DNSError
	if err := guard.CheckHost(ctx, "missing.example.com"); !errors.As(err, &notFound) || errors.Is(err, ErrForbidden) {
		t.Errorf("missing: %v", err)
	}
}

func BenchmarkCheckURL(b *testing.B) {
	guard := New(Config{})
	b.ReportAllocs()
	for b.Loop() {
		if _, err := guard.CheckURL("https://hooks.example.com:8443/cardvault/events?shop=42"); err != nil {
			b.Fatal(err)
		}
	}
}
