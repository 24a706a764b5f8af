package delivery

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/webhooks"
)

// BenchmarkEngine publishes b.N events in transactions of one or many, and waits until all are delivered to a sink
// that verifies the signatures. It reports events/s, and CPU milliseconds per event of this process (publishers,
// engine and sink) and of PostgreSQL.
//
// The cluster of make test does not sync to disk. For representative results, point CARDVAULT_TEST_DATABASE_URL to a
// server that does, and use -benchtime=20000x.
func BenchmarkEngine(b *testing.B) {
	for _, c := range []struct {
		name                         string
		accounts, publishers, perTxn int
	}{
		{"32_publishers_32_accounts", 32, 32, 1},
		{"32_publishers_1_account", 1, 32, 1},
		{"1_publisher_bulk", 1, 1, 1000},
	} {
		b.Run(c.name, func(b *testing.B) { benchmarkEngine(b, c.accounts, c.publishers, c.perTxn) })
	}
}

func benchmarkEngine(b *testing.B, accounts, publishers, perTxn int) {
	env := newTestEnv(b, clock.System)
	must(b, Prepare(context.Background(), env.db, env.clock))
	var left atomic.Int64
	left.Store(int64(b.N))
	done := make(chan struct{})
	secrets := map[string]string{} // by path
	s := env.verifyingSink(b, secrets, func() {
		if left.Add(-1) == 0 {
			close(done)
		}
	})
	names := make([]string, accounts)
	for i := range names {
		env.account = env.newAccount()
		path := "/" + strconv.Itoa(i)
		_, secret := env.register(s.URL + path)
		names[i], secrets[path] = env.account, secret
	}
	e := env.engine(Config{})
	own, server := processCPU(), serverCPU(b, env.db)
	b.ResetTimer()
	env.publish(b, names, publishers, perTxn)
	<-done
	b.StopTimer()
	stop(b, e) // storing the last results counts as CPU, not as time
	perEvent := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 / float64(b.N) }
	ownUsed, serverUsed := processCPU()-own, serverCPU(b, env.db)-server
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "events/s")
	b.ReportMetric(perEvent(ownUsed), "go-cpu-ms/event")
	b.ReportMetric(perEvent(serverUsed), "pg-cpu-ms/event")
	b.ReportMetric(perEvent(ownUsed+serverUsed), "cpu-ms/event")
	if n := env.count(`SELECT count(*) FROM deliveries_delivered`); n != b.N {
		b.Errorf("%d of %d stored as delivered", n, b.N)
	}
}

// BenchmarkClaim claims one of 1,000 due deliveries by each of the claim statements. Each claim is rolled back.
func BenchmarkClaim(b *testing.B) {
	env := newTestEnv(b, clock.System)
	endpoint, _ := env.register("http://127.0.0.1:9999/")
	env.record(1000)
	env.exec("UPDATE endpoint_wakeups SET wake_at = now()")
	env.exec("ANALYZE")
	request := claimRequest{
		key: webhooks.EndpointKey{Account: env.account, Endpoint: endpoint.ID}, limit: 1,
		lease: lease{id: 7, length: time.Hour}, dueFrom: &time.Time{},
	}
	covered, woken := request, request
	covered.cover = cover{until: time.Now().Add(24 * time.Hour)}
	woken.woken = true
	rollBack := errors.New("roll back")
	for _, c := range []struct {
		name    string
		request claimRequest
	}{{"hinted", request}, {"covered", covered}, {"woken", woken}} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				err := env.db.InTx(b.Context(), func(tx *postgres.Tx) error {
					got, err := claim(b.Context(), tx.Unprepared(), env.clock, c.request)
					if err != nil || len(got.jobs) != 1 {
						b.Fatalf("claimed %d, %v, want 1", len(got.jobs), err)
					}
					return rollBack
				})
				if !errors.Is(err, rollBack) {
					b.Fatal(err)
				}
			}
		})
	}
}

func (env *testEnv) verifyingSink(b *testing.B, secrets map[string]string, counted func()) *sink {
	s := env.sink(nil)
	s.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			b.Error(err)
		}
		if err := webhooks.Verify(secrets[r.URL.Path], r.Header.Get(webhooks.Header), body, time.Now()); err != nil {
			b.Error(err)
		}
		counted()
	})
	return s
}

// publish records b.N events of about 500 bytes.
func (env *testEnv) publish(b *testing.B, accounts []string, publishers, perTxn int) {
	ctx := context.Background()
	data := make([]events.Data, perTxn)
	for i := range data {
		data[i] = events.BatchCompleted{BatchID: "bat_x", Name: strings.Repeat("Autumn ", 36), CardCount: i}
	}
	recorder := events.NewRecorder(env.outbox)
	var next atomic.Int64
	var publishing sync.WaitGroup
	for p := range publishers {
		account := accounts[p%len(accounts)]
		publishing.Go(func() {
			for {
				end := next.Add(int64(perTxn))
				n := min(perTxn, b.N-int(end)+perTxn)
				if n <= 0 {
					return
				}
				err := env.db.InTx(ctx, func(tx *postgres.Tx) error {
					stamp, err := env.clock.Lock(ctx, tx, account)
					if err != nil {
						return err
					}
					return recorder.Record(ctx, tx, stamp, data[:n]...)
				})
				if err != nil {
					b.Error(err)
				}
			}
		})
	}
	publishing.Wait()
}

// BenchmarkLatency records 200 events per second, one per transaction, and reports the time from the commit to the
// request.
func BenchmarkLatency(b *testing.B) {
	env := newTestEnv(b, clock.System)
	must(b, Prepare(context.Background(), env.db, env.clock))
	s := env.sink(nil)
	env.register(s.URL)
	env.engine(Config{})
	committed := make([]time.Time, b.N)
	took := make([]time.Duration, b.N)
	pace := time.NewTicker(time.Second / 200)
	defer pace.Stop()
	b.ResetTimer()
	for i := range b.N {
		<-pace.C
		env.record(1)
		committed[i] = time.Now()
	}
	for i := range b.N {
		// At this rate, requests arrive in the order of the commits.
		took[i] = max(0, (<-s.requests).at.Sub(committed[i]))
	}
	b.StopTimer()
	slices.Sort(took)
	for _, p := range []int{50, 95, 99} {
		b.ReportMetric(float64(took[b.N*p/100].Microseconds())/1000, fmt.Sprintf("p%d-ms", p))
	}
}

// processCPU returns the CPU time that this process has used.
func processCPU() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// serverCPU returns the CPU time of the database server's processes, or 0 if they are not visible. A clock tick is 10
// ms on Linux.
func serverCPU(b *testing.B, db *postgres.DB) time.Duration {
	var backend int
	must(b, db.Get(context.Background(), &backend, `SELECT pg_backend_pid()`))
	postmaster, _ := processStat(backend)
	total := time.Duration(0)
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	must(b, err)
	for _, path := range stats {
		var pid int
		if _, err := fmt.Sscanf(path, "/proc/%d/stat", &pid); err != nil {
			continue
		}
		if parent, used := processStat(pid); parent == postmaster || pid == postmaster {
			total += used
		}
	}
	return total
}

// processStat returns a process's parent, and the CPU time of the process and its finished children.
func processStat(pid int) (parent int, used time.Duration) {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, 0
	}
	_, rest, _ := strings.Cut(string(raw), ") ")
	fields := strings.Fields(rest) // fields from the process state on
	parent, _ = strconv.Atoi(fields[1])
	for _, i := range []int{11, 12, 13, 14} {
		ticks, _ := strconv.Atoi(fields[i])
		used += time.Duration(ticks) * 10 * time.Millisecond
	}
	return parent, used
}
