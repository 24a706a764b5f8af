package netguard

import (
	"errors"
	"net/netip"
	"testing"

	"pgregory.net/rapid"
)

func TestGuard_CheckAddr(t *testing.T) {
	t.Parallel()
	const public, dev, never = "public", "development", "never"
	cases := []struct{ addr, want string }{
		{"1.1.1.1", public}, {"8.8.8.8", public}, {"100.63.255.255", public}, {"100.128.0.0", public},
		{"172.15.255.255", public}, {"172.32.0.0", public}, {"198.17.255.255", public}, {"198.20.0.0", public},
		{"223.255.255.255", public}, {"168.63.129.17", public}, {"::ffff:8.8.8.8", public},
		{"2606:4700:4700::1111", public}, {"2001:4860:4860::8888", public}, {"2001:200::1", public},
		{"2a00::1", public}, {"2620:4f:8001::1", public}, {"192.175.49.1", public},

		{"10.0.0.1", dev}, {"172.16.0.1", dev}, {"172.31.255.255", dev}, {"192.168.1.1", dev}, {"127.0.0.1", dev},
		{"127.255.255.254", dev}, {"::1", dev}, {"fc00::1", dev}, {"fd12:3456::1", dev},
		{"::ffff:127.0.0.1", dev}, {"::ffff:10.1.2.3", dev},

		{"fd00:ec2::254", never}, {"fd00:ec2::23", never}, {"fd20:ce::254", never}, {"fd20:ce::255", dev},
		{"fd00:c1::a9fe:a9fe", never}, {"fd00:42::42", never}, {"fd00:a9fe:a9fe::1", never},
		{"fd00:100::100:200", never},

		{"0.0.0.0", never}, {"0.1.2.3", never}, {"100.64.0.1", never}, {"100.127.255.255", never},
		{"100.100.100.200", never},
		{"168.63.129.16", never}, {"169.254.169.254", never}, {"192.0.0.192", never}, {"192.0.2.1", never},
		{"192.31.196.1", never}, {"192.52.193.1", never}, {"192.88.99.1", never}, {"192.175.48.1", never},
		{"2620:4f:8000::1", never},
		{"198.18.0.1", never}, {"198.19.255.255", never}, {"198.51.100.7", never},
		{"203.0.113.7", never}, {"224.0.0.1", never}, {"239.255.255.250", never}, {"240.0.0.1", never},
		{"255.255.255.255", never},
		{"::", never}, {"::7f00:1", never}, {"::127.0.0.1", never}, {"::ffff:169.254.169.254", never},
		{"::ffff:0:7f00:1", never},
		{"64:ff9b::7f00:1", never}, {"64:ff9b:1::a00:1", never}, {"100::1", never}, {"2001::1", never},
		{"2001:2::1", never},
		{"2001:10::1", never}, {"2001:20::1", never}, {"2001:db8::1", never}, {"2002:7f00:1::", never},
		{"3fff::1", never},
		{"5f00::1", never}, {"fe80::1", never}, {"fe80::1%eth0", never}, {"fec0::1", never}, {"ff02::1", never},
		{"2606:4700::1%eth0", never}, {"4000::1", never}, {"1000::1", never}, {"e000::1", never},
	}
	production, development := New(Config{}), New(Config{AllowPrivate: true})
	for _, c := range cases {
		t.Run(c.addr, func(t *testing.T) {
			addr := netip.MustParseAddr(c.addr)
			if got := production.CheckAddr(addr) == nil; got != (c.want == public) {
				t.Errorf("production allows %s: %v", c.addr, got)
			}
			if got := development.CheckAddr(addr) == nil; got != (c.want != never) {
				t.Errorf("development allows %s: %v", c.addr, got)
			}
		})
	}
	if err := production.CheckAddr(netip.Addr{}); !errors.Is(err, ErrForbidden) {
		t.Errorf("the zero address gives %v", err)
	}
}

// Addresses with random host bits are refused in all notations of the same address.
func TestGuard_RefusesEveryAddressOfForbiddenNetworks(t *testing.T) {
	t.Parallel()
	guard := New(Config{})
	all := append(append([]netip.Prefix(nil), private...), special...)
	rapid.Check(t, func(t *rapid.T) {
		addr := drawWithin(t, rapid.SampledFrom(all).Draw(t, "network"))
		forms := []netip.Addr{addr, addr.WithZone("eth0"), netip.AddrFrom16(addr.As16())}
		if addr.Is4() {
			forms = append(forms, embedded("::", addr), embedded("64:ff9b::", addr), embedded("::ffff:0:0:0", addr))
		}
		for _, form := range forms {
			if err := guard.CheckAddr(form); !errors.Is(err, ErrForbidden) {
				t.Fatalf("%s (as %s) gives %v", addr, form, err)
			}
		}
	})
}

// drawWithin returns an address of the network with random host bits.
func drawWithin(t *rapid.T, network netip.Prefix) netip.Addr {
	raw := network.Addr().AsSlice()
	random := rapid.SliceOfN(rapid.Byte(), len(raw), len(raw)).Draw(t, "host bits")
	for i := range raw {
		fixed := min(max(network.Bits()-8*i, 0), 8)
		raw[i] |= random[i] & (0xff >> fixed)
	}
	addr, _ := netip.AddrFromSlice(raw)
	if !network.Contains(addr) {
		t.Fatalf("%s is not in %s", addr, network)
	}
	return addr
}

// embedded puts an IPv4 address into the last 32 bits of an IPv6 prefix.
func embedded(prefix string, addr netip.Addr) netip.Addr {
	raw, v4 := netip.MustParseAddr(prefix).As16(), addr.As4()
	copy(raw[12:], v4[:])
	return netip.AddrFrom16(raw)
}

func FuzzCheckAddr(f *testing.F) {
	for _, seed := range []string{"\x7f\x00\x00\x01", "\x0a\x00\x00\x01",
		"\x64\x40\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"} {
		f.Add([]byte(seed))
	}
	guard := New(Config{})
	f.Fuzz(func(t *testing.T, raw []byte) {
		addr, ok := netip.AddrFromSlice(raw)
		if !ok || guard.CheckAddr(addr) != nil {
			return
		}
		// The standard library knows fewer networks.
		plain := addr.Unmap()
		if !plain.IsGlobalUnicast() || plain.IsPrivate() || plain.IsLoopback() || plain.IsLinkLocalUnicast() {
			t.Fatalf("%s is allowed", addr)
		}
	})
}

func BenchmarkCheckAddr(b *testing.B) {
	guard, addr := New(Config{}), netip.MustParseAddr("2606:4700:4700::1111")
	b.ReportAllocs()
	for b.Loop() {
		if err := guard.CheckAddr(addr); err != nil {
			b.Fatal(err)
		}
	}
}
