package ebayapi

import (
	"context"
	"encoding/json"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"net/url"
	"path"
	"strings"
	"time"

	"github.com/cardvault/cardvault/internal/marketplaces"
	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
)

// Check returns the Refusal with which Publish refuses the offer without a call, or nil.
func (s *Seller) Check(o marketplaces.Offer) error {
	_, err := s.inventoryItem(o)
	return err
}

// CreateImage uploads a picture to the marketplace's picture service and returns where it is.
func (s *Seller) CreateImage(ctx context.Context, p marketplaces.Picture) (marketplaces.HostedPicture, error) {
	hosted, err := s.createImage(ctx, p)
	if err != nil {
		return hosted, fmt.Errorf("upload picture: %w", asRefusal(err))
	}
	return hosted, nil
}

// createImage reads the image again if the response has its Location only, which the contract requires. The response
// usually has the image itself.
func (s *Seller) createImage(
	ctx context.Context, p marketplaces.Picture,
) (hosted marketplaces.HostedPicture, err error) {
	form, err := imageForm(p)
	if err != nil {
		return hosted, err
	}
	var created plain
	if err := s.patient().call(ctx, http.MethodPost, wire.CreateImagePath, form, &created); err != nil {
		return hosted, err
	}
	var image wire.Image
	if json.Unmarshal(created.body, &image) != nil || image.ImageURL == "" {
		location, err := url.Parse(created.header.Get("Location"))
		if err != nil || location.Path == "" {
			return hosted, s.later("did not return the picture", 0, err)
		}
		id := url.PathEscape(path.Base(location.Path))
		if err := s.call(ctx, http.MethodGet, wire.MediaPath+"/image/"+id, nil, &image); err != nil {
			return hosted, err
		}
	}
	expires, err := time.Parse(time.RFC3339, image.ExpirationDate)
	if err != nil || image.ImageURL == "" {
		return hosted, s.later("did not return the picture", 0, err)
	}
	return marketplaces.HostedPicture{URL: image.ImageURL, Expires: expires}, nil
}

// imageForm returns the body of createImageFromFile.
func imageForm(p marketplaces.Picture) (file, error) {
	var head strings.Builder
	form := multipart.NewWriter(&head)
	extension := strings.TrimPrefix(p.ContentType, "image/")
	_, err := form.CreatePart(textproto.MIMEHeader{
		"Content-Disposition": {multipart.FileContentDisposition(wire.ImagePart, "card."+extension)},
		"Content-Type":        {p.ContentType},
	})
	if err != nil {
		return file{}, fmt.Errorf("ebayapi: form: %w", err)
	}
	tail := "\r\n--" + form.Boundary() + "--\r\n"
	return file{form.FormDataContentType(), [][]byte{[]byte(head.String()), p.Data, []byte(tail)}}, nil
}
