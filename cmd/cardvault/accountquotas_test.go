package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
	"github.com/cardvault/cardvault/internal/quota"
)

// quotas runs account quotas and returns the limits by kind.
func (t *terminalOf) quotas(account string, flags ...string) map[quota.Kind]accounts.QuotaUse {
	t.Helper()
	var printed struct{ Data []accounts.QuotaUse }
	t.object(&printed, append([]string{"account", "quotas", account}, flags...)...)
	uses := map[quota.Kind]accounts.QuotaUse{}
	for _, use := range printed.Data {
		uses[use.Kind] = use
	}
	return uses
}

func TestAccountQuotas(t *testing.T) {
	t.Parallel()
	on := &terminalOf{t, pgtest.URL(t), t.TempDir()}
	account := on.newAccount("First")
	cards := on.write("cards.csv", []byte("title,asking_price\nEmber Fox,1\nTide Crab,2\n"))
	on.run(exitDone, "cards", "import", "--account", account, cards)
	limits := func(flags ...string) (cards, bytes, views int64) {
		t.Helper()
		uses := on.quotas(account, flags...)
		return uses[quota.Cards].Limit, uses[quota.PhotoBytes].Limit, uses[quota.Views].Limit
	}
	type limit struct{ Cards, Bytes, Views int64 }
	check := func(step string, want limit, flags ...string) {
		t.Helper()
		var got limit
		got.Cards, got.Bytes, got.Views = limits(flags...)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", step, diff)
		}
	}
	defaults := limit{1_000_000, 1 << 40, 50}
	check("defaults", defaults)
	check("of the operator", limit{7, 1 << 40, 50}, "--quotas", "cards=7")
	check("of the account", limit{2, 1 << 30, 50}, "--set", "cards=2,photo_bytes=1GiB")
	check("kept", limit{2, 1 << 30, 50}, "--quotas", "cards=7")

	if use := on.quotas(account)[quota.Cards]; use.Used != 2 || use.Counting {
		t.Errorf("got %+v, want the two cards counted", use)
	}
	text, _ := on.run(exitDone, "account", "quotas", account, "--set", "cards=2,photo_bytes=1GiB,views=0")
	for _, want := range []string{
		"QUOTA", "cards        2     2\n", "photo_bytes  0     1GiB\n", "views        0     none\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the table lacks %q:\n%s", want, text)
		}
	}
	if _, failure := on.run(exitFailed, "cards", "import", "--account", account, cards); !strings.Contains(
		failure, "line 2: The quota of your account is 2 cards; it has 2, and this would add 1. Delete cards") {
		t.Errorf("an import above the quota: %q, want it refused with the numbers and the remedy", failure)
	}
	check("reset", defaults, "--set", "")
}

func TestAccountQuotas_Refuses(t *testing.T) {
	t.Parallel()
	on := &terminalOf{t, pgtest.URL(t), t.TempDir()}
	account := on.newAccount("First")
	for _, set := range []string{"cards", "cards=-1", "shelves=3", "cards=1,cards=2"} {
		_, failure := on.run(exitBadUsage, "account", "quotas", account, "--set", set)
		if !strings.Contains(failure, set) {
			t.Errorf("--set %s: printed %q", set, failure)
		}
	}
	on.run(exitFailed, "account", "quotas", "acc_00000000000000000000000000")
	if got := on.quotas(account)[quota.Cards].Limit; got != 1_000_000 {
		t.Errorf("the limit is %d after refusals, want the default", got)
	}
}
