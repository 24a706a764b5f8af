package jobs

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cardvault/cardvault/internal/caller"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/fault"
)

// A job says how many cards it expects. It is refused if the filter selects others, and never changes many more.
func TestService_ExpectedCount(t *testing.T) {
	t.Parallel()
	s := setup(t)
	ids := s.create(t, 12)
	all := &cards.Filter{Query: new("card")}
	ctx := caller.With(t.Context(), caller.Caller{AccountID: s.account, TokenID: "tok_1"})
	for _, tc := range []struct {
		request  Request
		expected int
		refused  bool
	}{
		{Request{Filter: all}, 12, false}, {Request{Filter: all}, 11, true}, {Request{Filter: all}, 13, true},
		{Request{Filter: all}, 0, true}, {Request{Filter: &cards.Filter{Query: new("x")}}, 0, false},
		{Request{Filter: &cards.Filter{Query: new("x")}}, 1, true},
		{Request{CardIDs: ids}, 12, false}, {Request{CardIDs: ids}, 2, true},
	} {
		tc.request.Kind, tc.request.Expected = End, &tc.expected
		_, err := s.Create(ctx, s.account, tc.request, true, nil)
		if fault.Is(err, fault.UnexpectedCount) != tc.refused || !tc.refused && err != nil {
			t.Errorf("%+v with %d expected: got %v, want it refused: %t", tc.request, tc.expected, err, tc.refused)
		}
		if tc.refused && !strings.Contains(err.Error(), fmt.Sprint(tc.expected)) {
			t.Errorf("%v does not name the number %d", err, tc.expected)
		}
	}
	filter := cards.Filter{Location: new("Box 1")}
	s.edit(t, ids[0], cards.Patch{Location: cards.Set("Box 1")})
	job := s.accept(t, Request{Kind: Delete, Filter: &filter, Expected: new(1)})
	for _, cardID := range ids[1:] { // before the job collects its cards
		s.edit(t, cardID, cards.Patch{Location: cards.Set("Box 1")})
	}
	if job = s.finish(t, job); job.Total != 1 {
		t.Errorf("the job has %d cards, want the 1 that was expected", job.Total)
	}
}
