package cardvault

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
)

func TestAPIError(t *testing.T) {
	s, _ := inTurn(t, respond(http.StatusBadRequest,
		`{"error":{"code":"invalid_request","message":"The request has mistakes.","status":400,`+
			`"details":[{"field":"limit","message":"must be at most 200"}]}}`,
		"X-Request-Id: 01k5", "X-RateLimit-Limit: 60"))
	_, err := s.client(t).ListCards(t.Context(), &ListCardsParams{Limit: 201})
	err = fmt.Errorf("listing: %w", err)
	var failed *APIError
	if !errors.As(err, &failed) {
		t.Fatalf("got %v, want an APIError", err)
	}
	details := []ErrorDetail{{Field: "limit", Message: "must be at most 200"}}
	if failed.Code != CodeInvalidRequest || failed.Status != 400 || failed.RequestID != "01k5" ||
		failed.RateLimit.Limit != 60 || failed.Operation != "ListCards" || !slices.Equal(failed.Details, details) {
		t.Errorf("got %+v", failed)
	}
	want := "listing: cardvault: ListCards: The request has mistakes. (400 invalid_request, request 01k5); " +
		"limit: must be at most 200"
	if err.Error() != want {
		t.Errorf("got  %q\nwant %q", err, want)
	}
	if !errors.Is(err, CodeInvalidRequest) || errors.Is(err, CodeInvalidJSON) {
		t.Error("errors.Is does not distinguish codes")
	}
}

func TestAPIError_UnknownCode(t *testing.T) {
	s, _ := inTurn(t, refuse(http.StatusConflict, "card_lent"))
	_, err := s.client(t).GetCard(t.Context(), "card_1")
	if !errors.Is(err, Code("card_lent")) {
		t.Errorf("got %v, want the code card_lent", err)
	}
}

// A proxy between client and service responds with other errors than the API.
func TestAPIError_FromProxy(t *testing.T) {
	for name, body := range map[string]string{
		"HTML":       "<h1>Bad Gateway</h1>",
		"other JSON": `{"error":"no upstream"}`,
		"no code":    `{"error":{"message":"no upstream"}}`,
		"empty":      "",
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := inTurn(t, respond(http.StatusBadGateway, body))
			_, err := s.client(t, WithMaxRetries(0)).GetCard(t.Context(), "card_1")
			failed, ok := as[*APIError](err)
			if !ok || failed.Status != 502 || failed.Code != "" || !strings.Contains(failed.Message, "Bad Gateway") {
				t.Errorf("got %v, want an APIError without a code", err)
			}
		})
	}
}

func TestCall_SuccessNotFromService(t *testing.T) {
	s, _ := inTurn(t, respond(http.StatusOK, "<h1>Welcome</h1>"))
	_, err := s.client(t).GetCard(t.Context(), "card_1")
	if err == nil || !strings.Contains(err.Error(), "https://vault.example/api/cards/card_1") {
		t.Errorf("got %v, want an error with the URL", err)
	}
}
