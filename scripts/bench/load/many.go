package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/cardvault/cardvault/scripts/bench/measure"
)

// The aims for reads that order or sum up a whole account, and for updates of many cards.
const (
	maxOrderedP95 = 60 * time.Millisecond
	leastBulk     = 5.0 // cards a second of bulk updates, relative to single ones
)

// bulkUpdates is the number of cards of a bulk update.
const bulkUpdates = 500

// manyTime is how long each of these is measured.
const manyTime = 3 * time.Second

// measureMany measures each order of lists, each grouping of summaries, and bulk updates against single ones.
func measureMany(ctx context.Context, s settings, t *table) error {
	service, err := startService(ctx, s, "service", s.build)
	if err != nil {
		return err
	}
	defer service.stop()
	var targets []string
	for _, order := range []string{"created_at", "updated_at", "price", "title", "location"} {
		targets = append(targets, "/cards?limit=50&sort="+order, "/cards?limit=50&sort=-"+order)
	}
	if err := measureSlowest(ctx, s, service, t, "GET 50 cards in each order", targets); err != nil {
		return err
	}
	targets = nil
	for _, field := range []string{"status", "location", "set", "batch", "game"} {
		targets = append(targets, "/cards/summary?group_by="+field)
	}
	if err := measureSlowest(ctx, s, service, t, "GET a summary by each field", targets); err != nil {
		return err
	}
	return measureBulk(ctx, s, service, t)
}

// measureSlowest requests each target over all connections and adds the one with the highest 95th percentile.
func measureSlowest(ctx context.Context, s settings, p *process, t *table, name string, targets []string) error {
	var slowest time.Duration
	var which string
	for _, target := range targets {
		o := operation{name: target}
		for range s.connections {
			o.next = append(o.next, cycle([][]byte{request("GET", target, s.token, "")}))
		}
		if _, err := round(ctx, s, entrant{p, o}, warmUp); err != nil {
			return err
		}
		measured, err := round(ctx, s, entrant{p, o}, manyTime)
		if err != nil {
			return err
		}
		if p95 := measure.Percentile(measured.took, 0.95); p95 >= slowest {
			slowest, which = p95, target
		}
	}
	t.add(fmt.Sprintf("%s, p95 of the slowest at %d connections: `%s`", name, s.connections, which),
		measure.Milliseconds(slowest), "", "", "≤ "+measure.Milliseconds(maxOrderedP95), slowest <= maxOrderedP95)
	return nil
}

// measureBulk compares the cards a second of bulk updates with those of single updates, each on one connection.
func measureBulk(ctx context.Context, s settings, p *process, t *table) error {
	stock, err := readStock(ctx, p, s.token)
	if err != nil {
		return err
	}
	single := operation{name: "PATCH one card", next: reprices(stock, 1, s.token)}
	price := int(time.Now().Unix()) << 1
	bulk := operation{name: "PATCH many cards", next: []func() []byte{func() []byte {
		price++
		return request("PATCH", "/cards", s.token, bulkBody(stock.priced[:min(bulkUpdates, len(stock.priced))], price))
	}}}
	if s.rounds > 3 {
		s.rounds = 3
	}
	measured, err := compare(ctx, s, entrant{p, bulk}, entrant{p, single})
	if err != nil {
		return err
	}
	ratio := measured[0].ratio(measured[1]) * bulkUpdates
	name := fmt.Sprintf("PATCH %d cards in one request against one in each, on one connection: cards", bulkUpdates)
	t.add(name, fmt.Sprintf("%.0f/s", measure.Median(measured[0].rates)*bulkUpdates), measured[1].rate(),
		times(ratio), "≥ "+times(leastBulk), ratio >= leastBulk)
	t.note(name+": "+spreadNames, measured[0].spread(), measured[1].spread(), "")
	return nil
}

// bulkBody is a bulk update that sets the price of cards.
func bulkBody(ids []string, price int) string {
	updates := make([]string, len(ids))
	for i, id := range ids {
		updates[i] = fmt.Sprintf(`{"id":%q,"pricing":{"asking_price":{"amount":%d,"currency":"USD"}}}`, id, price)
	}
	return `{"updates":[` + strings.Join(updates, ",") + `]}`
}
