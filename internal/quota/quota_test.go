package quota

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cardvault/cardvault/internal/fault"
)

func TestParse(t *testing.T) {
	t.Parallel()
	l, err := Parse(" photo_bytes = 20 GiB ,cards=5000,views=0")
	if err != nil || l.Of(PhotoBytes) != 20<<30 || l.Of(Cards) != 5000 || l.Of(Views) != 0 {
		t.Fatalf("got %v, %v", l, err)
	}
	if got := l.String(); got != "cards=5000,photo_bytes=20GiB,views=0" {
		t.Errorf("String() = %q", got)
	}
	all := l.Or(Defaults)
	if all.Of(Views) != 0 || all.Of(Tokens) != 100 || all.Of(Cards) != 5000 {
		t.Errorf("with the defaults: %s", all)
	}
}

func TestParse_Invalid(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"cards", "cards=", "cards=-1", "cards=1.5", "cards=1,cards=2", "card=1", ",", "cards=5GiB", "photo_bytes=5GB",
		"photo_bytes=99999999TiB", "cards=9999999999999999999", "Cards=1",
	} {
		if l, err := Parse(text); err == nil || !l.IsZero() {
			t.Errorf("Parse(%q) = %v, %v; want an error", text, l, err)
		}
	}
}

func TestLimits_StringRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var l Limits
		for i := range Kinds {
			if l.set[i] = rapid.Bool().Draw(t, "set"); l.set[i] {
				l.most[i] = rapid.Int64Range(0, maxQuota).Draw(t, "most")
			}
		}
		if got, err := Parse(l.String()); err != nil || got != l {
			t.Fatalf("%s parses to %s, %v", l, got, err)
		}
	})
}

func TestLimits_Check(t *testing.T) {
	t.Parallel()
	l := mustParse("cards=10,photo_bytes=1KiB,photos=0")
	for _, c := range []struct {
		kind       Kind
		used, more int64
		allowed    bool
	}{
		{Cards, 9, 1, true},
		{Cards, 9, 2, false},
		{Cards, 12, 0, true},  // keeps what it has
		{Cards, 12, -1, true}, // may have less
		{Cards, 12, 1, false},
		{PhotoBytes, 1000, 24, true},
		{PhotoBytes, 1000, 25, false},
		{Photos, 1 << 40, 1, true}, // 0 is no limit
		{Views, 1 << 40, 1, true},  // not set
	} {
		err := l.Check(c.kind, c.used, c.more)
		if allowed := err == nil; allowed != c.allowed || !allowed && !fault.Is(err, fault.QuotaExceeded) {
			t.Errorf("%s with %d used and %d more: %v", c.kind, c.used, c.more, err)
		}
	}
	err := l.CheckUsage(Usage{Cards: 8}, Usage{Cards: 3, CardBytes: 1 << 50})
	f, _ := fault.As(err)
	if f == nil || f.Status() != 403 || len(f.Details) != 1 || f.Details[0].Field != "cards" ||
		!strings.Contains(f.Message, "is 10 cards; it has 8, and this would add 3. Delete cards") {
		t.Errorf("got %v", err)
	}
}
