package dashboard

import (
	"net/http"
	"strconv"

	"github.com/gorilla/mux"

	"github.com/cardvault/cardvault/internal/caller"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/page"
)

// cardPage is the data of the page card.
type cardPage struct {
	Card    cards.Card
	Photos  []shownPhoto
	Fields  []cardField
	Version int64 // that the form was read from
	Saved   bool
	Failed  string // why the form could not be saved; "" if it was not sent or was saved
	History []historyEntry
	More    bool // whether there is older history
}

// shownPhoto is a photo with its URL.
type shownPhoto struct {
	cards.Photo
	Address string // "" while it cannot be shown
}

// historyEntry is a version of the card.
type historyEntry struct {
	cards.HistoryEntry
	Who string
}

// historyShown is the number of versions on the page.
const historyShown = 20

func (d *Dashboard) showCard(w http.ResponseWriter, r *http.Request) error {
	account := visitOf(r).Account
	card, err := d.Cards.Get(r.Context(), account.ID, mux.Vars(r)["id"])
	if err != nil {
		return err
	}
	return d.renderCard(w, r, http.StatusOK, cardPage{
		Card: card, Fields: cardFields(&card, account.Currency), Version: card.Version,
		Saved: r.URL.Query().Get("saved") == "true",
	})
}

// renderCard adds the photos and the history to the page and shows it.
func (d *Dashboard) renderCard(w http.ResponseWriter, r *http.Request, status int, p cardPage) error {
	account := visitOf(r).Account
	history, err := d.Cards.History(r.Context(), account.ID, p.Card.ID, page.Request{Limit: historyShown})
	if err != nil {
		return err
	}
	names, err := d.actorNames(r.Context(), account.ID, history.Data)
	if err != nil {
		return err
	}
	for _, entry := range history.Data {
		p.History = append(p.History, historyEntry{entry, names[entry.Actor]})
	}
	p.More = history.NextCursor != nil
	for _, photo := range p.Card.Photos {
		shown := shownPhoto{Photo: photo}
		if photo.Status == cards.PhotoReady {
			shown.Address = d.PhotoURL(account.ID, photo)
		}
		p.Photos = append(p.Photos, shown)
	}
	title := "Card without a title"
	if p.Card.Identification.Title != nil {
		title = *p.Card.Identification.Title
	}
	return d.show(w, r, status, "card", title, p)
}

func (d *Dashboard) changeCard(w http.ResponseWriter, r *http.Request) error {
	if err := parseForm(r); err != nil {
		return err
	}
	account := visitOf(r).Account
	card, err := d.Cards.Get(r.Context(), account.ID, mux.Vars(r)["id"])
	if err != nil {
		return err
	}
	version, err := strconv.ParseInt(r.PostForm.Get("version"), 10, 64)
	if err != nil {
		return fault.New(fault.InvalidRequest, "The form is incomplete. Open the card again and repeat the change.")
	}
	patch, err := cardPatch(r.PostForm)
	if err == nil {
		patch = patch.Changes(&card)
		_, err = d.Cards.Update(r.Context(), account.ID, card.ID, patch, func(v int64) bool { return v == version })
	}
	if err == nil {
		redirect(w, r, "/cards/"+card.ID+"?saved=true")
		return nil
	}
	f, ok := fault.As(err)
	if !ok || f.Status() >= http.StatusInternalServerError {
		return err
	}
	p := cardPage{Card: card, Fields: cardFields(&card, account.Currency), Version: version, Failed: f.Message}
	if f.Code == fault.VersionMismatch {
		p.Failed = "The card was changed in the meantime. Compare your values with its history below, then save again."
		p.Version = card.Version
	}
	p.keep(r.PostForm, f.Details)
	return d.renderCard(w, r, formStatus(f), p)
}

// formStatus returns the status of a form that was refused.
func formStatus(f *fault.Error) int {
	if f.Code == fault.InvalidRequest {
		return http.StatusUnprocessableEntity
	}
	return f.Status()
}

// keep shows what was typed, with the errors beside their fields.
func (p *cardPage) keep(form map[string][]string, refused []fault.Detail) {
	errors := map[string]string{}
	for _, detail := range refused {
		errors[formField(detail.Field)] = detail.Message
	}
	for i := range p.Fields {
		field := &p.Fields[i]
		if typed := form[field.Name]; len(typed) > 0 {
			field.Value = typed[0]
		}
		field.Error = errors[field.Name]
	}
}

// actorOf returns how an actor without a name is shown.
func actorOf(a caller.Actor) string {
	switch a.Type {
	case caller.ImportActor:
		return "an import"
	case caller.WorkerActor:
		return "CardVault"
	case caller.TokenActor:
		return "the token " + a.ID
	}
	return a.ID
}
