package home

import (
	"context"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/dashboard/developers"
	"github.com/cardvault/cardvault/internal/dashboard/web"
	"github.com/cardvault/cardvault/internal/dashboard/web/format"
)

const (
	// problemsOfAKind is the number of problems of each kind that home shows.
	problemsOfAKind = 3
	// failedExamined is the number of the latest failed listings that are examined. Those of cards that were published
	// again, sold or archived since are not shown.
	failedExamined = 20
	// problemTime is how long a failed listing and a dropped delivery are shown.
	problemTime = 14 * 24 * time.Hour
)

// homeProblem is a thing that failed and that the user can mend.
type homeProblem struct {
	Kind, Name, Address string // Name is the text of the link to Address
	Why                 string // in sentences
	Remedy              string // in a sentence
	More, MoreText      string // the address and the text of a link to all problems of the kind; "" if all are shown
}

// problems returns what failed lately, by kind: the connection to a marketplace and the calls to it, listings, photos
// and, for owners, deliveries to webhooks.
func (h *Handlers) problems(ctx context.Context, v *web.Visit) (all []homeProblem, err error) {
	kinds := []func(context.Context, *web.Visit) ([]homeProblem, error){
		h.connectionProblems, h.callProblems, h.listingProblems, h.photoProblems, h.deliveryProblems,
	}
	found := make([][]homeProblem, len(kinds))
	group, ctx := errgroup.WithContext(ctx)
	for i, read := range kinds {
		group.Go(func() (err error) {
			found[i], err = read(ctx, v)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	for _, list := range found {
		all = append(all, list...)
	}
	return all, nil
}

// connectionProblems is for members. The frame of each page tells owners, who can connect the account again.
func (h *Handlers) connectionProblems(ctx context.Context, v *web.Visit) (list []homeProblem, err error) {
	if v.Owner() {
		return nil, nil
	}
	labels, err := h.Markets.Revoked(ctx, v.Account.ID)
	for _, label := range labels {
		list = append(list, homeProblem{
			Kind: "Marketplace", Name: label, Address: "/listings",
			Why:    label + " does not let CardVault sell for you any more.",
			Remedy: "Ask an owner of the account to connect it again. Until then, listings wait.",
		})
	}
	return list, err
}

// callProblems tells that the account has used up today's calls to a marketplace.
func (h *Handlers) callProblems(ctx context.Context, v *web.Visit) (list []homeProblem, err error) {
	for _, m := range h.Markets {
		if !m.Available() || m.Budget == nil {
			continue
		}
		today, err := m.Budget.Today(ctx, v.Account.ID)
		if err != nil {
			return nil, err
		}
		if today.PublishingWaits {
			list = append(list, homeProblem{
				Kind: "Marketplace", Name: m.Label, Address: "/listings?status=publishing",
				Why: "The account has made most of the calls to " + m.Label +
					" that it may make in a day. Sales and ends go on.",
				Remedy: "New listings and new prices wait until 00:00 UTC. The operator can raise the limit.",
			})
		}
	}
	return list, nil
}

func (h *Handlers) listingProblems(ctx context.Context, v *web.Visit) ([]homeProblem, error) {
	failed, err := h.Listings.LatestFailed(ctx, v.Account.ID, h.Clock.Time().Add(-problemTime), failedExamined)
	if err != nil {
		return nil, err
	}
	rows, err := h.Selling.ListingRows(ctx, v.Account.ID, failed...)
	if err != nil {
		return nil, err
	}
	var list []homeProblem
	for _, row := range rows {
		if row.Again() {
			list = append(list, homeProblem{
				Kind: "Listing", Name: row.Name(), Address: "/listings/" + row.ID,
				Why: sentence(row.Failure.Message), Remedy: row.Advice(),
			})
		}
	}
	return shorten(list, "/listings?status=failed", "All failed listings"), nil
}

func (h *Handlers) photoProblems(ctx context.Context, v *web.Visit) ([]homeProblem, error) {
	found, err := h.Cards.WithFailedPhotos(ctx, v.Account.ID, problemsOfAKind)
	if err != nil {
		return nil, err
	}
	list := make([]homeProblem, len(found))
	for i := range found {
		list[i] = homeProblem{
			Kind: "Photo", Name: "No title", Address: "/cards/" + found[i].ID + "#photos",
			Why: sentence(failedPhoto(&found[i])), Remedy: "Add the photo again, or remove it.",
		}
		if title := found[i].Identification.Title; title != nil {
			list[i].Name = *title
		}
	}
	return list, nil
}

// failedPhoto returns why the first failed photo of the card could not be imported.
func failedPhoto(card *cards.Card) string {
	for _, photo := range card.Photos {
		if photo.Status == cards.PhotoFailed {
			return photo.Failure
		}
	}
	return ""
}

func (h *Handlers) deliveryProblems(ctx context.Context, v *web.Visit) ([]homeProblem, error) {
	if !v.Owner() {
		return nil, nil
	}
	since := h.Clock.Time().Add(-problemTime)
	found, err := h.DeliveryLog.LatestDropped(ctx, v.Account.ID, since, problemsOfAKind+1)
	if err != nil {
		return nil, err
	}
	list := make([]homeProblem, len(found))
	for i, dropped := range found {
		list[i] = homeProblem{
			Kind: "Webhook", Name: dropped.EventID, Address: developers.DeliveriesPath + "/" + dropped.ID,
			Why: developers.FailureWords(format.Text(dropped.LastError)), Remedy: "Then send it again.",
		}
		if dropped.Event != nil {
			list[i].Name = *dropped.Event
		}
	}
	return shorten(list, developers.DeliveriesPath+"?state=dropped", "All dropped deliveries"), nil
}

// shorten returns the first problems of a kind. The last of them has a link to all if there are more.
func shorten(list []homeProblem, address, text string) []homeProblem {
	if len(list) <= problemsOfAKind {
		return list
	}
	list = list[:problemsOfAKind]
	list[problemsOfAKind-1].More, list[problemsOfAKind-1].MoreText = address, text
	return list
}

// sentence returns a message as a sentence.
func sentence(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + strings.TrimSuffix(text[1:], ".") + "."
}
