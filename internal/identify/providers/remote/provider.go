package remote

import (
	"context"
	"log/slog"
	"time"

	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/identify"
	"github.com/cardvault/cardvault/internal/identify/spend"
)

// Client knows the API of one company.
type Client interface {
	// Ask sends a JPEG to the company and returns the cards that it sees, none if there is no card. It sends one
	// request by HTTPClient, with ctx, and does not repeat it. It returns ErrBadAnswer or ErrDeclined for the company's
	// response, or an error of the transport.
	Ask(ctx context.Context, jpeg []byte, h catalog.Hints) ([]Answer, error)
}

// Config has what a Provider needs.
type Config struct {
	Name      string // in configuration and attempts
	Client    Client
	Catalogue Catalogue
	Budget    *spend.Budget
	Cost      spend.Micros // of a call
	Threshold float64      // at which candidates are accepted
	Metrics   *Metrics
}

// Provider identifies cards by asking a company. It is safe for concurrent use.
type Provider struct {
	Config
	checker checker
	breaker breaker
}

var (
	_ identify.TextProvider   = (*Provider)(nil)
	_ identify.RemoteProvider = (*Provider)(nil)
)

// New returns a Provider.
func New(c Config) *Provider {
	p := &Provider{Config: c, checker: checker{c.Catalogue, c.Threshold}, breaker: breaker{now: time.Now}}
	c.Metrics.add(p)
	return p
}

// Name implements identify.Provider.
func (p *Provider) Name() string { return p.Config.Name }

// Remote implements identify.RemoteProvider.
func (*Provider) Remote() {}

// Identify implements identify.Provider.
func (p *Provider) Identify(ctx context.Context, photo identify.Photo) ([]identify.Candidate, error) {
	candidates, _, err := p.Read(ctx, photo)
	return candidates, err
}

// Read implements identify.TextProvider. It returns an upstream_error fault if the company does not answer, and an
// unavailable fault if the account has used its budget.
func (p *Provider) Read(
	ctx context.Context, photo identify.Photo,
) (found []identify.Candidate, read identify.Reading, err error) {
	data, ok, err := encodePhoto(photo.Bytes)
	if err != nil || !ok {
		return nil, read, err
	}
	answers, err := p.call(ctx, photo, data)
	if err != nil {
		return nil, read, err
	}
	if found, err = p.checker.candidates(ctx, answers, photo.Hints); err != nil || len(answers) == 0 {
		return nil, read, err
	}
	return found, answers[0].reading(), nil
}

// call asks the company if the breaker and the budget allow it.
func (p *Provider) call(ctx context.Context, photo identify.Photo, jpeg []byte) ([]Answer, error) {
	wait, ok := p.breaker.allow()
	if !ok {
		p.Metrics.count(p.Name(), "breaker_open")
		return nil, fault.New(fault.UpstreamError, "%s does not answer at the moment. It is asked again in %s.",
			p.Name(), max(wait, time.Second).Round(time.Second))
	}
	reservation, err := p.Budget.Reserve(ctx, photo.AccountID, p.Name(), p.Cost)
	if err != nil {
		p.breaker.release()
		if fault.Is(err, fault.Unavailable) {
			p.Metrics.count(p.Name(), "budget_used")
		}
		return nil, err
	}
	defer p.releaseAfterPanic()
	ctx, e := withExchange(ctx)
	begin := time.Now()
	answers, err := p.Client.Ask(ctx, jpeg, photo.Hints)
	if err == nil {
		p.breaker.succeed()
		p.Metrics.observe(p.Name(), "answered", time.Since(begin), p.Cost)
		return answers, nil
	}
	return nil, p.fail(ctx, e, reservation, time.Since(begin), err)
}

// releaseAfterPanic keeps a panic in a company's library from blocking the breaker.
func (p *Provider) releaseAfterPanic() {
	if reason := recover(); reason != nil {
		p.breaker.fail(0)
		panic(reason)
	}
}

// fail records the failure of a call and returns its error.
func (p *Provider) fail(
	ctx context.Context, e *exchange, reservation *spend.Reservation, took time.Duration, err error,
) error {
	f := describe(ctx, p.Name(), e, err)
	if !f.blames {
		p.breaker.release()
	} else if p.breaker.fail(f.wait) {
		slog.WarnContext(ctx, "identification provider is not asked for a while",
			"provider", p.Name(), "reason", f.detail)
	}
	cost := p.Cost
	if !charged(e) {
		cost = 0
		p.release(ctx, reservation)
	}
	p.Metrics.observe(p.Name(), f.outcome, took, cost)
	return f.fault(p.Name())
}

// charged reports whether the company may charge for a call: not if it refused it, or if nothing was sent.
func charged(e *exchange) bool {
	if e.status == 0 {
		return e.connected.Load()
	}
	return e.status < 300
}

// releaseTime limits the release of a reservation, which goes on when the call's context has ended.
const releaseTime = 5 * time.Second

func (p *Provider) release(ctx context.Context, reservation *spend.Reservation) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), releaseTime)
	defer cancel()
	if err := reservation.Release(ctx); err != nil {
		slog.WarnContext(ctx, "the cost of a failed call stays counted", "provider", p.Name(), "error", err)
	}
}
