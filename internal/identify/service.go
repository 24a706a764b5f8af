package identify

import (
	"cmp"
	"context"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/concurrency"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/identify/learned"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/queue"
)

// Cards is the part of *cards.Service that identification uses.
type Cards interface {
	Get(ctx context.Context, accountID, cardID string) (cards.Card, error)
	Find(ctx context.Context, q postgres.Querier, accountID, cardID string) (cards.Card, error)
	// Hints returns the hints that are kept with a card.
	Hints(ctx context.Context, accountID, cardID string) (catalog.Hints, error)
	// StockGames returns the games of the account's cards.
	StockGames(ctx context.Context, accountID string) ([]string, error)
	SaveIdentified(
		ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, cardID string, r cards.Result,
	) (cards.Card, error)
	AwaitIdentification(ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, cardID string) (cards.Card, error)
	SaveUnidentified(
		ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, cardID string, attempts []events.IdentifyAttempt,
	) (cards.Card, error)
}

// Photos is the part of *photos.Service that identification uses.
type Photos interface {
	// Load returns the bytes of a card's photo.
	Load(ctx context.Context, accountID string, photo cards.Photo) ([]byte, error)
	// Fetch returns the bytes of a photo at a public URL for an account, and their media type.
	Fetch(ctx context.Context, accountID, url string) (data []byte, contentType string, err error)
}

// Accounts is the part of *accounts.Service that identification uses.
type Accounts interface {
	Get(ctx context.Context, accountID string) (accounts.Account, error)
}

// Service identifies cards and photos.
type Service struct {
	db       *postgres.DB
	clock    clock.Clock
	chain    Chain // as the operator has configured it
	sandbox  Chain // of sandbox accounts
	accounts Accounts
	cards    Cards
	photos   Photos
	queue    *queue.Queue
	stocks   *stocks
	requests *concurrency.Semaphore // that have a photo in memory, by account
}

// maxRequests and maxAccountRequests are how many requests of all accounts and of one have a photo in memory, of up to
// 15 MiB, while they fetch it or wait for a slot.
const maxRequests, maxAccountRequests = 64, 8

// New returns a Service that identifies the cards waiting in q. It uses one chain for live accounts and another for
// sandbox accounts. The chains have the same number of providers and the same timeouts.
func New(
	db *postgres.DB, c clock.Clock, chain, sandbox Chain, a Accounts, cards Cards, photos Photos, q *queue.Queue,
) *Service {
	return &Service{
		db: db, clock: c, chain: chain, sandbox: sandbox, accounts: a, cards: cards, photos: photos, queue: q,
		stocks: newStocks(cards.StockGames), requests: concurrency.NewSemaphore(maxRequests, maxAccountRequests),
	}
}

// chainOf returns the chain of an account without its preferences.
func (s *Service) chainOf(a accounts.Account) Chain {
	if a.Sandbox {
		return s.sandbox
	}
	return s.chain
}

// Settings returns how photos of the account are identified: as the account prefers it, within what the operator
// allows now.
func (s *Service) Settings(a accounts.Account) accounts.Identification {
	return a.Preferences.Within(s.chainOf(a).settings())
}

// runChain runs the chain on a photo as the account prefers it.
func (s *Service) runChain(ctx context.Context, accountID string, photo Photo) (Outcome, error) {
	account, err := s.accounts.Get(ctx, accountID)
	if err != nil {
		return Outcome{}, err
	}
	photo.AccountID = accountID
	first := s.games(ctx, account, &photo.Hints)
	outcome, err := s.chainOf(account).withSettings(s.Settings(account)).Run(learned.For(ctx, accountID), photo)
	outcome.putFirst(first)
	return outcome, err
}

// Request is what to identify: exactly one of a card of the account and a photo at a public URL.
type Request struct {
	CardID, PhotoURL *string
	Hints            *catalog.Hints // may be nil
}

// Identify identifies a card, as Card does, or a photo, as Photo does. The card is nil for a photo.
func (s *Service) Identify(
	ctx context.Context, accountID string, r Request, hook postgres.TxHook,
) (Outcome, *cards.Card, error) {
	if (r.CardID == nil) == (r.PhotoURL == nil) {
		return Outcome{}, nil, fault.Invalid("body", "must have exactly one of card_id, photo_url")
	}
	if r.CardID == nil {
		var hints catalog.Hints
		if r.Hints != nil {
			hints = *r.Hints
		}
		outcome, err := s.Photo(ctx, accountID, *r.PhotoURL, hints)
		return outcome, nil, err
	}
	outcome, card, err := s.Card(ctx, accountID, *r.CardID, r.Hints, hook)
	if err != nil {
		return Outcome{}, nil, err
	}
	return outcome, &card, nil
}

// Photo identifies the card on a photo at a public URL. It saves nothing and fires no event. It fails with
// photo_invalid if no provider can process the photo, and with upstream_error if none responded for another reason.
func (s *Service) Photo(ctx context.Context, accountID, url string, hints catalog.Hints) (Outcome, error) {
	reservation, err := s.reserve(ctx, accountID)
	if err != nil {
		return Outcome{}, err
	}
	defer reservation.Release()
	data, contentType, err := s.photos.Fetch(ctx, accountID, url)
	if err != nil {
		return Outcome{}, err
	}
	outcome, err := s.runChain(ctx, accountID, Photo{Bytes: data, ContentType: contentType, Hints: hints})
	if err != nil {
		return Outcome{}, err
	}
	if err := outcome.refusal(); err != nil {
		return Outcome{}, err
	}
	if outcome.unanswered() {
		return Outcome{}, fault.New(fault.UpstreamError, "No identification provider could answer. Try again.")
	}
	return outcome, nil
}

// refusal returns the error of the photo if no provider can process it, which a retry would not change.
func (o Outcome) refusal() error {
	for _, a := range o.Attempts {
		if !fault.Is(a.Err, fault.PhotoInvalid) {
			return nil
		}
	}
	return o.Attempts[0].Err
}

// Card identifies a card by its photo, saves the outcome and returns the updated card. It fails with
// card_has_no_photo, and it does not change a card that is archived or sold, also if that happened meanwhile.
// Unless hints is nil, it replaces the hints that are kept with the card. The hook is called in the transaction that
// saves the outcome.
func (s *Service) Card(
	ctx context.Context, accountID, cardID string, hints *catalog.Hints, hook postgres.TxHook,
) (Outcome, cards.Card, error) {
	card, err := s.cards.Get(ctx, accountID, cardID)
	if err != nil {
		return Outcome{}, cards.Card{}, err
	}
	if err := card.Identifiable(); err != nil {
		return Outcome{}, cards.Card{}, err
	}
	outcome, err := s.identifyCard(ctx, card, hints)
	if err != nil {
		return Outcome{}, cards.Card{}, err
	}
	err = s.clock.WriteWithHook(ctx, s.db, accountID, hook, func(tx *postgres.Tx, stamp clock.Stamp) error {
		// The account's clock is locked, so the card does not change after this check.
		if card, err = s.cards.Find(ctx, tx, accountID, card.ID); err != nil {
			return err
		}
		if err := card.Identifiable(); err != nil {
			return err
		}
		// The queued identification is done.
		if err := s.queue.Drop(ctx, tx, accountID, card.ID); err != nil {
			return err
		}
		card, err = s.save(ctx, tx, stamp, card.ID, outcome)
		return err
	})
	return outcome, card, err
}

// reserve waits until a request of the account may have a photo in memory, at most as long as for a slot.
func (s *Service) reserve(ctx context.Context, accountID string) (concurrency.Held, error) {
	if reservation, ok := s.requests.TryAcquire(accountID, 1); ok {
		return reservation, nil
	}
	waitCtx, cancel := s.chain.limitWait(ctx)
	defer cancel()
	reservation, err := s.requests.Acquire(waitCtx, accountID, 1)
	if err != nil {
		return concurrency.Held{}, cmp.Or(ctx.Err(), ErrBusy)
	}
	return reservation, nil
}

// identifyCard runs the chain on the card's photo for a request.
func (s *Service) identifyCard(ctx context.Context, card cards.Card, hints *catalog.Hints) (Outcome, error) {
	reservation, err := s.reserve(ctx, card.AccountID)
	if err != nil {
		return Outcome{}, err
	}
	defer reservation.Release()
	photo, err := s.loadPhoto(ctx, card, hints)
	if err != nil {
		return Outcome{}, err
	}
	return s.runChain(ctx, card.AccountID, photo)
}

// loadPhoto loads the card's photo. If hints is nil, the hints that are stored with the card are used.
func (s *Service) loadPhoto(ctx context.Context, card cards.Card, hints *catalog.Hints) (Photo, error) {
	if hints == nil {
		cardHints, err := s.cards.Hints(ctx, card.AccountID, card.ID)
		if err != nil {
			return Photo{}, err
		}
		hints = &cardHints
	}
	p := *card.BestPhoto()
	data, err := s.photos.Load(ctx, card.AccountID, p)
	if err != nil {
		return Photo{}, err
	}
	photo := Photo{Bytes: data, ContentType: p.ContentType, Hints: *hints}
	if photo.Hints.Game == "" {
		photo.Hints.Game = card.GivenGame()
	}
	return photo, nil
}

// save writes the outcome into the card, and the candidates beside it.
func (s *Service) save(
	ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, cardID string, out Outcome,
) (cards.Card, error) {
	if err := saveCandidates(tx, stamp, cardID, out); err != nil {
		return cards.Card{}, err
	}
	if out.Accepted == nil {
		return s.cards.SaveUnidentified(ctx, tx, stamp, cardID, out.eventAttempts())
	}
	result := out.Accepted.result()
	result.Grade = out.Grade()
	return s.cards.SaveIdentified(ctx, tx, stamp, cardID, result)
}

// eventAttempts returns the attempts in the format of the event.
func (o Outcome) eventAttempts() []events.IdentifyAttempt {
	attempts := make([]events.IdentifyAttempt, len(o.Attempts))
	for i, a := range o.Attempts {
		attempts[i] = events.IdentifyAttempt{Provider: a.Provider, Outcome: string(a.Outcome), Message: a.Message}
	}
	return attempts
}

// result returns the values of a candidate that are saved on the card.
func (f Found) result() cards.Result {
	r := cards.Result{
		Title: f.Title, Set: known(f.Set), Number: known(f.Number), CatalogID: known(f.CatalogID), Game: known(f.Game),
		Variant: f.Variant, Language: f.Language, Provider: f.Provider, Confidence: f.Confidence,
	}
	if f.Year != nil {
		year := int32(*f.Year)
		r.Year = &year
	}
	return r
}

// known returns nil for "", which means unknown.
func known(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
