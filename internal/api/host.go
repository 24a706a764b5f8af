package api

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// RequireHost passes requests to next whose Host is an IP address, localhost or one of names. It responds to others
// with 421. A web page whose name leads to this machine (DNS rebinding) can therefore not read the port's responses,
// because its requests have its name as Host. setting is the variable that extends names.
func RequireHost(setting string, names []string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !isOwnHost(r.Host, names) {
			http.Error(w, "This port is not served under this name. Use an IP address or localhost, or add the name "+
				"to "+setting+".", http.StatusMisdirectedRequest)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// isOwnHost reports whether a Host header can come from an operator. Browsers always send one.
func isOwnHost(header string, names []string) bool {
	host := header
	if name, _, err := net.SplitHostPort(header); err == nil {
		host = name
	}
	host = strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
	if host == "" || host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	if _, err := netip.ParseAddr(host); err == nil {
		return true
	}
	return slices.ContainsFunc(names, func(name string) bool { return strings.EqualFold(name, host) })
}
