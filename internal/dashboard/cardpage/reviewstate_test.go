package cardpage

import (
	"fmt"
	"testing"
)

func TestReviewState_Bounded(t *testing.T) {
	t.Parallel()
	var s reviewState
	for i := range maxUndo + 5 {
		s.add(takenCard{CardID: fmt.Sprint(i)})
	}
	for i := range maxUndo {
		if last, ok := s.take(); !ok || last.CardID != fmt.Sprint(maxUndo+4-i) {
			t.Fatalf("take %d = %q, %v, want the last one that is left", i, last.CardID, ok)
		}
	}
	if _, ok := s.take(); ok {
		t.Errorf("there are more than %d reviews", maxUndo)
	}
}
