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

// flood repeats a request by so many clients at once, from an address that no other client has, until the time is over.
// What they are answered is their own trouble.
func (r *trial) flood(length time.Duration, clients int, request func(base string) (*http.Request, error)) {
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 9)}}
	transport := &http.Transport{DialContext: dialer.DialContext, MaxIdleConnsPerHost: clients}
	defer transport.CloseIdleConnections()
	flooding := http.Client{Transport: transport, Timeout: patience}
	var group sync.WaitGroup
	for range clients {
		group.Go(func() {
			for end := time.Now().Add(length); time.Now().Before(end); {
				asked, err := request(r.client().base)
				if err != nil {
					r.t.Error(err)
					return
				}
				if got, err := flooding.Do(asked); err == nil {
					_, _ = io.Copy(io.Discard, got.Body)
					got.Body.Close()
				}
			}
		})
	}
	group.Wait()
}

// floodTokens sends requests with tokens that are well formed and do not exist.
func floodTokens(r *trial, length time.Duration) {
	r.flood(length, 16, func(base string) (*http.Request, error) {
		return authorized(http.MethodGet, base+"/cards", madeUpToken(), nil)
	})
}

func authorized(method, url, token string, body io.Reader) (*http.Request, error) {
	asked, err := http.NewRequest(method, url, body)
	if err == nil {
		asked.Header.Set("Authorization", "Bearer "+token)
		asked.Header.Set("Content-Type", "application/json")
	}
	return asked, err
}

// peaks are the most that each server's process has ever had resident, in bytes; 0 if it is just ending.
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

// madeUpToken has the form and the checksum of a token.
func madeUpToken() string {
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

// worstBodies are as large as may be and as dear to read as they can be made.
var worstBodies = []string{
	`{"cards":[` + strings.Repeat(`{"x":1},`, 900_000) + `{"x":1}]}`,
	`{"cards":[` + strings.Repeat(`{},`, 2_400_000) + `{}]}`,
	`{"cards":` + strings.Repeat(`[`, 5_000_000),
	`{"cards":[{"notes":"` + strings.Repeat(`\u0041`, 1_100_000) + `"}]}`,
}

// maxForBodies is how much more memory a server may take for them: far more than what is allowed to be worked on at
// once, and far less than all of them take that a token may send within a minute.
const maxForBodies = 400 << 20

// floodBodies sends the worst bodies, twenty at once: a token's minute.
func floodBodies(r *trial, length time.Duration) {
	before := r.fleet.peaks(r.t)
	defer func() {
		for i, peak := range r.fleet.peaks(r.t) {
			if grown := peak - before[i]; before[i] > 0 && grown > maxForBodies {
				r.t.Errorf("server %d took %d MiB more for bodies", i+1, grown>>20)
			}
		}
	}()
	r.flood(length, 20, func(base string) (*http.Request, error) {
		return authorized(http.MethodPost, base+"/cards", r.fleet.large.token, strings.NewReader(anyOf(worstBodies)))
	})
}

// floodSearches searches by two letters in an account with many cards, sixty times at once.
func floodSearches(r *trial, length time.Duration) {
	r.flood(length, 60, func(base string) (*http.Request, error) {
		return authorized(http.MethodGet, base+"/cards?limit=200&q="+anyOf([]string{"ar", "em", "zq", "o f"}), r.fleet.large.token, nil)
	})
}

// largeCards is how many cards the account for searches has.
const largeCards = 20_000

// importCards imports so many cards from a file.
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

// importMany imports many cards from a file, from the command line.
func importMany(r *trial, _ time.Duration) {
	r.repeat("the cards are imported", func() error { return r.fleet.large.importCards(r.t, largeCards/10) })
}
