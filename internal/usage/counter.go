package usage

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/ratelimit"
	"github.com/cardvault/cardvault/internal/worker"
)

const (
	// storeInterval is the time between two calls of Store.
	storeInterval = time.Minute
	// maxTokens is the largest number of tokens that are counted between two calls of Store: about 10 MB. Requests of
	// further tokens are not counted.
	maxTokens = 50_000
)

// Counter counts requests in memory until Store adds them to the database. It is safe for concurrent use.
type Counter struct {
	db *postgres.DB

	mu        sync.RWMutex
	tallies   map[string]*tally // by token
	uncounted atomic.Int64      // requests of tokens beyond maxTokens
}

// tally has the counts of a token since the last call of Store. Requests change them while they hold Counter.mu for
// reading, so they are final for the holder of the write lock.
type tally struct {
	accountID string
	classes   [3]struct{ requests, refused atomic.Int64 }
}

// classes are the classes in the order of tally.classes.
var classes = []ratelimit.Class{ratelimit.Read, ratelimit.Write, ratelimit.AI}

// NewCounter returns a Counter without counts.
func NewCounter(db *postgres.DB) *Counter { return &Counter{db: db, tallies: map[string]*tally{}} }

// Count counts a request of a token. refused says that the response was 429.
func (c *Counter) Count(accountID, tokenID string, class ratelimit.Class, refused bool) {
	i := slices.Index(classes, class)
	if i < 0 {
		return
	}
	if c.countKnown(tokenID, i, refused) {
		return
	}
	c.addToken(accountID, tokenID)
	if !c.countKnown(tokenID, i, refused) {
		c.uncounted.Add(1)
	}
}

// countKnown counts a request if its token has a tally.
func (c *Counter) countKnown(tokenID string, class int, refused bool) bool {
	c.mu.RLock()
	defer c.mu.RUnlock()
	t := c.tallies[tokenID]
	if t == nil {
		return false
	}
	t.classes[class].requests.Add(1)
	if refused {
		t.classes[class].refused.Add(1)
	}
	return true
}

// addToken gives a token a tally, unless there are maxTokens already.
func (c *Counter) addToken(accountID, tokenID string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.tallies[tokenID] == nil && len(c.tallies) < maxTokens {
		c.tallies[tokenID] = &tally{accountID: accountID}
	}
}

// counted are the requests of a token.
type counted struct {
	accountID, tokenID string
	Classes
}

// take returns the counts, ordered by account and token, and begins again at zero.
func (c *Counter) take() []counted {
	c.mu.Lock()
	tallies := c.tallies
	c.tallies = make(map[string]*tally, len(tallies))
	c.mu.Unlock()
	list := make([]counted, 0, len(tallies))
	for tokenID, t := range tallies {
		one := counted{accountID: t.accountID, tokenID: tokenID}
		for i, class := range classes {
			*one.of(class) = Counts{t.classes[i].requests.Load(), t.classes[i].refused.Load()}
		}
		list = append(list, one)
	}
	slices.SortFunc(list, func(a, b counted) int {
		if order := strings.Compare(a.accountID, b.accountID); order != 0 {
			return order
		}
		return strings.Compare(a.tokenID, b.tokenID)
	})
	return list
}

// putBack adds counts that could not be stored to the new counts.
func (c *Counter) putBack(list []counted) {
	for _, one := range list {
		c.addToken(one.accountID, one.tokenID)
		c.mu.RLock()
		if t := c.tallies[one.tokenID]; t != nil {
			for i, class := range classes {
				t.classes[i].requests.Add(one.of(class).Requests)
				t.classes[i].refused.Add(one.of(class).Refused)
			}
		} else {
			c.uncounted.Add(one.Total().Requests)
		}
		c.mu.RUnlock()
	}
}

// Store adds the counts to the database. Counts that it cannot store are kept for the next call. If a connection breaks
// during a commit, a batch may be added twice.
func (c *Counter) Store(ctx context.Context) error {
	if n := c.uncounted.Swap(0); n > 0 {
		slog.WarnContext(ctx, "requests of too many tokens at once are missing in the usage", "requests", n)
	}
	list := c.take()
	for len(list) > 0 {
		n := batchLength(list, c.db.GroupScope() == postgres.GroupAll)
		if err := addToHour(ctx, c.db, list[:n]); err != nil {
			c.putBack(list)
			return err
		}
		list = list[n:]
	}
	return nil
}

// Loop returns the loop that calls Store. Call Store once more when the process has stopped counting.
func (c *Counter) Loop() *worker.Periodic {
	return worker.NewPeriodic("usage", storeInterval, func(ctx context.Context) (bool, error) {
		return false, c.Store(ctx)
	})
}
