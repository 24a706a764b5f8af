package api

import (
	"net/http"
	"net/netip"
	"strings"
)

// clientAddress returns the address that a request came from: the nearest one that is not a
// trusted proxy's. The zero address stands for clients that have none (a Unix socket).
func (e *edge) clientAddress(r *http.Request) netip.Addr {
	peer, _ := netip.ParseAddrPort(r.RemoteAddr)
	address := peer.Addr().Unmap()
	if !e.trusted(address) {
		return address
	}
	hops := strings.Split(strings.Join(r.Header["X-Forwarded-For"], ","), ",")
	for i := len(hops) - 1; i >= 0; i-- {
		hop, err := netip.ParseAddr(strings.TrimSpace(hops[i]))
		if err != nil {
			return address // what a proxy did not write is worth nothing
		}
		if address = hop.Unmap(); !e.trusted(address) {
			return address
		}
	}
	return address
}

func (e *edge) trusted(address netip.Addr) bool {
	for _, proxy := range e.proxies {
		if proxy.Contains(address) {
			return true
		}
	}
	return false
}
