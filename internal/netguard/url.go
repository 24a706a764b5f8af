package netguard

import (
	"context"
	"fmt"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
)

// MaxURLLength is the maximum length of a URL, in bytes. RFC 9110 recommends 8000, but browsers and proxies only agree
// on about 2000.
const MaxURLLength = 2048

// firstUserPort is the lowest port that needs no privileges (RFC 6335 section 6). Below it only the ports of web
// servers are allowed, because other services there, such as mail, SSH or DNS, are not webhook receivers.
const firstUserPort = 1024

// privateNames are domains that are never public: RFC 6761 section 6.3 (localhost), RFC 6762 (local), RFC 8375
// (home.arpa) and ICANN resolution 2024.07.29.06 (internal).
var privateNames = []string{"localhost", "local", "home.arpa", "internal"}

// CheckURL parses an absolute URL and makes all checks that need no network: scheme, host, port, IP addresses, and that
// it has no credentials. The error is a *ForbiddenError.
func (g *Guard) CheckURL(raw string) (*url.URL, error) {
	if len(raw) > MaxURLLength {
		return nil, forbidden("must be at most 2048 characters long")
	}
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" {
		return nil, forbidden("must be a whole URL, such as https://example.com/path")
	}
	if err := g.check(u); err != nil {
		return nil, err
	}
	return u, nil
}

// CheckHost resolves host, a name or an address without a port. The error wraps ErrForbidden if any of its addresses is
// forbidden, and a *net.DNSError if the name could not be resolved.
//
// It reports errors early, when a URL is registered. The clients check again when they connect.
func (g *Guard) CheckHost(ctx context.Context, host string) error {
	if err := g.checkHostname(host); err != nil {
		return err
	}
	addrs, err := g.resolver.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return fmt.Errorf("check host: %w", err)
	}
	for _, addr := range addrs {
		if err := g.CheckAddr(addr); err != nil {
			return err
		}
	}
	return nil
}

// check checks a URL for CheckURL and for every request, including redirected ones.
func (g *Guard) check(u *url.URL) error {
	switch {
	case u.Scheme != "https" && !(g.allowPrivate && u.Scheme == "http"):
		return forbidden("must begin with https://")
	case u.User != nil:
		return forbidden("must not contain a user name or password")
	}
	if err := g.checkPort(u.Port()); err != nil {
		return err
	}
	return g.checkHostname(u.Hostname())
}

func (g *Guard) checkPort(port string) error {
	if port == "" {
		return nil // the default port of the scheme
	}
	n, err := strconv.ParseUint(port, 10, 16)
	switch {
	case err != nil:
		return forbidden("has a port that does not exist")
	case n == 443 || n >= firstUserPort || g.allowPrivate && n == 80:
		return nil
	}
	return forbidden("must use port 443 or a port from 1024 up")
}

func (g *Guard) checkHostname(host string) error {
	if addr, err := netip.ParseAddr(host); err == nil {
		return g.CheckAddr(addr)
	}
	name := strings.ToLower(strings.TrimSuffix(host, "."))
	if !isDomainName(name) {
		return forbidden("must have a host name of letters, digits and hyphens")
	}
	if endsInNumber(name) {
		return forbidden("must write an IP address in its usual form, such as 203.0.114.7")
	}
	if g.allowPrivate {
		return nil
	}
	if !strings.Contains(name, ".") {
		return errNotPublic
	}
	for _, suffix := range privateNames {
		if strings.HasSuffix(name, "."+suffix) {
			return errNotPublic
		}
	}
	return nil
}

// isDomainName checks lengths and characters as in RFC 1035 section 2.3.4, but allows underscores, which occur in
// practice.
func isDomainName(name string) bool {
	if len(name) > 253 {
		return false
	}
	for label := range strings.SplitSeq(name, ".") {
		if label == "" || len(label) > 63 {
			return false
		}
		for i := range len(label) {
			c := label[i]
			if !(c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-' || c == '_') {
				return false
			}
		}
	}
	return true
}

// endsInNumber reports whether some resolvers parse the name as an IPv4 address: 127.1, 0177.0.0.1, 0x7f000001,
// 2130706433 (URL standard, "ends in a number checker").
func endsInNumber(name string) bool {
	last := name[strings.LastIndexByte(name, '.')+1:]
	if strings.HasPrefix(last, "0x") {
		return strings.Trim(last[2:], "0123456789abcdef") == ""
	}
	return strings.Trim(last, "0123456789") == ""
}
