package listings

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/marketplaces"
	"github.com/cardvault/cardvault/internal/marketplaces/ebay/ebayapi"
)

// hosting is a sandbox marketplace with bulk calls that stores the pictures itself, as eBay does.
type hosting struct {
	bulk
	api     *ebayapi.Seller
	uploads *uploads
}

// uploads counts uploads, and may fail them.
type uploads struct {
	mu   sync.Mutex
	made int
	fail func(n int) error
}

func (h hosting) CheckOffer(_ context.Context, o marketplaces.Offer) error { return h.api.Check(o) }

func (h hosting) UploadPicture(
	ctx context.Context, p marketplaces.Picture,
) (marketplaces.HostedPicture, error) {
	h.uploads.mu.Lock()
	h.uploads.made++
	n, fail := h.uploads.made, h.uploads.fail
	h.uploads.mu.Unlock()
	if fail != nil {
		if err := fail(n); err != nil {
			return marketplaces.HostedPicture{}, err
		}
	}
	return h.api.CreateImage(ctx, p)
}

// setupHosting is setupBulk with a marketplace that stores the pictures.
func setupHosting(t *testing.T) (*shop, *uploads) {
	t.Helper()
	s, sizes := setupBulk(t)
	made := &uploads{}
	s.sellTogether(func(account string) marketplaces.Marketplace {
		there := s.seller(account).(hooked)
		return hosting{bulk{there, sizes}, there.Marketplace.(*ebayapi.Seller), made}
	})
	s.cfg.LoadPhoto = func(context.Context, string, cards.Photo, int) ([]byte, string, error) {
		return photo, "image/jpeg", nil
	}
	s.worker = NewWorker(s.Service)
	return s, made
}

// addPhoto adds a photo of the back to the card of a listing.
func (s *shop) addPhoto(cardID string, width, height int) {
	s.t.Helper()
	back := cards.Photo{
		ID: id.New(id.Photo, time.Now()), Role: cards.RoleBack, Status: cards.PhotoReady, ContentType: "image/jpeg",
		Width: width, Height: height,
	}
	if _, _, err := s.cards.PutPhoto(s.t.Context(), s.account, cardID, back); err != nil {
		s.t.Fatal(err)
	}
}

// pictured returns how many images the marketplace has, and how many of them a listing uses.
func (s *shop) pictured() (got struct{ All, Used int }) {
	s.t.Helper()
	err := s.db.Get(s.t.Context(), &got, `
		SELECT count(*) AS all, count(*) FILTER (WHERE used) AS used FROM market.images`)
	if err != nil {
		s.t.Fatal(err)
	}
	return got
}

// wantNoPictures checks that no listing that is not publishing refers to pictures.
func (s *shop) wantNoPictures() {
	s.t.Helper()
	var left int
	err := s.db.Get(s.t.Context(), &left,
		`SELECT count(*) FROM listings WHERE pictures IS NOT NULL AND status <> 'publishing'`)
	if err != nil || left > 0 {
		s.t.Errorf("%d listings still refer to their pictures, %v", left, err)
	}
}

func TestPictures_UploadedOnce(t *testing.T) {
	t.Parallel()
	s, made := setupHosting(t)
	l := s.publish()
	s.addPhoto(l.CardID, 600, 840)
	s.addPhoto(l.CardID, 600, 840) // replaces the one before
	lost := errors.New("connection reset")
	made.fail = func(n int) error {
		if n == 2 {
			return lost
		}
		return nil
	}
	s.setHook(func(string, func() error) error { return lost })
	s.processed(l, Publishing) // one of two pictures is uploaded
	s.pass(time.Minute)
	s.processed(l, Publishing) // the other one is, then publishing fails
	if diff := cmp.Diff(3, made.made); diff != "" {
		t.Errorf("uploads (-want +got):\n%s", diff)
	}
	s.hook.Store(nil)
	s.pass(time.Hour)
	l = s.processed(l, Live)
	if got := s.pictured(); made.made != 3 || got.All != 2 || got.Used != 2 {
		t.Errorf("%d uploads and %+v images, want 3, of which 2 are images that the listing uses", made.made, got)
	}
	s.wantNoPictures()
	title := "Ember Fox, foil"
	if _, err := s.Update(t.Context(), s.account, l.ID, UpdateInput{Title: &title}, nil); err != nil {
		t.Fatal(err)
	}
	s.processDue()
	var shown int
	err := s.db.Get(t.Context(), &shown, `
		SELECT jsonb_array_length(item::jsonb #> '{product,imageUrls}') FROM market.offers
		WHERE item LIKE '%foil%' AND item LIKE '%/images/%'`)
	if err != nil || shown != 2 || made.made != 3 {
		t.Errorf("the revised listing has %d pictures after %d uploads, %v, want the same 2", shown, made.made, err)
	}
}

// A picture that an earlier attempt uploaded has expired. It is uploaded again.
func TestPictures_UploadedAgainWhenExpired(t *testing.T) {
	t.Parallel()
	s, made := setupHosting(t)
	l := s.publish()
	s.setHook(func(string, func() error) error { return errors.New("connection reset") })
	s.processed(l, Publishing)
	s.hook.Store(nil)
	if _, err := s.db.Exec(t.Context(), `
		UPDATE listings SET pictures = replace(pictures::text, '"expires": "2', '"expires": "1')::jsonb`); err != nil {
		t.Fatal(err)
	}
	s.pass(time.Minute)
	s.processed(l, Live)
	if got := s.pictured(); made.made != 2 || got.Used != 1 {
		t.Errorf("%d uploads and %+v images, want 2 and one that is used", made.made, got)
	}
}

func TestPictures_Refusals(t *testing.T) {
	t.Parallel()
	refusal := &marketplaces.Refusal{Code: "ebay_190003", Message: "Too large."}
	for name, tc := range map[string]struct {
		change  func(s *shop, made *uploads, cardID string)
		code    string
		uploads int
	}{
		"small photos": {func(s *shop, _ *uploads, cardID string) {
			s.resizePhotos(cardID, 499, 300)
		}, marketplaces.CodePicture, 0},
		"lost photo": {func(s *shop, _ *uploads, _ string) {
			s.cfg.LoadPhoto = func(context.Context, string, cards.Photo, int) ([]byte, string, error) {
				return nil, "", fault.NotFound(fault.PhotoNotFound)
			}
		}, marketplaces.CodePicture, 0},
		"refused by the marketplace": {func(_ *shop, made *uploads, _ string) {
			made.fail = func(int) error { return fmt.Errorf("upload: %w", refusal) }
		}, refusal.Code, 1},
		"no condition that eBay knows": {func(s *shop, _ *uploads, cardID string) {
			grade := cards.Grade{Company: "PSA", Value: "eleven"}
			patch := cards.Patch{Grade: cards.Set(grade)}
			if _, err := s.cards.Update(s.t.Context(), s.account, cardID, patch, nil); err != nil {
				s.t.Fatal(err)
			}
		}, marketplaces.CodeGrade, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, made := setupHosting(t)
			card := s.card()
			tc.change(s, made, card.ID)
			l, err := s.Publish(t.Context(), s.account, card.ID, PublishInput{}, true, nil)
			if err != nil {
				t.Fatal(err)
			}
			l = s.processed(l, Failed)
			if l.Failure.Code != tc.code || l.Failure.Message == "" || made.made != tc.uploads {
				t.Errorf("%+v after %d uploads, want %s after %d", l.Failure, made.made, tc.code, tc.uploads)
			}
			s.wantNoPictures()
		})
	}
}

// resizePhotos changes the size that the card's photos are stored with.
func (s *shop) resizePhotos(cardID string, width, height int) {
	s.t.Helper()
	_, err := s.db.Exec(s.t.Context(), `
		UPDATE cards SET photos = jsonb_set(jsonb_set(photos::jsonb, '{0,width}', to_jsonb($3::int)), '{0,height}',
			to_jsonb($4::int))
		WHERE account_id = $1 AND id = $2`, s.account, cardID, width, height)
	if err != nil {
		s.t.Fatal(err)
	}
}

// One picture of a group cannot be uploaded. The other listings are published together, and this one later.
func TestPictures_FailureAffectsNoOther(t *testing.T) {
	t.Parallel()
	s, made := setupHosting(t)
	made.fail = func(n int) error {
		if n == 1 {
			return errors.New("connection reset")
		}
		return nil
	}
	s.publishAll(maxGroup)
	s.processDue()
	if live := s.atMarket("live"); live != maxGroup-1 {
		t.Errorf("%d listings are live, want %d", live, maxGroup-1)
	}
	s.pass(time.Minute)
	s.processDue()
	live, got := s.atMarket("live"), s.pictured()
	if live != maxGroup || got.All != live || got.Used != live {
		t.Errorf("%d listings with %+v pictures, want %d with one each", live, got, maxGroup)
	}
}

// The time for uploads is over before all are made. The work goes on without an attempt that counts as failed, and
// what was uploaded is kept.
func TestPictures_NoTimeLeft(t *testing.T) {
	t.Parallel()
	s, made := setupHosting(t)
	l := s.publish()
	s.addPhoto(l.CardID, 600, 840)
	claims, err := s.work.Claim(t.Context(), s.db, s.account, 1, lease)
	if err != nil || len(claims) != 1 {
		t.Fatal(claims, err)
	}
	late := job{claims[0], time.Now().Add(publishReserve)}
	if err := s.worker.handleJobs(t.Context(), []job{late})[0]; err != nil {
		t.Errorf("handleJobs without time: %v", err)
	}
	s.want(l, Publishing)
	if made.made != 0 {
		t.Errorf("%d uploads without time for them", made.made)
	}
	claims, err = s.work.Claim(t.Context(), s.db, s.account, 1, lease)
	if err != nil || len(claims) != 1 || claims[0].Attempts > 1 {
		t.Errorf("claims %+v, %v, want the listing again with its first attempt", claims, err)
	}
}

// photo is the bytes of every photo.
var photo = func() []byte {
	var data bytes.Buffer
	if err := jpeg.Encode(&data, image.NewGray(image.Rect(0, 0, 600, 840)), nil); err != nil {
		panic(err)
	}
	return data.Bytes()
}()
