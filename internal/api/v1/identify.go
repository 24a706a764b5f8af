package v1

import (
	"context"

	server "github.com/cardvault/cardvault/gen/server/v1"
	"github.com/cardvault/cardvault/internal/api/idempotency"
	"github.com/cardvault/cardvault/internal/caller"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/identify"
	"github.com/cardvault/cardvault/internal/timestamp"
)

// Identify implements POST /identify.
func (s *Server) Identify(ctx context.Context, r server.IdentifyRequestObject) (server.IdentifyResponseObject, error) {
	request := identify.Request{CardID: r.Body.CardID, PhotoURL: r.Body.PhotoURL, Hints: hints(r.Body.Hints)}
	outcome, card, err := s.Identification.Identify(ctx, caller.From(ctx).AccountID, request, idempotency.Hook(ctx))
	if err != nil {
		return nil, err
	}
	out := outcomeOut(outcome)
	if card != nil {
		result := s.card(card)
		out.Card = &result
	}
	return server.Identify200JSONResponse(out), nil
}

// ListCardCandidates implements GET /cards/{id}/candidates.
func (s *Server) ListCardCandidates(
	ctx context.Context, r server.ListCardCandidatesRequestObject,
) (server.ListCardCandidatesResponseObject, error) {
	result, err := s.Identification.Candidates(ctx, caller.From(ctx).AccountID, r.ID)
	if err != nil {
		return nil, err
	}
	list := make([]server.IdentificationResult, len(result.Found))
	for i, c := range result.Found {
		list[i] = resultOut(c, result.Grade())
	}
	return server.ListCardCandidates200JSONResponse{Data: list, AttemptedAt: timestamp.Or(result.At)}, nil
}

func outcomeOut(o identify.Outcome) server.IdentifyOutcome {
	out := server.IdentifyOutcome{
		Outcome:    server.IdentifyOutcomeOutcomeFailed,
		Candidates: make([]server.IdentificationResult, len(o.Candidates)),
		Attempts:   make([]server.IdentifyAttempt, len(o.Attempts)),
	}
	if o.Accepted != nil {
		result := resultOut(*o.Accepted, o.Grade())
		out.Outcome, out.Result = server.IdentifyOutcomeOutcomeIdentified, &result
	}
	for i, c := range o.Candidates {
		out.Candidates[i] = resultOut(c, o.Grade())
	}
	for i, a := range o.Attempts {
		out.Attempts[i] = server.IdentifyAttempt{
			Provider: a.Provider, Outcome: server.IdentifyAttemptOutcome(a.Outcome), Confidence: a.Confidence,
			DurationMs: a.Duration.Milliseconds(), Message: nonEmpty(a.Message),
		}
	}
	return out
}

// resultOut converts a candidate. grade is the grade on the label in the photo, or nil.
func resultOut(f identify.Found, grade *cards.Grade) server.IdentificationResult {
	out := server.IdentificationResult{
		Title: f.Title, Set: nonEmpty(f.Set), Number: nonEmpty(f.Number), Game: nonEmpty(f.Game),
		Variant: f.Variant, Language: f.Language, CatalogID: nonEmpty(f.CatalogID), Grade: gradeOut(grade),
		Confidence: f.Confidence, Provider: f.Provider, Signals: make([]server.IdentificationSignal, len(f.Signals)),
	}
	for i, s := range f.Signals {
		out.Signals[i] = server.IdentificationSignal{Kind: server.IdentificationSignalKind(s.Kind), Score: s.Score}
	}
	if f.Year != nil {
		year := int32(*f.Year)
		out.Year = &year
	}
	return out
}

// nonEmpty returns nil for "", which is null in the contract.
func nonEmpty(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
