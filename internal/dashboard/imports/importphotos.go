package imports

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/dashboard/web"
	"github.com/cardvault/cardvault/internal/dashboard/web/form"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/photos"
	"github.com/cardvault/cardvault/internal/postgres"
)

const (
	// formMemory is the part of a form with photos that is kept in memory, in bytes. The rest is in temporary files.
	formMemory = 1 << 20
	// maxFileName is the length of the longest name of a file, in characters.
	maxFileName = 255
	// keyPhotos is the key of the session's last results of photos.
	keyPhotos = "photos"
	// manyCards is the value of the field pairing for photos of several cards each.
	manyCards = "many"
)

// photoResult is the card of one or two photos, or why there is none.
type photoResult struct {
	Files  []string `json:"files"`
	CardID string   `json:"card_id,omitempty"`
	Error  string   `json:"error,omitempty"`
}

// ImportPhotos creates cards from the photos of a form. A script gets the results as JSON; other browsers are led to a
// page with them.
func (h *Handlers) ImportPhotos(w http.ResponseWriter, r *http.Request) error {
	release, err := h.BeginUpload(w, r, web.UploadTimeout, maxPhotosForm)
	if err != nil {
		return h.refusePhotos(w, r, err)
	}
	defer release()
	stored, err := h.scanForm(r)
	if r.MultipartForm != nil {
		defer func() { _ = r.MultipartForm.RemoveAll() }() // the system removes what is left of temporary files
	}
	switch {
	case err != nil:
		return h.refusePhotos(w, r, err)
	case wantsJSON(r):
		writeJSON(w, http.StatusOK, stored)
		return nil
	}
	return h.keepAndRedirect(w, r, keyPhotos, string(stored), photosPath)
}

// wantsJSON reports whether a script sent the request.
func wantsJSON(r *http.Request) bool { return r.Header.Get("Accept") == "application/json" }

func writeJSON(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(body) // fails only if the client has disconnected
}

// refusePhotos responds to photos that were not imported.
func (h *Handlers) refusePhotos(w http.ResponseWriter, r *http.Request, err error) error {
	f, ok := fault.As(err)
	if !ok {
		f = web.Unexpected(err)
		h.Logger.ErrorContext(r.Context(), "dashboard: photos not imported", "error", err)
	}
	web.SetRetryAfter(w, f)
	if wantsJSON(r) {
		retry := f.Code == fault.IdempotencyConflict || f.Code == fault.Unavailable
		body, err := json.Marshal(map[string]any{"error": f.Message, "retry": retry})
		if err != nil {
			return err
		}
		writeJSON(w, form.Status(f), body)
		return nil
	}
	if f.Status() >= http.StatusInternalServerError {
		return f
	}
	return h.refuseImport(w, r, f, r.PostForm, func(p importPage) *form.Form { return p.Photos })
}

// scanForm creates the cards of a form, unless the same form created them before. It returns the results as JSON.
func (h *Handlers) scanForm(r *http.Request) ([]byte, error) {
	if err := r.ParseMultipartForm(formMemory); err != nil {
		return nil, web.IncompleteForm(err)
	}
	sent, files := url.Values(r.MultipartForm.Value), r.MultipartForm.File["photos"]
	scan, err := newScan(photosForm(noBatches).Read(sent), files)
	if err != nil {
		return nil, err
	}
	account := web.VisitOf(r).Account.ID
	held, err := h.Reserve(r.Context(), account)
	if err != nil {
		return nil, err
	}
	defer held.Release()
	hash, err := hashUpload(sent, files)
	if err != nil {
		return nil, err
	}
	create := func(ctx context.Context, hook postgres.TxHook) ([]byte, error) {
		results, err := h.scan(ctx, account, scan, files, hook)
		if err != nil {
			return nil, err
		}
		return json.Marshal(results)
	}
	return h.Once(r, sent.Get("key"), hash, create)
}

// newScan returns the scan that a form describes, without its photos.
func newScan(f *form.Form, files []*multipart.FileHeader) (photos.Scan, error) {
	scan, most := photos.Scan{}, maxPhotos
	switch shown := f.Sent("pairing"); shown {
	case manyCards:
		scan.Many, most = true, photos.MaxManyPhotos
	case string(photos.PairNone), string(photos.PairByOrder), string(photos.PairByName):
		scan.Pairing = photos.Pairing(shown)
	default:
		return scan, fault.New(fault.InvalidRequest, "Choose what the photos show.")
	}
	if len(files) == 0 || len(files) > most {
		return scan, fault.New(fault.InvalidRequest, "Choose 1 to %d photos. You chose %d.", most, len(files))
	}
	for _, file := range files {
		name := file.Filename
		if !utf8.ValidString(name) || strings.Contains(name, "\x00") || utf8.RuneCountInString(name) > maxFileName {
			return scan, fault.New(fault.InvalidRequest,
				"Rename the photos: their names must be text of at most %d characters.", maxFileName)
		}
	}
	draft := &scan.Card
	for name, field := range map[string]*cards.Field[string]{
		"batch": &draft.BatchID, "location": &draft.Location, "condition": &draft.Condition, "game": &draft.Game,
	} {
		if text := f.Sent(name); text != "" {
			*field = cards.Set(text)
		}
	}
	return scan, nil
}

// hashUpload returns the hash of a form with files.
func hashUpload(form url.Values, files []*multipart.FileHeader) (sum [sha256.Size]byte, err error) {
	h := sha256.New()
	write := func(text string) {
		_ = binary.Write(h, binary.BigEndian, int64(len(text))) // a hash has no errors
		_, _ = io.WriteString(h, text)
	}
	write(form.Encode())
	for _, header := range files {
		write(header.Filename)
		_ = binary.Write(h, binary.BigEndian, header.Size)
		file, err := header.Open()
		if err != nil {
			return sum, fmt.Errorf("dashboard.hashUpload: %w", err)
		}
		_, err = io.Copy(h, file)
		if err := errors.Join(err, file.Close()); err != nil {
			return sum, fmt.Errorf("dashboard.hashUpload: %w", err)
		}
	}
	h.Sum(sum[:0])
	return sum, nil
}

// scan creates the cards of photos and returns a result for each card.
func (h *Handlers) scan(
	ctx context.Context, accountID string, scan photos.Scan, files []*multipart.FileHeader, hook postgres.TxHook,
) ([]photoResult, error) {
	for _, header := range files {
		file, err := header.Open()
		if err != nil {
			return nil, fmt.Errorf("dashboard.scan: %w", err)
		}
		defer file.Close()
		scan.Photos = append(scan.Photos, photos.ScanPhoto{Name: header.Filename, Content: file})
	}
	scanned, err := h.Photos.Scan(ctx, accountID, scan, hook)
	if err != nil {
		return nil, err
	}
	results := make([]photoResult, len(scanned))
	for i, result := range scanned {
		results[i] = photoResult{Files: result.Names, CardID: result.Card.ID}
		if f, ok := fault.As(result.Err); ok {
			results[i].Error = f.Message
		}
	}
	return results, nil
}

// ShowPhotos shows the results of the last photos of the session.
func (h *Handlers) ShowPhotos(w http.ResponseWriter, r *http.Request) error {
	var results []photoResult
	text := h.Sessions.GetString(r.Context(), keyPhotos)
	if text == "" || json.Unmarshal([]byte(text), &results) != nil {
		web.Redirect(w, r, "/import")
		return nil
	}
	return h.Show(w, r, http.StatusOK, "photos", "Imported photos", results)
}
