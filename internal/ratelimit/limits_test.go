package ratelimit

import (
	"net/netip"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestParseLimits(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Limits{
		"":                       {},
		"read=60,write=20,ai=5":  {60, 20, 5},
		"ai=7":                   {AI: 7},
		" write = 1 , read=2 ":   {Read: 2, Write: 1},
		"read=1000000000,ai=001": {Read: MaxLimit, AI: 1},
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			got, err := ParseLimits(text)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("ParseLimits(%q) (-want +got):\n%s", text, diff)
			}
		})
	}
}

func TestParseLimits_Invalid(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"read", "read=", "read=0", "read=-1", "read=1.5", "read=1000000001", "read=99999999999999999999", "READ=5",
		"delete=5", "read=5,", ",", "read=5;write=5", "read=5,read=6", "=5", "read=5=6",
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			if got, err := ParseLimits(text); err == nil || got != (Limits{}) {
				t.Errorf("ParseLimits(%q) = %+v, %v; want an error", text, got, err)
			}
		})
	}
}

func TestLimits_StringRoundTrip(t *testing.T) {
	t.Parallel()
	limit := rapid.IntRange(0, MaxLimit)
	rapid.Check(t, func(t *rapid.T) {
		l := Limits{limit.Draw(t, "read"), limit.Draw(t, "write"), limit.Draw(t, "ai")}
		if got, err := ParseLimits(l.String()); err != nil || got != l {
			t.Fatalf("%+v prints %q, parses %+v, %v", l, l, got, err)
		}
	})
}

func TestLimits_Or(t *testing.T) {
	t.Parallel()
	override := Limits{Write: 100}
	if got := override.Or(Defaults); got != (Limits{60, 100, 5}) || override != (Limits{Write: 100}) {
		t.Errorf("Or returned %+v and changed its receiver to %+v", got, override)
	}
	if Defaults.Of(AI) != 5 || Defaults.Of("other") != 0 {
		t.Errorf("Of(AI) = %d, Of(other) = %d, want 5 and 0", Defaults.Of(AI), Defaults.Of("other"))
	}
}

func TestAddressKey(t *testing.T) {
	t.Parallel()
	for addr, want := range map[string]string{
		"192.0.2.7":               "192.0.2.7",
		"::ffff:192.0.2.7":        "192.0.2.7",
		"2001:db8:1:2:3:4:5:6":    "2001:db8:1:2::/64",
		"2001:db8:1:2:ffff::1%e0": "2001:db8:1:2::/64",
	} {
		t.Run(addr, func(t *testing.T) {
			t.Parallel()
			if got := AddressKey(netip.MustParseAddr(addr)); got != want {
				t.Errorf("AddressKey(%s) = %q, want %q", addr, got, want)
			}
		})
	}
}
