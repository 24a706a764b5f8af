// Package web is the frame of the dashboard's pages: sessions and access, responses, templates, and the limits of pages
// and files. Sections embed a *Frame, which is the same for all of them. The package knows no page of a section.
package web

import (
	"context"
	"log/slog"
	"net/http"
	"net/netip"

	"github.com/alexedwards/scs/v2"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/concurrency"
	"github.com/cardvault/cardvault/internal/users"
)

// Config holds the dependencies and settings of a frame.
type Config struct {
	Users        *users.Service
	SessionStore scs.CtxStore
	Clock        clock.Clock
	Logger       *slog.Logger
	// ClientAddress returns the address that a request comes from.
	ClientAddress func(*http.Request) netip.Addr
	// Keys stores the results of forms, so that one that is sent again has no second effect.
	Keys Keys
	// Public is the URL of the service without a path. Cookies are Secure unless it is one of this machine.
	Public string
	// MaxReads is the maximum number of pages of an account that are read at a time; 0 for concurrency.DefaultReads.
	MaxReads  int
	Templates *Templates
	// ReviewsLeft counts the cards of an account that need a review, up to most.
	ReviewsLeft func(ctx context.Context, accountID string, most int) (int, error)
	// Revoked names the marketplaces to which an account's connection was revoked or has expired. It is nil if the
	// service is set up for no marketplace that accounts connect to.
	Revoked func(ctx context.Context, accountID string) (string, error)
}

// Frame is what all pages have in common.
type Frame struct {
	Config
	Sessions *scs.SessionManager
	// Reads limits the pages of an account. The API has another limiter, so that integrations keep no person waiting.
	Reads   concurrency.ReadLimiter
	files   fileLimits
	uploads uploads
}

// New returns the frame.
func New(c Config) *Frame {
	frame := &Frame{
		Config: c, Reads: concurrency.NewReadLimiter(c.MaxReads), files: newFileLimits(), uploads: newUploads(),
	}
	frame.Sessions = frame.newSessions()
	return frame
}
