package photos

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/fault"
)

// clockwise returns rows of a picture turned by 90° clockwise.
func clockwise(rows []string) []string {
	var out []string
	for x := range rows[0] {
		var row []byte
		for _, line := range slices.Backward(rows) {
			row = append(row, line[x])
		}
		out = append(out, string(row))
	}
	return out
}

// shown returns stored rows as a viewer shows them: mirrored if the orientation says so, then turned (Exif, tag 274).
func shown(rows []string, orientation int) []string {
	rows = slices.Clone(rows)
	if slices.Contains([]int{2, 4, 5, 7}, orientation) {
		for i, row := range rows {
			mirrored := []byte(row)
			slices.Reverse(mirrored)
			rows[i] = string(mirrored)
		}
	}
	for range map[int]int{6: 1, 7: 1, 3: 2, 4: 2, 8: 3, 5: 3}[orientation] {
		rows = clockwise(rows)
	}
	return rows
}

func TestTurned_IsClockwise(t *testing.T) {
	t.Parallel()
	stored := []string{"abc", "def"}
	for orientation := 1; orientation <= 8; orientation++ {
		want := clockwise(shown(stored, orientation))
		if diff := cmp.Diff(want, shown(stored, turned[orientation])); diff != "" {
			t.Errorf("orientation %d becomes %d (-want +got):\n%s", orientation, turned[orientation], diff)
		}
	}
}

// Four turns of a photo of each format show it as before.
func TestTurn_EachFormat(t *testing.T) {
	t.Parallel()
	plain := pngOf(t, picture(400, 300))
	for name, original := range map[string][]byte{
		"JPEG": jpegOf(t, 400, 300), "JPEG of a camera": cameraJPEG(jpegOf(t, 400, 300), 6),
		"PNG": plain, "PNG of a camera": cameraPNG(plain, 8),
		"WebP": plainWebP(400, 300), "WebP of a camera": extendedWebP(400, 300, 5, webpExif),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			data, before, err := Check(t.Context(), "acc_1", original)
			if err != nil {
				t.Fatal(err)
			}
			info := before
			for n := range 4 {
				from := info
				if data, info, err = turn(t.Context(), "acc_1", data); err != nil {
					t.Fatalf("turn %d: %v", n+1, err)
				}
				want := Info{
					ContentType: from.ContentType, Width: from.Height, Height: from.Width, Size: int64(len(data)),
					Orientation: turned[from.Orientation],
				}
				if diff := cmp.Diff(want, info); diff != "" {
					t.Errorf("turn %d (-want +got):\n%s", n+1, diff)
				}
			}
			if info.Orientation != before.Orientation || bytes.Contains(data, []byte(secret)) {
				t.Errorf("after four turns: %+v, want orientation %d and no metadata", info, before.Orientation)
			}
			if first, _, err := Check(t.Context(), "acc_1", original); err != nil || len(data)-len(first) > 18 { // VP8X
				t.Errorf("after four turns: %d bytes, %v, want those of the photo, %d", len(data), err, len(first))
			}
		})
	}
}

func TestTurn_RefusesOtherData(t *testing.T) {
	t.Parallel()
	for _, data := range [][]byte{[]byte("text"), jpegOf(t, 400, 300)[:900]} {
		if _, _, err := turn(context.Background(), "acc_1", data); !fault.Is(err, fault.PhotoInvalid) {
			t.Errorf("turn of %d bytes: %v, want photo_invalid", len(data), err)
		}
	}
}

// ReplacePhoto implements Cards.
func (r *records) ReplacePhoto(
	ctx context.Context, accountID, cardID, photoID string, p cards.Photo,
) (cards.Card, *cards.Photo, error) {
	if r.photo == nil || r.photo.ID != photoID {
		return cards.Card{}, nil, fmt.Errorf("the card has no photo %s", photoID)
	}
	return r.PutPhoto(ctx, accountID, cardID, p)
}

func TestService_TurnReplacesImage(t *testing.T) {
	t.Parallel()
	r := &records{}
	s, store := newTestService(t, r)
	card, err := s.Put(t.Context(), "acc_x", "card_x", cards.RoleBack, bytes.NewReader(jpegOf(t, 400, 560)))
	if err != nil {
		t.Fatal(err)
	}
	before := card.Photos[0]
	if card, err = s.Turn(t.Context(), "acc_x", "card_x", before.ID); err != nil {
		t.Fatal(err)
	}
	after := card.Photos[0]
	if after.Width != 560 || after.Height != 400 || after.Role != cards.RoleBack || after.ID == before.ID {
		t.Errorf("photo %+v, want a new one of the back with 560 × 400 pixels", after)
	}
	if stored(t, store, before) || !stored(t, store, after) {
		t.Error("Turn must store the turned photo and delete the other")
	}
	if _, err := s.Turn(t.Context(), "acc_x", "card_x", before.ID); !fault.Is(err, fault.PhotoNotFound) {
		t.Errorf("Turn of a replaced photo = %v, want photo_not_found", err)
	}
	r.refuse = fault.New(fault.CardSold, "the card was sold")
	if _, err := s.Turn(t.Context(), "acc_x", "card_x", after.ID); !fault.Is(err, fault.CardSold) {
		t.Errorf("Turn = %v, want card_sold", err)
	}
	images := 0
	err = s.store.(*Bucket).Keys(t.Context(), "acc_x", func(keys []string) error { images += len(keys); return nil })
	if err != nil || images != 1 || !stored(t, store, after) {
		t.Errorf("%d images after a refused turn, %v, want the photo alone", images, err)
	}
}
