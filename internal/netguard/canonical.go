package netguard

import (
	"net/url"
	"strings"

	"golang.org/x/net/idna"

	"github.com/cardvault/cardvault/internal/blank"
)

// Canonical returns an address in the usual form of URLs: without the spaces around it, with its scheme in lower case,
// and with an international host name in punycode. It returns other texts without the spaces around them.
func Canonical(raw string) string {
	text := blank.Trim(raw)
	scheme, rest, ok := strings.Cut(text, "://")
	if !ok {
		return text
	}
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	user := strings.LastIndexByte(rest[:end], '@') + 1
	host, port := rest[user:end], ""
	if at := strings.LastIndexByte(host, ':'); at >= 0 && !strings.HasSuffix(host, "]") {
		host, port = host[:at], host[at:]
	}
	return strings.ToLower(scheme) + "://" + rest[:user] + punycode(host) + port + rest[end:]
}

// punycode returns an international host name in punycode, and any other as it is.
func punycode(host string) string {
	name, err := url.PathUnescape(host)
	if err != nil || isASCII(name) {
		return host
	}
	if ascii, err := idna.Lookup.ToASCII(name); err == nil {
		return ascii
	}
	return host
}

func isASCII(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r >= 0x80 })
}
