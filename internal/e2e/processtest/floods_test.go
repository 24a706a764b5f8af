package processtest

import (
	"fmt"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// flood repeats a request with concurrent clients for length. The clients have an address that no other client has.
// Their responses are not checked.
func (r *trial) flood(length time.Duration, clients int, request func(base string) (*http.Request, error)) {
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 9)}}
	transport := &http.Transport{DialContext: dialer.DialContext, MaxIdleConnsPerHost: clients}
	defer transport.CloseIdleConnections()
	flooder := http.Client{Transport: transport, Timeout: requestTimeout}
	var group sync.WaitGroup
	for range clients {
		group.Go(func() {
			for end := time.Now().Add(length); time.Now().Before(end); {
				flooding, err := request(r.client().base)
				if err != nil {
					r.t.Error(err)
					return
				}
				if got, err := flooder.Do(flooding); err == nil {
					_, _ = io.Copy(io.Discard, got.Body)
					got.Body.Close()
				}
			}
		})
	}
	group.Wait()
}

// floodTokens sends requests with well-formed tokens that do not exist.
func floodTokens(r *trial, length time.Duration) {
	r.flood(length, 16, func(base string) (*http.Request, error) {
		return authorized(http.MethodGet, base+"/cards", unknownToken(), nil)
	})
}

func authorized(method, url, token string, body io.Reader) (*http.Request, error) {
	request, err := http.NewRequest(method, url, body)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+token)
	request.Header.Set("Content-Type", "application/json")
	return request, nil
}

// peaks returns the peak resident memory of each server's process in bytes, 0 for a process that is just ending.
func (f *fleet) peaks(t testing.TB) (peaks []int64) {
	t.Helper()
	for _, h := range f.serving {
		peak, err := h.pid().Memory("VmHWM")
		if err != nil {
			t.Logf("the memory of %s: %v", h.command, err)
		}
		peaks = append(peaks, peak)
	}
	return peaks
}

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// unknownToken returns a random token with a valid checksum.
func unknownToken() string {
	text := "cv_live_"
	for range 30 {
		text += string(base62[rand.IntN(62)])
	}
	sum, digits := crc32.ChecksumIEEE([]byte(text)), ""
	for range 6 {
		digits = string(base62[sum%62]) + digits
		sum /= 62
	}
	return text + digits
}

// worstBodies are request bodies of the maximum size that are expensive to parse.
var worstBodies = []string{
	`{"cards":[` + strings.Repeat(`{"x":1},`, 900_000) + `{"x":1}]}`,
	`{"cards":[` + strings.Repeat(`{},`, 2_400_000) + `{}]}`,
	`{"cards":` + strings.Repeat(`[`, 5_000_000),
	`{"cards":[{"notes":"` + strings.Repeat(`\u0041`, 1_100_000) + `"}]}`,
}

// maxForBodies is the memory in bytes that a server may allocate for them. It is much more than the server parses at a
// time, and much less than a token's requests of one minute need together.
const maxForBodies = 400 << 20

// floodBodies sends the worst bodies with twenty concurrent clients. A token may send as many a minute.
func floodBodies(r *trial, length time.Duration) {
	before := r.fleet.peaks(r.t)
	defer func() {
		for i, peak := range r.fleet.peaks(r.t) {
			if grown := peak - before[i]; before[i] > 0 && grown > maxForBodies {
				r.t.Errorf("server %d: the peak memory grew by %d MiB, want at most %d",
					i+1, grown>>20, maxForBodies>>20)
			}
		}
	}()
	r.flood(length, 20, func(base string) (*http.Request, error) {
		return authorized(http.MethodPost, base+"/cards", r.fleet.large.token, strings.NewReader(anyOf(worstBodies)))
	})
}

// floodSearches searches for two letters in an account with many cards, with sixty concurrent clients.
func floodSearches(r *trial, length time.Duration) {
	r.flood(length, 60, func(base string) (*http.Request, error) {
		url := base + "/cards?limit=200&q=" + anyOf([]string{"ar", "em", "zq", "o f"})
		return authorized(http.MethodGet, url, r.fleet.large.token, nil)
	})
}

// largeCards is the number of cards in the account for searches.
const largeCards = 20_000

// importCards imports n cards from a file.
func (a *account) importCards(t testing.TB, n int) error {
	t.Helper()
	path := filepath.Join(t.TempDir(), "cards.csv")
	var text strings.Builder
	text.WriteString("title,set,number\n")
	series := rand.Uint32()
	for i := range n {
		fmt.Fprintf(&text, "Ember Fox %d-%d,Harbour Tides,%d/202\n", series, i, i%202+1)
	}
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Error(err)
	}
	return a.settings.run(t, "cards", "import", "--account", a.id, path).failure()
}

// importMany imports many cards with the command line.
func importMany(r *trial, _ time.Duration) {
	r.repeat("the cards are imported", func() error { return r.fleet.large.importCards(r.t, largeCards/10) })
}
