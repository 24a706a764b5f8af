package marketplacetest

import (
	"bytes"
	"context"
	"image"
	"image/jpeg"
	"net/url"
	"time"

	"github.com/cardvault/cardvault/internal/marketplaces"
)

// pictures uploads pictures and publishes a card with them.
func (s *checked) pictures() {
	host, ok := s.Marketplace.(marketplaces.PictureHost)
	if !ok {
		return
	}
	var data bytes.Buffer
	if err := jpeg.Encode(&data, image.NewGray(image.Rect(0, 0, 600, 840)), nil); err != nil {
		s.t.Fatal(err)
	}
	picture, o, seen := marketplaces.Picture{ContentType: "image/jpeg", Data: data.Bytes()}, Offer(), map[string]bool{}
	o.ImageURLs = nil
	for range 2 {
		hosted, err := host.UploadPicture(s.t.Context(), picture)
		address, parseErr := url.Parse(hosted.URL)
		if err != nil || parseErr != nil || address.Host == "" || hosted.Expires.Before(time.Now()) {
			s.t.Fatalf("UploadPicture = %+v, %v, want an address that is valid", hosted, err)
		}
		o.ImageURLs, seen[hosted.URL] = append(o.ImageURLs, hosted.URL), true
	}
	if len(seen) != 2 {
		s.t.Errorf("two uploads have the addresses %v, want two", seen)
	}
	if err := host.CheckOffer(s.t.Context(), o); err != nil {
		s.t.Errorf("CheckOffer: %v", err)
	}
	if _, err := Publish(s.t.Context(), s, o); err != nil {
		s.t.Errorf("Publish with uploaded pictures: %v", err)
	}
	untitled := Offer()
	untitled.Title = ""
	s.wantRefused(host.CheckOffer(s.t.Context(), untitled), marketplaces.CodeTitle)
	_, err := host.UploadPicture(s.t.Context(), marketplaces.Picture{ContentType: "image/jpeg", Data: []byte("broken")})
	if _, refused := marketplaces.AsRefusal(err); !refused {
		s.t.Errorf("UploadPicture of a broken picture: %v, want a refusal", err)
	}
	ctx, cancel := context.WithCancel(s.t.Context())
	cancel()
	_, err = host.UploadPicture(ctx, picture)
	if _, refused := marketplaces.AsRefusal(err); err == nil || refused {
		s.t.Errorf("UploadPicture with a cancelled context: got %v, want an error that can be retried", err)
	}
}
