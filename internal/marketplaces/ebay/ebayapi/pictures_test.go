package ebayapi

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/marketplaces"
	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
)

func TestSeller_CreateImage(t *testing.T) {
	t.Parallel()
	const image = `{"imageUrl": "https://i.example/1.jpg", "expirationDate": "2026-01-31T12:00:00.000Z"}`
	for name, tc := range map[string]struct {
		location, body string // of the response to createImageFromFile
		reads          int    // calls of getImage
		fails          bool
	}{
		"image in the response":      {"https://apim.example" + wire.MediaPath + "/image/17", image, 0, false},
		"Location only":              {"https://apim.example" + wire.MediaPath + "/image/17", "", 1, false},
		"relative Location":          {wire.MediaPath + "/image/17", "{}", 1, false},
		"neither":                    {"", "", 0, true},
		"address without expiration": {"", `{"imageUrl": "https://i.example/1.jpg"}`, 0, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			reads := 0
			seller := against(t, func(w http.ResponseWriter, r *http.Request) {
				switch r.Method + " " + r.URL.Path {
				case "POST " + wire.CreateImagePath:
					file, head, err := r.FormFile(wire.ImagePart)
					if err != nil {
						t.Errorf("the request has no image: %v", err)
						return
					}
					data, err := io.ReadAll(file)
					if string(data) != "a picture" || head.Filename != "card.jpeg" ||
						head.Header.Get("Content-Type") != "image/jpeg" || r.ContentLength <= 0 {
						t.Errorf("got %q, %+v of %d bytes, %v, want the picture", data, head, r.ContentLength, err)
					}
					w.Header().Set("Location", tc.location)
					w.WriteHeader(http.StatusCreated)
					io.WriteString(w, tc.body)
				case "GET " + wire.MediaPath + "/image/17":
					reads++
					io.WriteString(w, image)
				default:
					t.Errorf("unexpected request %s %s", r.Method, r.URL)
				}
			})
			seller.cfg.MediaURL = seller.cfg.BaseURL
			got, err := seller.CreateImage(t.Context(), marketplaces.Picture{
				ContentType: "image/jpeg", Data: []byte("a picture"),
			})
			if tc.fails {
				if !fault.Is(err, fault.UpstreamError) {
					t.Errorf("CreateImage = %+v, %v, want an error that can be retried", got, err)
				}
				return
			}
			want := marketplaces.HostedPicture{
				URL: "https://i.example/1.jpg", Expires: time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC),
			}
			if err != nil || got != want || reads != tc.reads {
				t.Errorf("CreateImage = %+v, %v after %d reads, want %+v after %d", got, err, reads, want, tc.reads)
			}
		})
	}
}

// The marketplace refuses a picture for good, or the upload can be repeated.
func TestSeller_CreateImageFailures(t *testing.T) {
	t.Parallel()
	for status, refused := range map[int]bool{
		400: true, 413: true, 415: true, 401: false, 403: false, 429: false, 500: false, 503: false,
	} {
		seller := against(t, func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			io.WriteString(w, reasons)
		})
		seller.cfg.MediaURL = seller.cfg.BaseURL
		_, err := seller.CreateImage(t.Context(), marketplaces.Picture{ContentType: "image/png", Data: []byte("x")})
		_, ok := marketplaces.AsRefusal(err)
		if err == nil || ok != refused || strings.Contains(err.Error(), "secret") {
			t.Errorf("CreateImage after %d = %v, want a refusal: %v", status, err, refused)
		}
	}
}
