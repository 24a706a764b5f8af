package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
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

// changeInterval is the time between two changes of the account while summaries are measured.
const changeInterval = 50 * time.Millisecond

// measureMany measures each order of lists, each grouping of summaries, and bulk updates against single ones.
func measureMany(ctx context.Context, s settings, t *table) error {
	service, err := startService(ctx, s, "service", s.build)
	if err != nil {
		return err
	}
	defer service.stop()
	stock, err := readStock(ctx, service, s.token)
	if err != nil {
		return err
	}
	var targets []string
	for _, order := range []string{"created_at", "updated_at", "price", "title", "location"} {
		targets = append(targets, "/cards?limit=50&sort="+order, "/cards?limit=50&sort=-"+order)
	}
	if err := measureSlowest(ctx, s, service, t, "GET 50 cards in each order", targets); err != nil {
		return err
	}
	if err := measureSummaries(ctx, s, service, stock, t); err != nil {
		return err
	}
	return measureBulk(ctx, s, service, stock, t)
}

// measureSummaries measures summaries while another connection changes prices. Without changes, the service would sum
// up the cards once and repeat the result.
func measureSummaries(ctx context.Context, s settings, p *process, stock *stock, t *table) error {
	var targets []string
	for _, field := range []string{"status", "location", "set", "batch", "game"} {
		targets = append(targets, "/cards/summary?group_by="+field)
	}
	changing, stop := context.WithCancel(ctx)
	defer stop()
	changes := make(chan error, 1)
	go func() { changes <- changePrices(changing, p, reprices(stock, 1, s.token)[0]) }()
	err := measureSlowest(ctx, s, p, t, "GET a summary by each field, 20 changes a second", targets)
	stop()
	return errors.Join(err, <-changes)
}

// changePrices sends a request in each interval until the context ends.
func changePrices(ctx context.Context, p *process, next func() []byte) error {
	c, err := dial(context.WithoutCancel(ctx), p.addr)
	if err != nil {
		return err
	}
	defer c.Close()
	interval := time.NewTicker(changeInterval)
	defer interval.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-interval.C:
		}
		if err := c.do(next()); err != nil {
			return err
		}
	}
}

// measureSlowest requests each target over all connections and adds the one with the highest 95th percentile.
func measureSlowest(ctx context.Context, s settings, p *process, t *table, name string, targets []string) error {
	var slowest sample
	var longest time.Duration
	var which string
	for _, target := range targets {
		o := operation{name: target}
		for range s.connections {
			o.next = append(o.next, cycle([][]byte{request("GET", target, s.token, "")}))
		}
		if _, err := round(ctx, s, entrant{p, o}, warmUp); err != nil {
			return err
		}
		samples, err := round(ctx, s, entrant{p, o}, manyTime)
		if err != nil {
			return err
		}
		if p95 := measure.Percentile(samples.took, 0.95); p95 >= longest {
			slowest, longest, which = samples, p95, target
		}
	}
	name = fmt.Sprintf("%s, the slowest at %d connections: `%s`: ", name, s.connections, which)
	t.add(name+"p95", measure.Milliseconds(longest), "", "", "≤ "+measure.Milliseconds(maxOrderedP95),
		longest <= maxOrderedP95)
	t.note(name+spreadNames, slowest.spread(), "", "")
	return nil
}

// measureBulk compares bulk updates with single updates, each on one connection, in cards a second.
func measureBulk(ctx context.Context, s settings, p *process, stock *stock, t *table) error {
	if len(stock.priced) < bulkUpdates {
		return fmt.Errorf("the account has %d cards with a price; %d are needed", len(stock.priced), bulkUpdates)
	}
	single := operation{name: "PATCH one card", next: reprices(stock, 1, s.token)}
	price := int(time.Now().Unix()) << 1 // higher than the prices of single updates
	next := func() []byte {
		price++
		return request("PATCH", "/cards", s.token, bulkBody(stock.priced[:bulkUpdates], price))
	}
	if err := checkBulk(ctx, p, next()); err != nil {
		return err
	}
	bulk := operation{name: "PATCH many cards", next: []func() []byte{next}}
	if s.rounds > 3 {
		s.rounds = 3
	}
	samples, err := compare(ctx, s, entrant{p, bulk}, entrant{p, single})
	if err != nil {
		return err
	}
	ratio := samples[0].ratio(samples[1]) * bulkUpdates
	name := fmt.Sprintf("PATCH %d cards in one request against one in each, on one connection: cards", bulkUpdates)
	t.add(name, fmt.Sprintf("%.0f/s", measure.Median(samples[0].rates)*bulkUpdates), samples[1].rate(),
		times(ratio), "≥ "+times(leastBulk), ratio >= leastBulk)
	t.note(name+": "+spreadNames, samples[0].spread(), samples[1].spread(), "")
	return nil
}

// checkBulk sends a bulk update and returns an error unless it changed every card: the response is 200 even if it
// changed none.
func checkBulk(ctx context.Context, p *process, bulk []byte) error {
	c, err := dial(ctx, p.addr)
	if err != nil {
		return err
	}
	defer c.Close()
	var results struct {
		Data []struct {
			ID     string `json:"id"`
			Status int    `json:"status"`
		} `json:"data"`
	}
	if err := c.decode(bulk, &results); err != nil {
		return err
	}
	for _, one := range results.Data {
		if one.Status != http.StatusOK {
			return fmt.Errorf("bulk update: card %s: status %d", one.ID, one.Status)
		}
	}
	if len(results.Data) != bulkUpdates {
		return fmt.Errorf("bulk update: %d results, want %d", len(results.Data), bulkUpdates)
	}
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
