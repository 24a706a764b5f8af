package photos

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/netguard"
	"github.com/cardvault/cardvault/internal/queue"
)

// records is a fake of Cards: a card with at most one photo.
type records struct {
	Cards
	photo   *cards.Photo
	refuse  error // of PutPhoto
	source  *cards.FetchSource
	used    bool        // what PhotoFetched returns
	outcome cards.Photo // what PhotoFetched received
}

func (r *records) Get(context.Context, string, string) (cards.Card, error) {
	card := cards.Card{ID: "card_x"}
	if r.photo != nil {
		card.Photos = []cards.Photo{*r.photo}
	}
	return card, nil
}

func (r *records) PutPhoto(_ context.Context, _, _ string, p cards.Photo) (cards.Card, *cards.Photo, error) {
	if r.refuse != nil {
		return cards.Card{}, nil, r.refuse
	}
	replaced := r.photo
	r.photo = &p
	return cards.Card{ID: "card_x", Photos: []cards.Photo{p}}, replaced, nil
}

func (r *records) DeletePhoto(context.Context, string, string, string) (cards.Photo, error) {
	removed := *r.photo
	r.photo = nil
	return removed, nil
}

func (r *records) Delete(_ context.Context, accountID, cardID string, _ cards.Match) (cards.Card, error) {
	card := cards.Card{AccountID: accountID, ID: cardID, Photos: []cards.Photo{*r.photo}}
	r.photo = nil
	return card, nil
}

func (r *records) FetchSource(context.Context, queue.Claim) (cards.FetchSource, bool, error) {
	if r.source == nil {
		return cards.FetchSource{}, false, nil
	}
	return *r.source, true, nil
}

func (r *records) PhotoFetched(_ context.Context, _ queue.Claim, _ string, p cards.Photo) (bool, error) {
	r.outcome = p
	return r.used, nil
}

func newTestService(t *testing.T, r *records) (*Service, Store) {
	t.Helper()
	store, err := Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	guard := netguard.New(netguard.Config{AllowPrivate: true})
	return NewService(r, store, NewFetcher(guard), clock.System), store
}

// stored reports whether the store contains the photo.
func stored(t *testing.T, s Store, p cards.Photo) bool {
	t.Helper()
	body, _, err := s.Get(t.Context(), Key("acc_x", p.ID, p.ContentType))
	if fault.Is(err, fault.PhotoNotFound) {
		return false
	}
	if err != nil {
		t.Fatal(err)
	}
	body.Close()
	return true
}

func TestPut_ReplacesImage(t *testing.T) {
	t.Parallel()
	r := &records{}
	s, store := newTestService(t, r)
	put := func() cards.Photo {
		t.Helper()
		card, err := s.Put(t.Context(), "acc_x", "card_x", cards.RoleFront, bytes.NewReader(jpegOf(t, 400, 560)))
		if err != nil {
			t.Fatal(err)
		}
		return card.Photos[0]
	}
	first := put()
	if first.Width != 400 || first.Status != cards.PhotoReady || !stored(t, store, first) {
		t.Fatalf("first photo is %+v, want it ready and stored", first)
	}
	second := put()
	if stored(t, store, first) || !stored(t, store, second) {
		t.Fatal("Put must store the second photo and delete the first")
	}
	if err := s.Delete(t.Context(), "acc_x", "card_x", second.ID); err != nil || stored(t, store, second) {
		t.Fatalf("Delete = %v, or the photo is still stored", err)
	}
}

func TestDeleteCard_DeletesImages(t *testing.T) {
	t.Parallel()
	s, store := newTestService(t, &records{})
	card, err := s.Put(t.Context(), "acc_x", "card_x", cards.RoleFront, bytes.NewReader(jpegOf(t, 400, 560)))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.DeleteCard(t.Context(), "acc_x", "card_x", nil); err != nil || stored(t, store, card.Photos[0]) {
		t.Fatalf("DeleteCard = %v, or the photo is still stored", err)
	}
}

func TestPut_RefusedPhotoLeavesNoImage(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		refuse  error
		deleted bool // false if the commit may have succeeded
	}{
		"refused":              {fault.New(fault.CardArchived, "the card is archived"), true},
		"commit not confirmed": {fault.New(fault.Unavailable, "the commit was not confirmed"), false},
		"unexpected error":     {errors.New("connection reset"), false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, store := newTestService(t, &records{refuse: tc.refuse})
			recorder := &storeRecorder{Store: store}
			s.store = recorder
			_, err := s.Put(t.Context(), "acc_x", "card_x", cards.RoleFront, bytes.NewReader(jpegOf(t, 400, 560)))
			if !errors.Is(err, tc.refuse) {
				t.Fatalf("Put = %v, want %v", err, tc.refuse)
			}
			if len(recorder.put) != 1 || slices.Equal(recorder.put, recorder.deleted) != tc.deleted {
				t.Errorf("stored %v, deleted %v, want it deleted: %v", recorder.put, recorder.deleted, tc.deleted)
			}
		})
	}
}

// storeRecorder is a store that records which photos were stored and deleted.
type storeRecorder struct {
	Store
	put, deleted []string
}

func (r *storeRecorder) Put(ctx context.Context, key, contentType string, data []byte) error {
	r.put = append(r.put, key)
	return r.Store.Put(ctx, key, contentType, data)
}

func (r *storeRecorder) Delete(ctx context.Context, key string) error {
	r.deleted = append(r.deleted, key)
	return r.Store.Delete(ctx, key)
}

func TestImporter_FetchesPhotosOfImport(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/card.jpg":
			w.Write(jpegOf(t, 400, 560))
		case "/page.html":
			w.Write([]byte("<html>"))
		default:
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}))
	t.Cleanup(server.Close)
	for name, tc := range map[string]struct {
		path    string
		attempt int
		retried bool
		status  cards.PhotoStatus
	}{
		"photo":                     {"/card.jpg", 1, false, cards.PhotoReady},
		"no photo":                  {"/page.html", 1, false, cards.PhotoFailed},
		"unreachable":               {"/down", 1, true, ""},
		"unreachable, last attempt": {"/down", maxFetchAttempts, false, cards.PhotoFailed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := &records{used: true, source: &cards.FetchSource{CardID: "card_x", URL: server.URL + tc.path}}
			s, store := newTestService(t, r)
			err := s.fetchClaimed(t.Context(), queue.Claim{AccountID: "acc_x", Key: "pho_x", Attempts: tc.attempt})
			if (err != nil) != tc.retried || r.outcome.Status != tc.status {
				t.Fatalf("error %v, outcome %+v, want status %q", err, r.outcome, tc.status)
			}
			if tc.status == cards.PhotoFailed && r.outcome.Failure == "" {
				t.Error("a failed photo has no reason")
			}
			if tc.status == cards.PhotoReady && !stored(t, store, r.outcome) {
				t.Error("a ready photo is not stored")
			}
		})
	}
}

func TestImporter_RemovesUnusedImage(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Write(jpegOf(t, 400, 560))
	}))
	t.Cleanup(server.Close)
	r := &records{source: &cards.FetchSource{CardID: "card_x", URL: server.URL}}
	s, store := newTestService(t, r)
	claim := queue.Claim{AccountID: "acc_x", Key: "pho_x", Attempts: 1}
	if err := s.fetchClaimed(t.Context(), claim); err != nil || stored(t, store, r.outcome) {
		t.Fatalf("error %v, or the photo is stored although its record was deleted: %+v", err, r.outcome)
	}
	r.source, r.outcome = nil, cards.Photo{}
	if err := s.fetchClaimed(t.Context(), claim); err != nil || r.outcome.ID != "" {
		t.Fatalf("a lost claim returns %v and stores %+v, want neither", err, r.outcome)
	}
}

// A photo does not fail because others of its account are being decoded: it is fetched again.
func TestIsFinal(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		code     fault.Code
		attempts int
		want     bool
	}{
		{fault.PhotoInvalid, 1, true}, {fault.PhotoForbidden, 1, true}, {fault.PhotoUnreachable, 1, false},
		{fault.PhotoUnreachable, maxFetchAttempts, true}, {fault.RateLimited, 9, false}, {fault.Unavailable, 9, false},
	} {
		if got := isFinal(fault.New(tc.code, "x"), tc.attempts); got != tc.want {
			t.Errorf("%s in attempt %d: got final %v, want %v", tc.code, tc.attempts, got, tc.want)
		}
	}
	if got := fetchBackoff(40); got != fetchBackoff(maxFetchAttempts-1) {
		t.Errorf("delay after 40 attempts: got %v, want that after %d", got, maxFetchAttempts-1)
	}
}

func TestFetchBackoff(t *testing.T) {
	t.Parallel()
	for attempt, want := range map[int]time.Duration{1: 5 * time.Second, 2: 20 * time.Second, 3: 80 * time.Second} {
		if got := fetchBackoff(attempt); got != want {
			t.Errorf("after attempt %d: %v, want %v", attempt, got, want)
		}
	}
}
