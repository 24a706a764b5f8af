package processtest

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"image"
	"image/jpeg"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

var neighboursFor = flag.Duration("neighbours", 0,
	"how long a round of TestNeighbours is; with 0 it runs one short round and measures nothing")

// neighbourRounds is the number of pairs of rounds that TestNeighbours measures.
const neighbourRounds = 3

// A tenant does everything at once that could hurt others. The requests of another tenant succeed all the same. With
// -neighbours, each of its requests also takes at most twice as long at the 99th percentile as beside a tenant that
// sends as many harmless requests of the same kinds.
func TestNeighbours(t *testing.T) {
	t.Parallel()
	n := newNeighbourhood(t)
	if *neighboursFor == 0 {
		n.round(true, 5*time.Second)
		return
	}
	n.round(false, *neighboursFor/2) // warms caches up; its times do not count
	var decent, hostile times
	for range neighbourRounds {
		decent.add(n.round(false, *neighboursFor))
		hostile.add(n.round(true, *neighboursFor))
	}
	for kind := range probeNames {
		before, beside := decent.p99(kind), hostile.p99(kind)
		ratio := float64(beside) / float64(before)
		t.Logf("%-8s p99 %v beside a harmless tenant, %v beside a hostile one (%.2f ×, of %d and %d requests)",
			probeNames[kind], before, beside, ratio, len(decent[kind]), len(hostile[kind]))
		if ratio > 2 {
			t.Errorf("%s: p99 is %.2f × beside a hostile tenant, want at most 2 ×", probeNames[kind], ratio)
		}
	}
}

// The requests whose times are measured.
const (
	probeGet = iota
	probePatch
	probePhoto
	probeIdentify
	probeKinds
)

var probeNames = [probeKinds]string{"GET", "PATCH", "photo", "identify"}

// times are the durations of requests, by kind.
type times [probeKinds][]time.Duration

func (all *times) add(more times) {
	for kind := range all {
		all[kind] = append(all[kind], more[kind]...)
	}
}

// p99 returns the 99th percentile of a kind.
func (all *times) p99(kind int) time.Duration {
	sorted := slices.Sorted(slices.Values(all[kind]))
	if len(sorted) == 0 {
		return 0
	}
	return sorted[(len(sorted)*99-1)/100]
}

// neighbourhood is a server with two tenants: the one whose requests are measured, and the one beside it.
type neighbourhood struct {
	t      *testing.T
	server *server
	client *client // of the tenant that is measured
	cards  []card
	tenant *tenant

	mu   sync.Mutex
	took times
}

// newNeighbourhood starts the server and creates both tenants.
func newNeighbourhood(t *testing.T) *neighbourhood {
	t.Helper()
	s := newSettings(t, pgtest.URL(t))
	owner := s.account(t)
	server := s.serve(t)
	n := &neighbourhood{t: t, server: server, client: owner.at(server)}
	n.cards = n.client.create(4)
	got, err := n.client.put(n.cards[3], picture())
	if err != nil || got.status != http.StatusOK {
		t.Fatalf("photo: status %d: %s %v", got.status, got.body, err)
	}
	n.tenant = newTenant(t, s, server)
	return n
}

// put uploads a JPEG as the front of a card.
func (c *client) put(to card, photo string) (answer, error) {
	return c.try("PUT", "/cards/"+to.ID+"/photos/front", photo, "Content-Type", "image/jpeg")
}

// round has the other tenant act for a while, and returns the times of the probes meanwhile.
func (n *neighbourhood) round(hostile bool, length time.Duration) times {
	n.t.Helper()
	ctx, cancel := context.WithTimeout(n.t.Context(), length)
	defer cancel()
	n.took = times{}
	n.tenant.hanging.Store(hostile)
	var group sync.WaitGroup
	for _, one := range acts() {
		for range one.clients {
			group.Go(func() { n.tenant.repeat(ctx, one, hostile) })
		}
	}
	for kind, probe := range n.probes() {
		group.Go(func() { n.repeat(ctx, kind, probe) })
	}
	group.Wait()
	if n.t.Failed() {
		n.t.FailNow()
	}
	return n.took
}

// probe is a request that is sent at a pace.
type probe struct {
	every  time.Duration
	status int
	send   func() (answer, error)
}

func (n *neighbourhood) probes() [probeKinds]probe {
	id := n.cards[0].ID
	amount := int64(0)
	return [probeKinds]probe{
		probeGet: {50 * time.Millisecond, http.StatusOK, func() (answer, error) {
			return n.client.try("GET", "/cards/"+id, "")
		}},
		probePatch: {200 * time.Millisecond, http.StatusOK, func() (answer, error) {
			amount++
			return n.client.try("PATCH", "/cards/"+n.cards[1].ID, price(amount))
		}},
		probePhoto: {2 * time.Second, http.StatusOK, func() (answer, error) {
			return n.client.put(n.cards[2], megapixels(12))
		}},
		probeIdentify: {4 * time.Second, http.StatusOK, func() (answer, error) {
			return n.client.try("POST", "/identify", `{"card_id":"`+n.cards[3].ID+`"}`)
		}},
	}
}

// repeat sends a probe at its pace until ctx is done. A probe that takes longer than its pace delays the next one.
func (n *neighbourhood) repeat(ctx context.Context, kind int, p probe) {
	pace := time.NewTicker(p.every)
	defer pace.Stop()
	for {
		begun := time.Now()
		got, err := p.send()
		took := time.Since(begun)
		if err != nil || got.status != p.status {
			n.t.Errorf("%s beside another tenant: status %d, want %d: %.300s %v",
				probeNames[kind], got.status, p.status, got.body, err)
			return
		}
		n.mu.Lock()
		n.took[kind] = append(n.took[kind], took)
		n.mu.Unlock()
		select {
		case <-ctx.Done():
			return
		case <-pace.C:
		}
	}
}

// megapixels returns a JPEG of a card's shape with n million pixels.
func megapixels(n int) string {
	photosMu.Lock()
	defer photosMu.Unlock()
	if made := photosMade[n]; made != "" {
		return made
	}
	photo := image.NewYCbCr(image.Rect(0, 0, 3000, n*1000/3), image.YCbCrSubsampleRatio420)
	random := rand.New(rand.NewPCG(1, 1))
	for i := range photo.Y {
		photo.Y[i] = byte(i/3000) ^ byte(random.Uint32()&7)
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, photo, nil); err != nil {
		panic(fmt.Sprintf("encode a photo: %v", err)) // cannot happen
	}
	photosMade[n] = b.String()
	return photosMade[n]
}

var (
	photosMu   sync.Mutex
	photosMade = map[int]string{}
)
