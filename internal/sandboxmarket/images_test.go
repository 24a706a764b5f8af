package sandboxmarket_test

import (
	"bytes"
	"image"
	"image/png"
	"io"
	"net/http"
	"path"
	"strings"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/marketplaces"
	"github.com/cardvault/cardvault/internal/marketplaces/ebay/ebayapi"
	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
	"github.com/cardvault/cardvault/internal/marketplaces/marketplacetest"
)

// picture returns a picture of a card.
func picture(t *testing.T) marketplaces.Picture {
	t.Helper()
	var data bytes.Buffer
	if err := png.Encode(&data, image.NewGray(image.Rect(0, 0, 600, 840))); err != nil {
		t.Fatal(err)
	}
	return marketplaces.Picture{ContentType: "image/png", Data: data.Bytes()}
}

// create uploads a picture as a seller.
func (m *market) create(t *testing.T, seller string, p marketplaces.Picture) (marketplaces.HostedPicture, error) {
	t.Helper()
	return m.as(t, seller).(*ebayapi.Seller).CreateImage(t.Context(), p)
}

func (m *market) upload(t *testing.T, p marketplaces.Picture) marketplaces.HostedPicture {
	t.Helper()
	hosted, err := m.create(t, "acc_seller", p)
	if err != nil {
		t.Fatal(err)
	}
	return hosted
}

// imagePath returns the path of getImage of an image at an address.
func imagePath(address string) string { return wire.MediaPath + "/image/" + path.Base(address) }

func TestImages_ShowWhatWasUploaded(t *testing.T) {
	t.Parallel()
	m, sent := setup(t), picture(t)
	hosted := m.upload(t, sent)
	if left := time.Until(hosted.Expires); left < 29*24*time.Hour || left > 31*24*time.Hour {
		t.Errorf("the picture exists for %v, want 30 days", left)
	}
	resp, err := http.Get(hosted.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	shown, err := io.ReadAll(resp.Body)
	if err != nil || resp.Header.Get("Content-Type") != "image/png" || !bytes.Equal(shown, sent.Data) {
		t.Errorf("%s shows %d bytes, %v, want the picture", hosted.URL, len(shown), err)
	}
	var read wire.Image
	m.read(t, imagePath(hosted.URL), &read)
	if read.ImageURL != hosted.URL {
		t.Errorf("getImage = %+v, want %s", read, hosted.URL)
	}
}

// A listing keeps its images. An image that no listing uses expires.
func TestImages_ExpireUnlessUsed(t *testing.T) {
	t.Parallel()
	m := setup(t)
	used, unused := m.upload(t, picture(t)), m.upload(t, picture(t))
	listed, late, foreign := newOffer(), newOffer(), newOffer()
	listed.ImageURLs, late.ImageURLs = []string{used.URL}, []string{unused.URL}
	publish(t, m, listed)
	m.mustExec(t, `UPDATE market.images SET expires_at = now() - interval '1 second'`)
	for url, want := range map[string]int{used.URL: http.StatusOK, unused.URL: http.StatusNotFound} {
		resp, err := http.Get(url)
		if err != nil {
			t.Fatal(err)
		}
		if resp.Body.Close(); resp.StatusCode != want {
			t.Errorf("%s: %d, want %d", url, resp.StatusCode, want)
		}
	}
	other, err := m.create(t, "acc_other", picture(t))
	if err != nil {
		t.Fatal(err)
	}
	foreign.ImageURLs = []string{other.URL}
	for name, o := range map[string]marketplaces.Offer{"expired": late, "of another seller": foreign} {
		_, err := marketplacetest.Publish(t.Context(), m.seller, o)
		if refusal, ok := marketplaces.AsRefusal(err); !ok || refusal.Code != "ebay_25015" {
			t.Errorf("Publish with an image that is %s: %v, want the refusal ebay_25015", name, err)
		}
	}
}

func TestImages_Refuses(t *testing.T) {
	t.Parallel()
	m := setup(t)
	large := picture(t)
	large.Data = append(large.Data, make([]byte, wire.MaxImageBytes)...)
	for name, tc := range map[string]struct {
		picture marketplaces.Picture
		code    string
	}{
		"not an image": {marketplaces.Picture{ContentType: "image/png", Data: []byte("no image")}, "ebay_2005"},
		"too large":    {large, "ebay_190003"},
	} {
		_, err := m.create(t, "acc_seller", tc.picture)
		if refusal, ok := marketplaces.AsRefusal(err); !ok || refusal.Code != tc.code {
			t.Errorf("%s: %v, want the refusal %s", name, err, tc.code)
		}
	}
	status, body := m.call(t, "acc_seller", http.MethodGet, wire.MediaPath+"/image/1", "")
	if status != http.StatusNotFound || !strings.Contains(body, "190001") {
		t.Errorf("getImage of an unknown image: %d %s, want 404 and 190001", status, body)
	}
}

// A seller may create 50 images within 5 seconds.
func TestImages_LimitsRate(t *testing.T) {
	t.Parallel()
	m, p := setup(t), picture(t)
	var failed error
	for range wire.MaxImageRate + 1 {
		if _, err := m.create(t, "acc_fast", p); err != nil {
			failed = err
		}
	}
	if !fault.Is(failed, fault.UpstreamError) {
		t.Errorf("image %d: %v, want an error that can be retried", wire.MaxImageRate+1, failed)
	}
	if _, err := m.create(t, "acc_other", p); err != nil {
		t.Errorf("image of another seller: %v", err)
	}
	m.mustExec(t, `UPDATE market.images SET created_at = created_at - interval '6 seconds'`)
	if _, err := m.create(t, "acc_fast", p); err != nil {
		t.Errorf("image after 5 seconds: %v", err)
	}
}
