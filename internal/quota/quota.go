// Package quota defines how many cards, photos, webhooks and other things an account may have.
//
// Limits are the quotas of an operator or of an account. Usage counts the things whose number is updated with every
// change; package clock keeps these counters in the row that each write of the account locks, so they are exact. There
// are few other things, and they are counted when one is added. The package reads and stores nothing.
package quota

import (
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/cardvault/cardvault/internal/fault"
)

// Kind names a quota.
type Kind string

// The kinds.
const (
	Cards      Kind = "cards"
	CardBytes  Kind = "card_bytes" // texts and metadata of cards
	Photos     Kind = "photos"     // of cards, including photos that are still to be fetched
	PhotoBytes Kind = "photo_bytes"
	Endpoints  Kind = "endpoints" // of webhooks
	Views      Kind = "views"     // saved in the dashboard
	Jobs       Kind = "jobs"      // that have not finished
	Exports    Kind = "exports"   // archives that are kept; a new one replaces the oldest
	Tokens     Kind = "tokens"    // that work
	Users      Kind = "users"     // members and invitations
)

// Kinds are all kinds, in the order in which they are shown.
var Kinds = [...]Kind{Cards, CardBytes, Photos, PhotoBytes, Endpoints, Views, Jobs, Exports, Tokens, Users}

// remedies names the things that each quota limits, and says what to do when it is used up.
var remedies = map[Kind]struct{ things, remedy string }{
	Cards:      {"cards", "Delete cards"},
	CardBytes:  {"bytes of texts and metadata of cards", "Shorten or delete cards"},
	Photos:     {"photos", "Delete photos"},
	PhotoBytes: {"bytes of photos", "Delete photos"},
	Endpoints:  {"webhooks", "Delete a webhook"},
	Views:      {"saved views", "Delete a view"},
	Jobs:       {"unfinished jobs", "Wait until a job has finished, or cancel one"},
	Exports:    {"archives", "Wait until one expires"},
	Tokens:     {"tokens", "Revoke a token"},
	Users:      {"users and invitations", "Remove a user or withdraw an invitation"},
}

// Things names the things that the kind limits, for readers: "bytes of photos".
func (k Kind) Things() string { return remedies[k].things }

// InBytes reports whether the quota is a number of bytes.
func (k Kind) InBytes() bool { return k == CardBytes || k == PhotoBytes }

// Index returns the place of the kind in Kinds, or -1.
func (k Kind) Index() int {
	for i, kind := range Kinds {
		if kind == k {
			return i
		}
	}
	return -1
}

// Limits are quotas by kind. A kind can be set or left out; 0 is no limit. The zero Limits limit nothing.
type Limits struct {
	set  [len(Kinds)]bool
	most [len(Kinds)]int64
}

// Defaults are the quotas of accounts for which the operator sets no others.
var Defaults = mustParse("cards=1000000,card_bytes=2GiB,photos=2000000,photo_bytes=1TiB," +
	"endpoints=200,views=50,jobs=100,exports=3,tokens=100,users=100")

// maxQuota is the largest quota: far more than a database holds, and far below the maximum of the counters.
const maxQuota = 1 << 60

// units of bytes, the largest first.
var units = []struct {
	name string
	size int64
}{{"TiB", 1 << 40}, {"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}}

// Parse parses quotas such as "cards=5000,photo_bytes=20GiB". Kinds may be in any order or left out.
func Parse(text string) (Limits, error) {
	var l Limits
	if strings.TrimSpace(text) == "" {
		return l, nil
	}
	for part := range strings.SplitSeq(text, ",") {
		name, value, _ := strings.Cut(part, "=")
		kind := Kind(strings.TrimSpace(name))
		i := kind.Index()
		switch {
		case i < 0:
			return Limits{}, fmt.Errorf("quotas %q: there is no quota %q", text, kind)
		case l.set[i]:
			return Limits{}, fmt.Errorf("quotas %q: %s is given twice", text, kind)
		}
		most, ok := parseAmount(kind, strings.TrimSpace(value))
		if !ok {
			return Limits{}, fmt.Errorf("quotas %q: %s must be a number from 0 to %d, where 0 is no limit%s",
				text, kind, int64(maxQuota), map[bool]string{true: "; KiB, MiB, GiB or TiB may follow"}[kind.InBytes()])
		}
		l.set[i], l.most[i] = true, most
	}
	return l, nil
}

func parseAmount(kind Kind, value string) (amount int64, ok bool) {
	size := int64(1)
	for _, unit := range units {
		if number, found := strings.CutSuffix(value, unit.name); found && kind.InBytes() {
			value, size = strings.TrimSpace(number), unit.size
			break
		}
	}
	amount, err := strconv.ParseInt(value, 10, 64)
	return amount * size, err == nil && amount >= 0 && amount <= maxQuota/size
}

func mustParse(text string) Limits {
	l, err := Parse(text)
	if err != nil {
		panic(err)
	}
	return l
}

// String returns the quotas that are set, in the format of Parse.
func (l Limits) String() string {
	var parts []string
	for i, kind := range Kinds {
		if l.set[i] {
			parts = append(parts, string(kind)+"="+Format(kind, l.most[i], ""))
		}
	}
	return strings.Join(parts, ",")
}

// Format returns an amount of a kind for readers. The separator stands between a number and its unit.
func Format(kind Kind, amount int64, separator string) string {
	if kind.InBytes() && amount > 0 {
		for _, unit := range units {
			if amount%unit.size == 0 {
				return strconv.FormatInt(amount/unit.size, 10) + separator + unit.name
			}
		}
	}
	return strconv.FormatInt(amount, 10)
}

// Or returns l. Kinds that are not set get the value in defaults.
func (l Limits) Or(defaults Limits) Limits {
	for i := range Kinds {
		if !l.set[i] {
			l.set[i], l.most[i] = defaults.set[i], defaults.most[i]
		}
	}
	return l
}

// Of returns the quota of a kind; 0 is no limit.
func (l Limits) Of(kind Kind) int64 { return l.most[kind.Index()] }

// IsZero reports whether no kind is set.
func (l Limits) IsZero() bool { return l == Limits{} }

// Check returns quota_exceeded if use and more exceed the quota together. An account above its quota keeps its things
// but may add none.
func (l Limits) Check(kind Kind, use, more int64) error {
	most := l.Of(kind)
	if more <= 0 || most == 0 || use+more <= most {
		return nil
	}
	refusals[kind.Index()].Add(1)
	entry := remedies[kind]
	return fault.New(fault.QuotaExceeded, "The quota of your account is %s %s; it has %s, and this would add %s. "+
		"%s, or ask the operator for a larger quota.",
		Format(kind, most, " "), entry.things, Format(kind, use, " "), Format(kind, more, " "), entry.remedy).
		WithDetails(fault.Detail{
			Field: string(kind), Message: fmt.Sprintf("limit %d, used %d, added %d", most, use, more),
		})
}

// refusals are the numbers of quota_exceeded of this process, by kind.
var refusals [len(Kinds)]atomic.Int64
