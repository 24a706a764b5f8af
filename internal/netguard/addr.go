package netguard

import "net/netip"

// private are the networks that Config.AllowPrivate allows.
var private = prefixes(
	"10.0.0.0/8",     // private use, RFC 1918
	"172.16.0.0/12",  // private use, RFC 1918
	"192.168.0.0/16", // private use, RFC 1918
	"127.0.0.0/8",    // loopback, RFC 1122
	"::1/128",        // loopback, RFC 4291
	"fc00::/7",       // unique local, RFC 4193
)

// metadata are the addresses in private networks at which clouds serve the credentials of a machine. They are always
// refused: AllowPrivate is for webhook receivers and photos on a developer's network, and may be set on a test machine
// in a cloud.
var metadata = prefixes(
	"fd00:ec2::/32",          // Amazon: instance metadata, pod identity, DNS, time
	"fd20:ce::254/128",       // Google Cloud
	"fd00:c1::a9fe:a9fe/128", // Oracle Cloud
	"fd00:42::42/128",        // Scaleway
	"fd00:a9fe:a9fe::1/128",  // Akamai
	"fd00:100::100:200/128",  // Alibaba Cloud
)

// special are networks without public web servers. They are always refused. The list contains the entries of IANA's
// special-purpose address registries (https://www.iana.org/assignments/iana-ipv4-special-registry and
// https://www.iana.org/assignments/iana-ipv6-special-registry), and multicast from the address space registries.
// Addresses that contain an IPv4 address (NAT64, 6to4, Teredo, IPv4-compatible) are included, because a gateway could
// translate them to a private address. AS112 and AMT are included although they are globally reachable, because an
// organization can route them to servers of its own.
var special = prefixes(
	"0.0.0.0/8",         // "this network", RFC 791
	"100.64.0.0/10",     // carrier-grade NAT, RFC 6598
	"168.63.129.16/32",  // Azure's host agent: a public address that answers only from inside a machine
	"169.254.0.0/16",    // link-local, RFC 3927; cloud metadata
	"192.0.0.0/24",      // IETF protocol assignments, RFC 6890
	"192.0.2.0/24",      // documentation, RFC 5737
	"192.31.196.0/24",   // AS112, RFC 7535
	"192.52.193.0/24",   // multicast tunnels (AMT), RFC 7450
	"192.88.99.0/24",    // 6to4 relays, deprecated by RFC 7526
	"192.175.48.0/24",   // AS112, RFC 7534
	"198.18.0.0/15",     // benchmarks, RFC 2544
	"198.51.100.0/24",   // documentation, RFC 5737
	"203.0.113.0/24",    // documentation, RFC 5737
	"224.0.0.0/4",       // multicast, RFC 5771
	"240.0.0.0/4",       // reserved and broadcast, RFC 1112
	"::/96",             // unspecified and IPv4-compatible, RFC 4291
	"::ffff:0:0:0/96",   // IPv4-translated, RFC 2765
	"64:ff9b::/96",      // NAT64, RFC 6052
	"64:ff9b:1::/48",    // NAT64 of local use, RFC 8215
	"100::/64",          // discard only, RFC 6666
	"100:0:0:1::/64",    // dummy prefix, RFC 9780
	"2001::/23",         // IETF protocol assignments: Teredo, benchmarks, ORCHID, DRIP; RFC 2928
	"2001:db8::/32",     // documentation, RFC 3849
	"2002::/16",         // 6to4, RFC 3056
	"2620:4f:8000::/48", // AS112, RFC 7534
	"3fff::/20",         // documentation, RFC 9637
	"5f00::/16",         // segment routing, RFC 9602
	"fe80::/10",         // link-local, RFC 4291
	"fec0::/10",         // site-local, deprecated by RFC 3879
	"ff00::/8",          // multicast, RFC 4291
)

// globalUnicast is the part of IPv6 that IANA has assigned to ordinary hosts (RFC 4291 section 2.4). All other IPv6
// addresses are refused, even if they are not in special.
var globalUnicast = netip.MustParsePrefix("2000::/3")

func prefixes(list ...string) []netip.Prefix {
	out := make([]netip.Prefix, len(list))
	for i, s := range list {
		out[i] = netip.MustParsePrefix(s)
	}
	return out
}

func within(list []netip.Prefix, addr netip.Addr) bool {
	for _, p := range list {
		if p.Contains(addr) {
			return true
		}
	}
	return false
}

// CheckAddr returns nil if the service may connect to addr. An IPv4-mapped IPv6 address is checked as the IPv4 address
// that the system connects to; an address with a zone is never public.
func (g *Guard) CheckAddr(addr netip.Addr) error {
	addr = addr.Unmap()
	switch {
	case !addr.IsValid() || addr.Zone() != "":
		return errNotPublic
	case within(private, addr): // before special, because ::1 is in ::/96
		if g.allowPrivate && !within(metadata, addr) {
			return nil
		}
		return errNotPublic
	case within(special, addr), addr.Is6() && !globalUnicast.Contains(addr):
		return errNotPublic
	}
	return nil
}

var errNotPublic = forbidden("leads to a network that is not public")
