package fault

import (
	"errors"
	"fmt"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestError_KeepsCodeAndCauseWhenWrapped(t *testing.T) {
	t.Parallel()
	cause := errors.New("boom")
	err := fmt.Errorf("cards.Get: %w", New(CardNotFound, "no card %q", "x").WithCause(cause))
	if !Is(err, CardNotFound) {
		t.Errorf("Is(%v, CardNotFound) = false", err)
	}
	if Is(err, BatchNotFound) {
		t.Errorf("Is(%v, BatchNotFound) = true", err)
	}
	if !errors.Is(err, cause) {
		t.Errorf("%v does not wrap its cause", err)
	}
	want := &Error{Code: CardNotFound, Message: `no card "x"`}
	got, _ := As(err)
	if diff := cmp.Diff(want, got.WithCause(nil)); diff != "" {
		t.Errorf("As (-want +got):\n%s", diff)
	}
}

func TestError_WithMethodsDoNotChangeTheReceiver(t *testing.T) {
	t.Parallel()
	base := Invalid("limit", "must be at most %d", 200)
	base.WithDetails(Detail{Field: "q", Message: "too long"}).WithCause(errors.New("x"))
	base.WithCode(InvalidJSON).WithRetryAfter(1)
	want := &Error{
		Code: InvalidRequest, Message: "limit: must be at most 200",
		Details: []Detail{{Field: "limit", Message: "must be at most 200"}},
	}
	if diff := cmp.Diff(want, base); diff != "" {
		t.Errorf("receiver (-want +got):\n%s", diff)
	}
}

func TestCode_StatusOfUnknownCodeIs500(t *testing.T) {
	t.Parallel()
	if got := Code("no_such_code").Status(); got != http.StatusInternalServerError {
		t.Errorf("got %d, want 500", got)
	}
}

func TestNotFound(t *testing.T) {
	t.Parallel()
	for _, code := range []Code{
		CardNotFound, BatchNotFound, ListingNotFound, PhotoNotFound, EventNotFound, RouteNotFound, EndpointNotFound,
		DeliveryNotFound, ViewNotFound,
	} {
		t.Run(string(code), func(t *testing.T) {
			t.Parallel()
			if f := NotFound(code); f.Status() != http.StatusNotFound || f.Message == "" {
				t.Errorf("got %d %q, want 404 with a message", f.Status(), f.Message)
			}
		})
	}
}
