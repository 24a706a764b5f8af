package api

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// ClientAddress returns the address of the client: the last hop that is not a trusted proxy. It is the zero address for
// clients without an IP address (Unix sockets).
func ClientAddress(r *http.Request, proxies []netip.Prefix) netip.Addr {
	trusted := func(address netip.Addr) bool {
		return slices.ContainsFunc(proxies, func(p netip.Prefix) bool { return p.Contains(address) })
	}
	peer, _ := netip.ParseAddrPort(r.RemoteAddr)
	address := peer.Addr().Unmap()
	if !trusted(address) {
		return address
	}
	hops := strings.Split(strings.Join(r.Header["X-Forwarded-For"], ","), ",")
	for _, text := range slices.Backward(hops) {
		hop, err := netip.ParseAddr(strings.TrimSpace(text))
		if err != nil {
			return address // not written by a proxy, so the rest cannot be trusted either
		}
		if address = hop.Unmap(); !trusted(address) {
			return address
		}
	}
	return address
}
