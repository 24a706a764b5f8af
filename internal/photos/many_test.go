package photos

import (
	"context"
	"errors"
	"fmt"
	"image"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/fault"
)

// showing returns a Split that finds these numbers of cards on the photos, in turn, and then fails with err.
func showing(err error, numbers ...int) Split {
	return func(_ context.Context, _ []byte, _ int, each func(image.Image) error) error {
		number := numbers[0]
		numbers = numbers[1:]
		for range number {
			if err := each(image.NewGray(image.Rect(0, 0, 300, 420))); err != nil {
				return err
			}
		}
		return err
	}
}

func TestScan_Many(t *testing.T) {
	t.Parallel()
	photo, tooSmall := jpegOf(t, 600, 840), jpegOf(t, 299, 420)
	damaged := fault.New(fault.PhotoInvalid, "the photo is damaged")
	for name, tc := range map[string]struct {
		split  Split
		photos [][]byte
		want   []string
		sizes  []int // widths of the stored photos
	}{
		"two photos": {showing(nil, 2, 3), [][]byte{photo, photo}, []string{
			"a: card_0 front", "a: card_1 front", "b: card_2 front", "b: card_3 front", "b: card_4 front",
		}, []int{300, 300, 300, 300, 300}},
		"a photo of one card stays whole": {
			showing(nil, 0, 2), [][]byte{photo, photo},
			[]string{"a: card_0 front", "b: card_1 front", "b: card_2 front"},
			[]int{600, 300, 300},
		},
		"most": {showing(nil, 30), [][]byte{photo}, nil, nil},
		"too many cards": {
			showing(nil, 31, 2), [][]byte{photo, photo},
			[]string{"a: 0 photo_invalid", "b: card_0 front", "b: card_1 front"},
			[]int{300, 300},
		},
		"an invalid photo": {
			showing(nil, 2), [][]byte{tooSmall, photo},
			[]string{"a: 0 photo_invalid", "b: card_0 front", "b: card_1 front"},
			[]int{300, 300},
		},
		"a photo that cannot be cut": {showing(damaged, 1), [][]byte{photo}, []string{"a: 0 photo_invalid"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := &newCards{}
			s, store := newScanService(t, c)
			s.UseSplit(tc.split)
			scan := scanOf("", tc.photos...)
			scan.Many = true
			got, err := s.Scan(t.Context(), "acc_x", scan, nil)
			if err != nil {
				t.Fatal(err)
			}
			if tc.want == nil {
				for i := range MaxCutCards {
					tc.want, tc.sizes = append(tc.want, fmt.Sprintf("a: card_%d front", i)), append(tc.sizes, 300)
				}
			}
			if diff := cmp.Diff(tc.want, describe(got)); diff != "" {
				t.Errorf("results (-want +got):\n%s", diff)
			}
			var sizes []int
			for _, draft := range c.drafts {
				sizes = append(sizes, draft.Stored[0].Width)
			}
			if diff := cmp.Diff(tc.sizes, sizes); diff != "" {
				t.Errorf("widths of the photos (-want +got):\n%s", diff)
			}
			if kept := len(store.put) - len(store.deleted); kept != len(c.drafts) {
				t.Errorf("%d photos are kept, want that of each card only", kept)
			}
		})
	}
}

func TestScan_ManyRefused(t *testing.T) {
	t.Parallel()
	photo := jpegOf(t, 300, 420)
	six := [][]byte{photo, photo, photo, photo, photo, photo}
	for name, tc := range map[string]struct {
		scan Scan
		want string
	}{
		"six photos": {
			scanOf(PairNone, six...),
			"invalid_request: photos: must be at most 5 for photos of many cards; they are 6",
		},
		"pairs": {
			scanOf(PairByOrder, six[:2]...), "invalid_request: pairing: must be none for photos of many cards",
		},
	} {
		s, store := newScanService(t, &newCards{})
		s.UseSplit(showing(nil, 0))
		tc.scan.Many = true
		if _, err := s.Scan(t.Context(), "acc_x", tc.scan, nil); err == nil || err.Error() != tc.want {
			t.Errorf("%s: got %v, want %s", name, err, tc.want)
		}
		if len(store.put) > 0 {
			t.Errorf("%s: stored %v", name, store.put)
		}
	}
}

// A scan that fails in the middle keeps no photo.
func TestScan_ManyFails(t *testing.T) {
	t.Parallel()
	s, store := newScanService(t, &newCards{})
	s.UseSplit(func(_ context.Context, _ []byte, _ int, each func(image.Image) error) error {
		return errors.Join(each(image.NewGray(image.Rect(0, 0, 300, 420))), context.DeadlineExceeded)
	})
	scan := scanOf("", jpegOf(t, 600, 840))
	scan.Many = true
	if _, err := s.Scan(t.Context(), "acc_x", scan, nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v, want the error of the context", err)
	}
	if len(store.put) != len(store.deleted) {
		t.Errorf("stored %v, deleted %v, want nothing kept", store.put, store.deleted)
	}
}
