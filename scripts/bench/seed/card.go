package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/cardvault/cardvault/internal/collation"
	"github.com/cardvault/cardvault/internal/id"
)

var cardColumns = []string{
	"account_id", "id", "workflow_status",
	"title", "set", "number", "game", "year", "variant", "language", "condition",
	"grade_company", "grade_value", "grade_cert_number",
	"identification_status", "source", "provider", "confidence", "identified_at",
	"asking_amount", "asking_currency", "cost_amount", "cost_currency", "priced_at", "ever_priced",
	"location", "location_order", "location_keyed", "batch_id", "archived", "photos", "sku", "notes",
	"awaits_identification", "version", "created_at", "updated_at",
}

// The spread of statuses, per hundred cards: a stock that is worked on. Nothing is listed or sold,
// for that would need listings, which no measured route reads.
var statuses = []struct {
	status string
	share  int
}{{"imported", 12}, {"needs_review", 4}, {"identified", 28}, {"priced", 32}, {"photographed", 20}, {"archived", 4}}

func drawStatus(random *rand.Rand) string {
	at := random.IntN(100)
	for _, s := range statuses {
		if at -= s.share; at < 0 {
			return s.status
		}
	}
	panic("the shares do not add up to 100")
}

var (
	adjectives = strings.Fields("Ancient Blazing Crystal Dark Ember Frozen Gilded Hidden Iron Jade Lunar " +
		"Mystic Noble Radiant Shadow Silver Storm Thunder Verdant Wild")
	creatures = strings.Fields("Badger Basilisk Chimera Dragon Drake Falcon Fox Golem Griffin " +
		"Heron Hydra Jackal Kraken Leviathan Lynx Mantis Moth Otter Owl Phoenix Raven Salamander Serpent Sphinx Stag " +
		"Titan Tortoise Viper Warden Wolf Wyvern Yeti")
	suffixes = []string{"", "", "", "", " ex", " GX", " V", " VMAX", " of the Deep", " the Unbroken", " Courier",
		" Sentinel"}
	places     = strings.Fields("Tides Embers Summit Hollow Reach Vale Spire Marsh Dunes Harbour")
	games      = []string{"pokemon", "pokemon", "pokemon", "magic", "yugioh", "sports"}
	conditions = []string{"NM", "NM", "NM", "LP", "LP", "MP", "HP", "DMG"}
	variants   = []string{"reverse holo", "holo", "first edition", "full art"}
)

// setCount is how many sets there are: as many as a well-known game has printed.
const setCount = 160

// setName names one of setCount sets.
func setName(n int) string {
	return adjectives[n%len(adjectives)] + " " + places[n/len(adjectives)%len(places)]
}

// drawCard returns the values of cardColumns for one card whose facts fit its status.
func drawCard(random *rand.Rand, b box, place int) []any {
	at := b.at.Add(time.Duration(place) * cardGap)
	c := drawn{Rand: random, status: drawStatus(random), at: at}
	updatedAt := at.Add(time.Duration(random.IntN(24*3600)) * time.Second).Truncate(time.Microsecond)
	version := 1
	if c.identified() {
		version += 1 + random.IntN(3)
	}
	values := []any{b.accountID, id.New(id.Card, at), c.status}
	values = append(values, c.description()...)
	values = append(values, c.identification()...)
	values = append(values, c.pricing()...)
	location := fmt.Sprintf("Room %c/Shelf %d/Box %d/%d", 'A'+rune(b.number%3), b.number%20+1, b.number, place+1)
	return append(values, location, collation.PathKey(location), "1 "+location, b.batchID,
		c.status == "archived", c.photos(), c.maybe(40, fmt.Sprintf("SKU-%05d-%03d", b.number, place)), c.maybe(5,
			"Bought at the spring fair, sleeve replaced."),
		false, version, at, updatedAt)
}

// drawn is a card being drawn.
type drawn struct {
	*rand.Rand
	status string
	at     time.Time
}

func (c drawn) identified() bool { return c.status != "imported" && c.status != "needs_review" }

func (c drawn) priced() bool { return c.status == "priced" || c.status == "photographed" }

// maybe returns a value in percent of all cases, else null.
func (c drawn) maybe(percent int, value any) any {
	if c.IntN(100) < percent {
		return value
	}
	return nil
}

func (c drawn) pick(from []string) string { return from[c.IntN(len(from))] }

// description returns title to grade_cert_number.
func (c drawn) description() []any {
	if !c.identified() {
		return make([]any, 11)
	}
	title := c.pick(adjectives) + " " + c.pick(creatures) + c.pick(suffixes)
	set := c.IntN(setCount)
	total := 60 + set*7%180
	values := []any{
		title, setName(set), fmt.Sprintf("%d/%d", 1+c.IntN(total), total), c.pick(games), 1998 + set*26/setCount,
		c.maybe(20, c.pick(variants)), "en", c.pick(conditions),
	}
	if c.IntN(100) < 5 {
		return append(values, "PSA", fmt.Sprint(6+c.IntN(5)), fmt.Sprint(10_000_000+c.IntN(90_000_000)))
	}
	return append(values, nil, nil, nil)
}

// identification returns identification_status to identified_at.
func (c drawn) identification() []any {
	switch {
	case c.status == "imported":
		return []any{"none", nil, nil, nil, nil}
	case c.status == "needs_review":
		return []any{"failed", nil, nil, nil, nil}
	case c.IntN(100) < 30:
		return []any{"identified", "manual", nil, nil, c.at.Add(time.Hour)}
	}
	return []any{"identified", "ai", "fingerprint", 0.85 + float64(c.IntN(15))/100, c.at.Add(time.Minute)}
}

// pricing returns asking_amount to ever_priced.
func (c drawn) pricing() []any {
	values := []any{nil, nil, nil, nil, nil, false}
	if c.IntN(100) < 60 {
		values[2], values[3] = 10+c.IntN(2000), "USD"
	}
	if c.priced() {
		values[0], values[1], values[4], values[5] = 25+c.IntN(20_000), "USD", c.at.Add(2*time.Hour), true
	}
	return values
}

// photos returns the photos: of the listing for those photographed, of the front for a part of the others.
func (c drawn) photos() string {
	var list []string
	add := func(role string) {
		const format = `{"id":%q,"role":%q,"status":"ready","content_type":"image/jpeg","width":1200,"height":1680}`
		list = append(list, fmt.Sprintf(format, id.New(id.Photo, c.at), role))
	}
	if c.IntN(100) < 30 {
		add("front")
	}
	if c.status == "photographed" {
		add("listing")
	}
	return "[" + strings.Join(list, ",") + "]"
}
