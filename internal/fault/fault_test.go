package fault

import (
	"errors"
	"fmt"
	"net/http"
	"testing"
)

func TestWrappedFaultKeepsCodeAndCause(t *testing.T) {
	t.Parallel()
	cause := errors.New("boom")
	err := fmt.Errorf("cards.Get: %w", New(CardNotFound, "no card %q", "x").Because(cause))
	if !Is(err, CardNotFound) || Is(err, BatchNotFound) || !errors.Is(err, cause) {
		t.Fatalf("lost on the way: %v", err)
	}
	got, _ := As(err)
	if got.Status() != http.StatusNotFound || got.Message != `no card "x"` {
		t.Fatalf("got %d %q", got.Status(), got.Message)
	}
}

func TestCopiesLeaveTheOriginalAlone(t *testing.T) {
	t.Parallel()
	base := Invalid("limit", "must be at most %d", 200)
	more := base.With(Detail{Field: "q", Message: "too long"}).Because(errors.New("x"))
	if len(base.Details) != 1 || base.Err != nil || len(more.Details) != 2 {
		t.Fatalf("base %+v, more %+v", base, more)
	}
}

func TestUnknownCodeIsInternal(t *testing.T) {
	t.Parallel()
	if Code("no_such_code").Status() != http.StatusInternalServerError {
		t.Fatal("an unknown code must not look like success")
	}
}

func TestEverythingThatCanBeAbsentIsNamed(t *testing.T) {
	t.Parallel()
	for _, code := range []Code{CardNotFound, BatchNotFound, ListingNotFound, PhotoNotFound, EventNotFound, RouteNotFound} {
		if f := NotFound(code); f.Status() != http.StatusNotFound || f.Message == "" {
			t.Errorf("%s: %d %q", code, f.Status(), f.Message)
		}
	}
}
