package sandboxmarket

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"image"
	_ "image/jpeg" // the formats of images
	_ "image/png"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	_ "golang.org/x/image/webp"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
	"github.com/cardvault/cardvault/internal/postgres"
)

const (
	// imageLife is how long an image exists that no listing uses.
	imageLife = 30 * 24 * time.Hour
	// imagesPath is the path below which the images are shown. Their addresses need no token.
	imagesPath = "/images/"
)

// storedImage is a row of market.images.
type storedImage struct {
	ImageID     string    `db:"image_id"`
	Seller      string    `db:"seller"`
	ContentType string    `db:"content_type"`
	Data        []byte    `db:"data"`
	ExpiresAt   time.Time `db:"expires_at"`
}

// The errors of the Media API. The published contract lists no errors of its operations for images, so these have the
// identifiers of its other operations, or of all of eBay's APIs.
var (
	imageNotFound = mediaError(http.StatusNotFound, 190001, "The specified image_id does not exist.")
	imageTooLarge = mediaError(http.StatusBadRequest, 190003,
		"Maximum size exceeded for supported uploads. An image has at most 12 MB.")
	notAnImage = &apiError{http.StatusUnsupportedMediaType, []wire.Error{{ErrorID: wire.UnsupportedMedia,
		Domain: "ACCESS", Category: "REQUEST", Message: "Unsupported or not specified media type",
		LongMessage: "Media type in the request is either missing or unsupported."}}}
)

func mediaError(status, id int, message string) *apiError {
	return &apiError{status, []wire.Error{{ErrorID: id, Domain: "API_MEDIA", Category: "REQUEST",
		Message: message, LongMessage: message}}}
}

func (s *server) createImage(w http.ResponseWriter, r *http.Request, from caller) error {
	data, contentType, err := readImage(r)
	if err != nil {
		return err
	}
	img := storedImage{
		ImageID: number(20), Seller: from.seller, ContentType: contentType, Data: data, ExpiresAt: now().Add(imageLife),
	}
	if err := s.store.addImage(r.Context(), img); err != nil {
		return err
	}
	w.Header().Set("Location", origin(r)+wire.MediaPath+"/image/"+img.ImageID)
	writeJSON(w, http.StatusCreated, img.wire(r))
	return nil
}

// readImage returns the file of the form.
func readImage(r *http.Request) (data []byte, contentType string, err error) {
	form, err := r.MultipartReader()
	if err != nil {
		return nil, "", notAnImage
	}
	part, err := form.NextPart()
	if err != nil || part.FormName() != wire.ImagePart || part.FileName() == "" {
		return nil, "", notAnImage
	}
	data, err = io.ReadAll(io.LimitReader(part, wire.MaxImageBytes+1))
	switch tooLarge := (*http.MaxBytesError)(nil); {
	case errors.As(err, &tooLarge) || len(data) > wire.MaxImageBytes:
		return nil, "", imageTooLarge
	case err != nil:
		return nil, "", fmt.Errorf("sandboxmarket: read image: %w", err)
	}
	_, format, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil, "", notAnImage
	}
	return data, "image/" + format, nil
}

func (s *server) getImage(w http.ResponseWriter, r *http.Request, from caller) error {
	img, err := s.store.image(r.Context(), r.PathValue("image_id"), from.seller)
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, img.wire(r))
	return nil
}

// showImage serves an image to anyone.
func (s *server) showImage(w http.ResponseWriter, r *http.Request) {
	img, err := s.store.image(r.Context(), r.PathValue("image"), "")
	if err != nil {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", img.ContentType)
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Write(img.Data)
}

// wire returns the image as getImage shows it.
func (i storedImage) wire(r *http.Request) wire.Image {
	return wire.Image{
		ImageURL:       origin(r) + imagesPath + i.ImageID,
		ExpirationDate: i.ExpiresAt.UTC().Format(wire.TimeFormat),
	}
}

// origin returns the address at which the marketplace was called.
func origin(r *http.Request) string {
	if r.TLS != nil {
		return "https://" + r.Host
	}
	return "http://" + r.Host
}

// addImage stores an image unless the seller has created too many within a few seconds. It deletes images that have
// expired.
func (s store) addImage(ctx context.Context, i storedImage) error {
	return s.db.InTx(ctx, func(tx *postgres.Tx) error {
		var recent int
		err := tx.Get(ctx, &recent, `SELECT count(*) FROM market.images WHERE seller = $1 AND created_at > $2`,
			i.Seller, now().Add(-wire.ImageRateSeconds*time.Second))
		if err != nil {
			return fmt.Errorf("add image: %w", err)
		}
		if recent >= wire.MaxImageRate {
			return quotaUsed
		}
		_, err = tx.Exec(ctx, `
			WITH expired AS (DELETE FROM market.images WHERE NOT used AND expires_at < $6)
			INSERT INTO market.images (image_id, seller, content_type, data, created_at, expires_at)
			VALUES ($1, $2, $3, $4, $6, $5)`, i.ImageID, i.Seller, i.ContentType, i.Data, i.ExpiresAt, now())
		if err != nil {
			return fmt.Errorf("add image: %w", err)
		}
		return nil
	})
}

// image returns an image. An empty seller matches any.
func (s store) image(ctx context.Context, imageID, seller string) (img storedImage, err error) {
	err = s.db.Get(ctx, &img, `
		SELECT image_id, seller, content_type, data, expires_at FROM market.images
		WHERE image_id = $1 AND ($2 = '' OR seller = $2) AND (used OR expires_at > $3)`, imageID, seller, now())
	if errors.Is(err, sql.ErrNoRows) {
		return img, imageNotFound
	}
	return img, err
}

// publish publishes the offer with a new identifier of a listing. Its images of the picture service must exist, and do
// not expire any more. Like eBay, it does not look at images of other servers before it shows the listing.
func publish(ctx context.Context, tx *postgres.Tx, o *offer) error {
	if err := o.publish(number(12)); err != nil {
		return err
	}
	item, _, err := o.content()
	if err != nil {
		return err
	}
	var ids []string
	for _, address := range item.Product.ImageURLs {
		u, err := url.Parse(address)
		if err != nil {
			continue // checked by checkProduct
		}
		if imageID, ok := strings.CutPrefix(u.Path, imagesPath); ok {
			ids = append(ids, imageID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	var count int
	err = tx.Get(ctx, &count, `
		WITH used AS (
			UPDATE market.images SET used = true
			WHERE image_id = ANY($1) AND seller = $2 AND (used OR expires_at > $3) RETURNING image_id
		)
		SELECT count(*) FROM used`, pq.Array(ids), o.Seller, now())
	if err != nil {
		return fmt.Errorf("publish images: %w", err)
	}
	if count < len(ids) {
		return badRequest(25015, "The offer has an invalid picture URL. The picture does not exist any more.")
	}
	return nil
}
