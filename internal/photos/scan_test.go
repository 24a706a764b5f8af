package photos

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/postgres"
)

// newCards is a fake of Cards that creates cards with the photos of their drafts.
type newCards struct {
	Cards
	unusable, refuse error // of CheckDraft and Create
	drafts           []cards.Draft
}

func (c *newCards) CheckDraft(context.Context, string, cards.Draft) error { return c.unusable }

func (c *newCards) Create(
	_ context.Context, _ string, list []cards.Draft, _ postgres.TxHook,
) (created []cards.Card, err error) {
	c.drafts = list
	for i, draft := range list {
		created = append(created, cards.Card{ID: fmt.Sprintf("card_%d", i), Photos: draft.Stored})
	}
	return created, c.refuse
}

// newScanService returns a service with the fake, and a recorder of what it stores.
func newScanService(t *testing.T, c *newCards) (*Service, *storeRecorder) {
	t.Helper()
	s, store := newTestService(t, &records{})
	recorder := &storeRecorder{Store: store}
	s.cards, s.store = c, recorder
	return s, recorder
}

// scanOf returns a scan of photos that are named a, b and so on.
func scanOf(by Pairing, contents ...[]byte) Scan {
	scan := Scan{Pairing: by}
	for i, content := range contents {
		scan.Photos = append(scan.Photos, ScanPhoto{string(rune('a' + i)), bytes.NewReader(content)})
	}
	return scan
}

// describe returns the names of each result with its card and roles, or with the message of its error.
func describe(results []ScanResult) (lines []string) {
	for _, r := range results {
		line := strings.Join(r.Names, "+") + ":"
		for _, photo := range r.Card.Photos {
			line += " " + r.Card.ID + " " + string(photo.Role)
		}
		if item, ok := errors.AsType[*cards.ItemError](r.Err); ok {
			f, _ := fault.As(item)
			line += fmt.Sprintf(" %d %s", item.Index, f.Code)
		}
		lines = append(lines, line)
	}
	return lines
}

func TestScan_CreatesCards(t *testing.T) {
	t.Parallel()
	c := &newCards{}
	s, store := newScanService(t, c)
	photo := jpegOf(t, 300, 420)
	scan := scanOf(PairByOrder, photo, photo, photo, photo)
	location := cards.Set("Box 4")
	scan.Card.Location = location
	got, err := s.Scan(t.Context(), "acc_x", scan, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"a+b: card_0 front card_0 back", "c+d: card_1 front card_1 back"}
	if diff := cmp.Diff(want, describe(got)); diff != "" {
		t.Errorf("results (-want +got):\n%s", diff)
	}
	if len(store.put) != 4 || len(store.deleted) != 0 {
		t.Errorf("stored %v, deleted %v, want four photos and none", store.put, store.deleted)
	}
	for i, draft := range c.drafts {
		if draft.Location != location || draft.Stored[0].ID == draft.Stored[1].ID {
			t.Errorf("draft %d is %+v, want the values of the scan and two photos", i, draft)
		}
	}
}

func TestScan_RefusesCardOfInvalidPhoto(t *testing.T) {
	t.Parallel()
	good, bad := jpegOf(t, 300, 420), []byte("no photo")
	for name, tc := range map[string]struct {
		scan    Scan
		want    []string
		created int
		deleted int // photos that were stored before
	}{
		"one of three": {
			scanOf("", good, bad, good), []string{"a: card_0 front", "b: 1 photo_invalid", "c: card_1 front"}, 2, 0,
		},
		"a front": {scanOf(PairByOrder, bad, good), []string{"a+b: 0 photo_invalid"}, 0, 0},
		"a back": {
			scanOf(PairByOrder, good, bad, good, good),
			[]string{"a+b: 1 photo_invalid", "c+d: card_0 front card_0 back"}, 1, 1,
		},
		"an empty file": {scanOf("", nil), []string{"a: 0 photo_invalid"}, 0, 0},
		"all":           {scanOf("", bad, bad), []string{"a: 0 photo_invalid", "b: 1 photo_invalid"}, 0, 0},
		"a large file": {
			scanOf("", make([]byte, MaxBytes+1), good), []string{"a: 0 photo_invalid", "b: card_0 front"}, 1, 0,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := &newCards{}
			s, store := newScanService(t, c)
			got, err := s.Scan(t.Context(), "acc_x", tc.scan, nil)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, describe(got)); diff != "" {
				t.Errorf("results (-want +got):\n%s", diff)
			}
			if len(c.drafts) != tc.created || len(store.deleted) != tc.deleted {
				t.Errorf("%d cards created, %d photos deleted, want %d and %d",
					len(c.drafts), len(store.deleted), tc.created, tc.deleted)
			}
		})
	}
}

func TestScan_FailureLeavesNoPhotos(t *testing.T) {
	t.Parallel()
	refused := fault.New(fault.BatchComplete, "the batch is complete")
	unsure := fault.New(fault.Unavailable, "the commit was not confirmed")
	for name, tc := range map[string]struct {
		cards   newCards
		want    error
		stored  int
		deleted bool // false if the commit may have succeeded
	}{
		"before the photos":    {newCards{unusable: refused}, refused, 0, false},
		"cards refused":        {newCards{refuse: refused}, refused, 2, true},
		"commit not confirmed": {newCards{refuse: unsure}, unsure, 2, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, store := newScanService(t, &tc.cards)
			photo := jpegOf(t, 300, 420)
			_, err := s.Scan(t.Context(), "acc_x", scanOf("", photo, photo), nil)
			if !errors.Is(err, tc.want) {
				t.Fatalf("Scan = %v, want %v", err, tc.want)
			}
			if len(store.put) != tc.stored || slices.Equal(store.put, store.deleted) != (tc.deleted || tc.stored == 0) {
				t.Errorf("stored %v, deleted %v, want %d stored and deleted: %v",
					store.put, store.deleted, tc.stored, tc.deleted)
			}
		})
	}
}

// failingStore fails to store the third photo.
type failingStore struct{ *storeRecorder }

func (s failingStore) Put(ctx context.Context, key, contentType string, data []byte) error {
	if len(s.put) == 2 {
		return fault.New(fault.Unavailable, "the disk is full")
	}
	return s.storeRecorder.Put(ctx, key, contentType, data)
}

func TestScan_StoreFails(t *testing.T) {
	t.Parallel()
	c := &newCards{}
	s, store := newScanService(t, c)
	s.store = failingStore{store}
	photo := jpegOf(t, 300, 420)
	_, err := s.Scan(t.Context(), "acc_x", scanOf(PairByOrder, photo, photo, photo, photo), nil)
	if !fault.Is(err, fault.Unavailable) || c.drafts != nil {
		t.Errorf("Scan = %v and creates %d cards, want unavailable and none", err, len(c.drafts))
	}
	if !slices.Equal(store.put, store.deleted) {
		t.Errorf("stored %v, deleted %v, want all deleted", store.put, store.deleted)
	}
}
