package identify_test

import (
	"testing"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/identify"
)

// TestService_AccountThreshold checks that an account may ask for more confidence than the operator, and no less.
func TestService_AccountThreshold(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, tc := range []struct {
		threshold, confidence float64
		accepted              bool
	}{
		{0, 0.86, true}, {0.9, 0.86, false}, {0.9, 0.9, true}, {0.5, 0.6, false},
	} {
		_, err := w.accounts.Update(t.Context(), w.account, func(c *accounts.Change) {
			c.Preferences.Threshold = &tc.threshold
		})
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			<-w.asked
			w.answer <- answer{candidates: []identify.Candidate{{Title: "Fox", Confidence: tc.confidence}}}
		}()
		got, err := w.service.Photo(t.Context(), w.account, "https://example.com/photo.jpg", catalog.Hints{})
		if err != nil || (got.Accepted != nil) != tc.accepted {
			t.Errorf("threshold %v, confidence %v: got %+v, %v, want accepted %t",
				tc.threshold, tc.confidence, got.Accepted, err, tc.accepted)
		}
	}
}
