package remote_test

import (
	"bytes"
	"fmt"
	"image"
	"image/jpeg"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/identify"
	"github.com/cardvault/cardvault/internal/identify/providers/cardsight"
	"github.com/cardvault/cardvault/internal/identify/providers/gemini"
	"github.com/cardvault/cardvault/internal/identify/providers/openai"
	"github.com/cardvault/cardvault/internal/identify/providers/remote"
	"github.com/cardvault/cardvault/internal/identify/spend"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

const (
	account = "acc_ada"
	// key is the key of all companies. TestMain checks that it was never logged.
	key = "sk-hush-1f9a"
	// said is in responses that no error may quote.
	said = "the company said this"
)

// logged is everything that was logged by the tests of this package.
var logged struct {
	sync.Mutex
	bytes.Buffer
}

type logWriter struct{}

func (logWriter) Write(p []byte) (int, error) {
	logged.Lock()
	defer logged.Unlock()
	return logged.Write(p)
}

func TestMain(m *testing.M) {
	slog.SetDefault(slog.New(slog.NewTextHandler(logWriter{}, &slog.HandlerOptions{Level: slog.LevelDebug})))
	code := m.Run()
	for _, secret := range []string{key, said, "127.0.0.1"} {
		if strings.Contains(logged.String(), secret) {
			fmt.Fprintf(os.Stderr, "the log contains %q:\n%s\n", secret, logged.String())
			code = 1
		}
	}
	os.Exit(code)
}

// company is a company whose API a local server stands in for.
type company struct {
	name, path, keyHeader, keyValue string
	open                            func(t *testing.T, baseURL string) remote.Client
}

var companies = []company{
	{cardsight.Name, "/v1/identify/card/pokemon", "X-API-Key", key, func(_ *testing.T, url string) remote.Client {
		return cardsight.New(cardsight.Config{BaseURL: url, Key: key, Segment: "pokemon"})
	}},
	{gemini.Name, "/v1beta/models/flash:generateContent", "X-Goog-Api-Key", key,
		func(t *testing.T, url string) remote.Client {
			client, err := gemini.New(t.Context(), gemini.Config{BaseURL: url, Key: key, Model: "flash"})
			if err != nil {
				t.Fatal(err)
			}
			return client
		}},
	{openai.Name, "/v1/chat/completions", "Authorization", "Bearer " + key,
		func(_ *testing.T, url string) remote.Client {
			return openai.New(openai.Config{BaseURL: url + "/v1", Key: key, Model: "mini"})
		}},
}

// response returns the recorded response of a company. Those of models have the answer, by default that of answer.json.
func response(t *testing.T, name, answer string) string {
	t.Helper()
	if answer == "" {
		answer = file(t, "answer.json")
	}
	return strings.Replace(file(t, name+".json"), "ANSWER", strconv.Quote(answer), 1)
}

func file(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// answering returns a handler that sends a response.
func answering(status int, body string, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/json")
		for i := 0; i < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// catalogued are the cards of the catalogue.
const catalogued = `id,game,name,set,set_code,number,printed_total,year,language
p1,pokemon,Ember Fox,First Light,FLT,8,193,2022,en
p2,pokemon,Ember Fox,Second Dawn,SDN,8,180,2021,en
p3,pokemon,Ember Fox,First Light,FLT,9,193,2022,en
p4,pokemon,Glass Heron,Promos,PRM,SWSH179,,2020,en
m1,magic,Ember Fox,Duel Night,DLN,8,,2018,en
`

// lab identifies photos by one company.
type lab struct {
	provider *remote.Provider
	chain    identify.Chain
	budget   *spend.Budget
	metrics  *remote.Metrics
	requests atomic.Int32
}

// setup returns a lab whose company is a handler. A call costs a cent, and an account may spend a dollar.
func setup(t *testing.T, c company, handler http.HandlerFunc) *lab {
	t.Helper()
	db := pgtest.New(t)
	catalogue := catalog.New(db)
	path := filepath.Join(t.TempDir(), "cards.csv")
	if err := os.WriteFile(path, []byte(catalogued), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := catalogue.Import(t.Context(), catalog.CSV, path, nil); err != nil {
		t.Fatal(err)
	}
	l := &lab{budget: spend.New(db, spend.Dollars(1)), metrics: remote.NewMetrics()}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		l.requests.Add(1)
		handler(w, r)
	}))
	t.Cleanup(server.Close)
	l.provider = remote.New(remote.Config{
		Name: c.name, Client: c.open(t, server.URL), Catalogue: catalogue, Budget: l.budget, Cost: spend.Dollars(0.01),
		Threshold: identify.DefaultThreshold, Metrics: l.metrics,
	})
	l.chain = identify.Chain{
		Providers: []identify.Provider{l.provider}, Threshold: identify.DefaultThreshold, Timeout: testTimeout,
	}
	return l
}

// photo returns a photo in several colours, whose metadata has a place.
func photo(t *testing.T, width, height int) identify.Photo {
	t.Helper()
	picture := image.NewRGBA(image.Rect(0, 0, width, height))
	for i := range picture.Pix {
		picture.Pix[i] = uint8(i/4/width*7 ^ i/64)
	}
	var plain bytes.Buffer
	if err := jpeg.Encode(&plain, picture, nil); err != nil {
		t.Fatal(err)
	}
	exif := "Exif\x00\x00MM\x00\x2a\x00\x00\x00\x08\x00\x00" + "secret place"
	withPlace := append([]byte{0xff, 0xd8, 0xff, 0xe1, 0, byte(len(exif) + 2)}, exif...)
	return identify.Photo{AccountID: account, Bytes: append(withPlace, plain.Bytes()[2:]...), ContentType: "image/jpeg"}
}

// small returns a small photo.
func small(t *testing.T) identify.Photo {
	t.Helper()
	return photo(t, 300, 400)
}
