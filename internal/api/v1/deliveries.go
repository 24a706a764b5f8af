package v1

import (
	"strings"

	server "github.com/cardvault/cardvault/gen/server/v1"
	"github.com/cardvault/cardvault/internal/timestamp"
	"github.com/cardvault/cardvault/internal/webhooks"
)

// maxResponseExcerpt is the maximum number of characters of an attempt's response.
const maxResponseExcerpt = 500

func delivery(d *webhooks.LoggedDelivery) server.WebhookDelivery {
	out := server.WebhookDelivery{
		ID: d.ID, WebhookID: d.EndpointID, EventID: d.EventID, Event: d.Event,
		State: server.DeliveryState(d.State), AttemptCount: int32(d.Attempts),
		NextAttemptAt: timestamp.Or(d.NextAttemptAt), LastStatus: int32Of(d.LastStatus), LastError: d.LastError,
		CreatedAt: timestamp.Of(d.CreatedAt), FinishedAt: timestamp.Or(d.FinishedAt),
		Attempts: make([]server.DeliveryAttempt, len(d.Log)),
	}
	for i, a := range d.Log {
		out.Attempts[i] = server.DeliveryAttempt{
			Attempt: int32(a.Attempt), StartedAt: timestamp.Of(a.StartedAt), DurationMs: a.Duration.Milliseconds(),
			Status: int32Of(a.Status), Error: nonEmpty(a.Class), Response: nonEmpty(excerpt(a.Response)),
		}
	}
	return out
}

// excerpt returns the start of a response, which may be binary, as text without NUL characters.
func excerpt(response string) string {
	text := []rune(strings.ReplaceAll(strings.ToValidUTF8(response, "\uFFFD"), "\x00", "\uFFFD"))
	return string(text[:min(len(text), maxResponseExcerpt)])
}

func int32Of(n *int) *int32 {
	if n == nil {
		return nil
	}
	out := int32(*n)
	return &out
}
