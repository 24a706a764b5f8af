package cardvault

import (
	"errors"
	"io"
	"io/fs"
	"mime"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"
)

const noResults = `{"data":[]}`

// sentForm returns the parts of a form as "field=text" and "field=file:content", sorted.
func sentForm(t *testing.T, r *http.Request, body string) []string {
	t.Helper()
	media, parameters, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || media != "multipart/form-data" {
		t.Fatalf("sent %s, %v", media, err)
	}
	form, err := multipart.NewReader(strings.NewReader(body), parameters["boundary"]).ReadForm(1 << 20)
	if err != nil {
		t.Fatal(err)
	}
	var parts []string
	for field, values := range form.Value {
		parts = append(parts, field+"="+strings.Join(values, ","))
	}
	for field, files := range form.File {
		for _, header := range files {
			file, err := header.Open()
			if err != nil {
				t.Fatal(err)
			}
			content, err := io.ReadAll(file)
			if err != nil {
				t.Fatal(err)
			}
			parts = append(parts, field+"="+header.Filename+":"+string(content))
		}
	}
	slices.Sort(parts)
	return parts
}

func TestScanCards_SendsForm(t *testing.T) {
	path := filepath.Join(t.TempDir(), "front.jpg")
	if err := os.WriteFile(path, []byte("front"), 0o600); err != nil {
		t.Fatal(err)
	}
	r, body := sent(t, func(c *Client) error {
		_, err := c.ScanCards(t.Context(), ScanInput{
			Photos: []ScanPhoto{
				PhotoFile(path), PhotoBytes("back.jpg", []byte("back")),
				PhotoReader("Füchse.png", strings.NewReader("fox")),
			},
			Pairing: ScanPairingName, Location: "Box 4", Condition: ConditionNM, Game: GameMagic, BatchID: "bat_1",
		})
		return err
	})
	want := []string{
		"batch_id=bat_1", "condition=NM", "game=magic", "location=Box 4", "pairing=name", "photos=Füchse.png:fox",
		"photos=back.jpg:back", "photos=front.jpg:front",
	}
	if got := sentForm(t, r, body); !slices.Equal(got, want) || !strings.HasSuffix(r.URL.Path, "/cards/scan") {
		t.Errorf("sent %q to %s, want %q", got, r.URL.Path, want)
	}
	if r.Header.Get("Idempotency-Key") == "" {
		t.Error("sent no idempotency key")
	}
}

func TestScanCards_LeavesOutZeroFields(t *testing.T) {
	r, body := sent(t, func(c *Client) error {
		_, err := c.ScanCards(t.Context(), ScanInput{Photos: []ScanPhoto{PhotoBytes("a.jpg", nil)}})
		return err
	})
	if got := sentForm(t, r, body); !slices.Equal(got, []string{"photos=a.jpg:"}) {
		t.Errorf("sent %q, want the photo alone", got)
	}
}

func TestScanCards_UnreadablePhoto(t *testing.T) {
	broken := errors.New("broken")
	for name, tc := range map[string]struct {
		photo ScanPhoto
		want  error
	}{
		"no file":         {PhotoFile(filepath.Join(t.TempDir(), "none.jpg")), fs.ErrNotExist},
		"a broken reader": {PhotoReader("a.jpg", iotest.ErrReader(broken)), broken},
	} {
		t.Run(name, func(t *testing.T) {
			s, count := inTurn(t)
			_, err := s.client(t).ScanCards(t.Context(), ScanInput{Photos: []ScanPhoto{tc.photo}})
			if !errors.Is(err, tc.want) || *count != 0 {
				t.Errorf("got %v after %d requests, want %v and none", err, *count, tc.want)
			}
		})
	}
}

// A retry sends the same bytes, also of a reader that cannot be read twice.
func TestScanCards_RetrySendsSameBytes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var bodies []string
		keep := func(next service) service {
			return func(r *http.Request) (*http.Response, error) {
				body, err := io.ReadAll(r.Body)
				if err != nil {
					t.Error(err)
				}
				bodies = append(bodies, r.Header.Get("Content-Type")+string(body))
				return next(r)
			}
		}
		unavailable := refuse(http.StatusServiceUnavailable, CodeUnavailable)
		s, _ := inTurn(t, keep(unavailable), keep(respond(http.StatusOK, noResults)))
		photo := PhotoReader("a.jpg", strings.NewReader("photo"))
		if _, err := s.client(t).ScanCards(t.Context(), ScanInput{Photos: []ScanPhoto{photo}}); err != nil {
			t.Fatal(err)
		}
		if bodies[0] != bodies[1] || !strings.Contains(bodies[0], "photo") {
			t.Errorf("sent %q, then %q", bodies[0], bodies[1])
		}
	})
}

func TestScanCards_TimeoutGrowsWithPhotos(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, _ := inTurn(t, hang)
		photo := PhotoBytes("a.jpg", make([]byte, 100*uploadRate))
		var err error
		took := elapsed(func() {
			c := s.client(t, WithTimeout(20*time.Second), WithMaxRetries(0))
			_, err = c.ScanCards(t.Context(), ScanInput{Photos: []ScanPhoto{photo}})
		})
		late, ok := as[*TimeoutError](err)
		if !ok || late.After != took || took < 120*time.Second || took > 121*time.Second {
			t.Errorf("%v after %v, want a TimeoutError after 120 s", err, took)
		}
	})
}
