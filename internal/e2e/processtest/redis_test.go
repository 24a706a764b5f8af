package processtest

import (
	"context"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/redis/go-redis/v9"

	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

// redisServer is a Redis server that belongs to one test, which may kill it.
type redisServer struct {
	t      testing.TB
	socket string
	client *redis.Client
	kill   func()
}

func newRedis(t testing.TB) *redisServer {
	t.Helper()
	dir, err := os.MkdirTemp("", "cv") // a socket's path must be short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	r := &redisServer{t: t, socket: filepath.Join(dir, "redis.sock")}
	r.client = redis.NewClient(&redis.Options{Network: "unix", Addr: r.socket, MaxRetries: -1})
	t.Cleanup(func() { r.client.Close() })
	r.start()
	t.Cleanup(func() { r.kill() })
	return r
}

// start starts the server, which stores nothing on disk.
func (r *redisServer) start() {
	r.t.Helper()
	command := exec.Command("redis-server", "--port", "0", "--unixsocket", r.socket,
		"--save", "", "--appendonly", "no", "--dir", filepath.Dir(r.socket))
	if err := command.Start(); err != nil {
		r.t.Fatalf("redis-server: %v; make setup installs it", err)
	}
	r.kill = func() {
		_ = command.Process.Kill() // fails if the process has ended
		_ = command.Wait()
	}
	eventually(r.t, "Redis answers", func() bool { return r.client.Ping(context.Background()).Err() == nil })
}

// counts reports whether the service counts requests in this server.
func (r *redisServer) counts() bool {
	keys, err := r.client.Keys(context.Background(), "*").Result()
	return err == nil && len(keys) > 0
}

// After Redis is killed, no request fails and the server enforces the limit with the requests counted so far. It uses
// Redis again when Redis is back.
func TestRedis_Killed(t *testing.T) {
	t.Parallel()
	const limit = 200
	shared := newRedis(t)
	s := newSettings(t, pgtest.URL(t)).with("CARDVAULT_REDIS_URL", "unix://"+shared.socket)
	owner := s.account(t)
	_, limited := owner.newToken("read=" + strconv.Itoa(limit))
	_, other := owner.newToken("read=1000000")
	server := s.serve(t)

	c, made := server.client(limited), 0
	read := func(status int) answer {
		t.Helper()
		made++
		return c.do("GET", "/cards", "", status, nil)
	}
	eventually(t, "requests are counted in Redis", func() bool { read(http.StatusOK); return shared.counts() })
	shared.kill()
	for made < limit {
		got := read(http.StatusOK).header.Get("X-RateLimit-Remaining")
		if want := strconv.Itoa(limit - made); got != want {
			t.Fatalf("%s requests remain after %d of %d", got, made, limit)
		}
	}
	refused := read(http.StatusTooManyRequests)
	if code, _ := refused.problem(); code != "rate_limited" || refused.header.Get("Retry-After") == "" {
		t.Errorf("the request over the limit got %s with the headers %v", refused.body, refused.header)
	}

	shared.start()
	another := server.client(other)
	eventually(t, "requests are counted in Redis again", func() bool {
		another.do("GET", "/cards", "", http.StatusOK, nil)
		return shared.counts()
	})
}
