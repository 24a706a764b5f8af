package cardpage

import (
	"errors"
	"io"
	"math"
	"net/http"
	"regexp"
	"slices"
	"time"

	"github.com/gorilla/mux"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/dashboard/web"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/photos"
)

const (
	// UploadTime is how long an upload may take: 15 MiB at one megabit per second, then the check of the photo.
	UploadTime = receiveTime + web.ChangeTime
	// receiveTime is how long receiving the photo may take.
	receiveTime = 2 * time.Minute
	// maxUpload is the maximum size of the form: a photo and the other fields.
	maxUpload = photos.MaxBytes + web.MaxForm
	// uploadMemory is the part of a form that is kept in memory. The rest is received into a temporary file.
	uploadMemory = 64 << 10
)

// uploadPath matches the paths of the forms with a photo.
var uploadPath = regexp.MustCompile(`^/cards/[^/]+/photos$`)

// MaxBody returns the maximum size of a form with a photo, by its path, or 0 for other paths.
func MaxBody(path string) int64 {
	if uploadPath.MatchString(path) {
		return maxUpload
	}
	return 0
}

var roleLabels = map[cards.Role]string{
	cards.RoleFront: "Front", cards.RoleBack: "Back", cards.RoleListing: "For the listing",
}

// photoPlaces returns a place for each role, in display order.
func (h *Handlers) photoPlaces(card *cards.Card) []photoPlace {
	places := make([]photoPlace, len(cards.Roles))
	for i, role := range cards.Roles {
		places[i] = photoPlace{Role: role, Label: roleLabels[role]}
		at := slices.IndexFunc(card.Photos, func(p cards.Photo) bool { return p.Role == role })
		if at < 0 {
			continue
		}
		places[i].Photo = &shownPhoto{Photo: card.Photos[at]}
		if card.Photos[at].Status == cards.PhotoReady {
			places[i].Photo.Address = h.PhotoURL(card.AccountID, card.Photos[at])
		}
	}
	return places
}

// RefusedPhoto returns why the photo that was sent for a role was refused, or "".
func (p cardPage) RefusedPhoto(role cards.Role) string {
	if p.PhotoRole != role {
		return ""
	}
	return p.RefusedIn(PartPhotos)
}

// RefusedPhotos returns why another form of the photos was refused, or "".
func (p cardPage) RefusedPhotos() string {
	if slices.Contains(cards.Roles, p.PhotoRole) {
		return ""
	}
	return p.RefusedIn(PartPhotos)
}

// AddPhoto adds the photo of a form with a file, or replaces the one of its role.
func (h *Handlers) AddPhoto(w http.ResponseWriter, r *http.Request) error {
	card, err := h.card(r)
	if err != nil {
		return err
	}
	if err := h.receivePhoto(w, r, &card); err != nil {
		return h.refuseOnCard(w, r, card, PartPhotos, err)
	}
	web.Redirect(w, r, cardAddress(originOf(r), card.ID, "", "saved", "photo")+"#"+PartPhotos)
	return nil
}

// receivePhoto receives the form and stores its photo.
func (h *Handlers) receivePhoto(w http.ResponseWriter, r *http.Request, card *cards.Card) error {
	release, err := h.BeginUpload(w, r, UploadTime, math.MaxInt64) // parseUpload refuses a large photo
	if err != nil {
		return err
	}
	defer release()
	if err := parseUpload(r); err != nil {
		return err
	}
	defer func() { _ = r.MultipartForm.RemoveAll() }() // the system deletes its temporary files too
	role := cards.Role(r.PostForm.Get("role"))
	if !slices.Contains(cards.Roles, role) {
		return fault.New(fault.InvalidRequest, "Choose what the photo shows: the front, the back, or the listing.")
	}
	file, header, err := r.FormFile("photo")
	if err != nil || header.Size == 0 {
		return fault.New(fault.InvalidRequest, "Choose a photo first.")
	}
	defer file.Close()
	memory, err := h.Reserve(r.Context(), card.AccountID)
	if err != nil {
		return err
	}
	defer memory.Release()
	_, err = h.Photos.Put(r.Context(), card.AccountID, card.ID, role, io.NewSectionReader(file, 0, header.Size))
	return err
}

// parseUpload parses the body of a form with a photo.
func parseUpload(r *http.Request) error {
	err := r.ParseMultipartForm(uploadMemory)
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return fault.New(fault.PayloadTooLarge,
			"The photo is larger than %d MiB. Send a smaller one.", photos.MaxBytes>>20)
	case fault.Is(err, fault.Unavailable):
		return err
	case err != nil:
		return fault.New(fault.InvalidRequest, "The photo did not arrive completely. Send it again.")
	}
	return nil
}

func (h *Handlers) RemovePhoto(r *http.Request, card *cards.Card) (string, error) {
	return "no-photo", h.Photos.Delete(r.Context(), card.AccountID, card.ID, mux.Vars(r)["photo"])
}

// TurnPhoto turns the stored photo. The viewer's own button turns it on the screen only.
func (h *Handlers) TurnPhoto(r *http.Request, card *cards.Card) (string, error) {
	memory, err := h.Reserve(r.Context(), card.AccountID)
	if err != nil {
		return "", err
	}
	defer memory.Release()
	_, err = h.Photos.Turn(r.Context(), card.AccountID, card.ID, mux.Vars(r)["photo"])
	return "turned", err
}
