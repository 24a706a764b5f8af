package imports

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/cards/csvfile"
	"github.com/cardvault/cardvault/internal/dashboard/lookup"
	"github.com/cardvault/cardvault/internal/dashboard/web"
	"github.com/cardvault/cardvault/internal/dashboard/web/form"
	"github.com/cardvault/cardvault/internal/dashboard/web/list"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/users"
)

const (
	// keyFile is the key of the session's file, which waits for its confirmation or is being imported.
	keyFile = "file"
	// maxFileField is the length of the longest value of the form with a file, in bytes.
	maxFileField = 4 << 10
	// acceptTimeout is how long accepting a file may take.
	acceptTimeout = 30 * time.Second
)

// waitingFile is a CSV file whose rows are staged. The session has it; the rows are in the database.
type waitingFile struct {
	AccountID string
	Name      string // of the file
	Accepted  bool
	Waiting   csvfile.Waiting
	Preview   csvfile.Preview
}

// filePage is the data of the page file.
type filePage struct {
	waitingFile
	Problems []csvfile.Problem // why nothing was imported
	More     int               // problems that are not listed
	Progress csvfile.Progress  // of an accepted file
	Percent  int
	Wait     *lookup.Wait // why the rows that are left wait; nil if none are left
}

// Running reports whether rows of an accepted file are left.
func (p filePage) Running() bool { return p.Accepted && p.Progress.Left > 0 }

// Written returns the number of cards that are written.
func (p filePage) Written() int { return p.Waiting.Total - p.Progress.Left }

// Done returns the number of cards that are written, once all rows are applied or refused.
func (p filePage) Done() int { return p.Waiting.Total - p.Progress.Missing }

// waitingFile returns the session's file, if it is one of the account.
func (h *Handlers) waitingFile(r *http.Request) (file waitingFile, ok bool) {
	text := h.Sessions.GetString(r.Context(), keyFile)
	if text == "" || json.Unmarshal([]byte(text), &file) != nil {
		return file, false
	}
	return file, file.AccountID == web.VisitOf(r).Account.ID
}

// keepAndRedirect stores a value in the session and leads to a page that shows it. An upload can take minutes, in which
// the session may have changed or ended, so it is read again.
func (h *Handlers) keepAndRedirect(w http.ResponseWriter, r *http.Request, key, text, target string) error {
	// Without the session as it was.
	ctx, cancel := context.WithTimeout(users.TrackSession(context.Background()), web.FinishTimeout)
	defer cancel()
	ctx, err := h.Sessions.Load(ctx, h.Sessions.Token(r.Context()))
	if err != nil {
		return err
	}
	if h.Sessions.GetString(ctx, web.KeyUser) == "" {
		h.ToLogin(w, r)
		return nil
	}
	h.Sessions.Put(ctx, key, text)
	if _, _, err := h.Sessions.Commit(ctx); err != nil {
		return err
	}
	web.Redirect(w, r, target)
	return nil
}

// keepFile stores the file in the session and leads to its page.
func (h *Handlers) keepFile(w http.ResponseWriter, r *http.Request, file waitingFile) error {
	text, err := json.Marshal(file)
	if err != nil {
		return err
	}
	return h.keepAndRedirect(w, r, keyFile, string(text), csvPath)
}

// StageFile checks a CSV file and stages its rows while it arrives. Nothing is imported before the confirmation.
func (h *Handlers) StageFile(w http.ResponseWriter, r *http.Request) error {
	release, err := h.BeginUpload(w, r, web.UploadTimeout, maxFileForm)
	if err != nil {
		return err
	}
	defer release()
	parts, err := r.MultipartReader()
	if err != nil {
		return web.ErrIncomplete.WithCause(err)
	}
	sent, part, err := readFields(parts)
	if err != nil {
		return err
	}
	account := web.VisitOf(r).Account
	file := waitingFile{AccountID: account.ID, Name: fileName(part)}
	ctx, cancel := context.WithTimeout(r.Context(), web.UploadTimeout)
	defer cancel()
	file.Waiting, file.Preview, err = h.CSVFiles.Stage(ctx, account.ID, part,
		fileOptions(account, fileForm(noBatches, account.Currency).Read(sent)))
	if err != nil {
		return h.refuseFile(w, r, file, sent, err)
	}
	if old, ok := h.waitingFile(r); ok && !old.Accepted {
		if err := h.CSVFiles.Discard(ctx, account.ID, old.Waiting); err != nil {
			return err
		}
	}
	return h.keepFile(w, r, file)
}

// readFields reads the fields before the file of a form, and returns the file.
func readFields(parts *multipart.Reader) (url.Values, *multipart.Part, error) {
	sent := url.Values{}
	for {
		part, err := parts.NextPart()
		if err != nil {
			return nil, nil, web.IncompleteForm(err)
		}
		if part.FormName() == "file" {
			return sent, part, nil
		}
		text, err := io.ReadAll(io.LimitReader(part, maxFileField))
		if err != nil {
			return nil, nil, web.IncompleteForm(err)
		}
		sent.Set(part.FormName(), string(text))
	}
}

// fileName returns the name of an uploaded file.
func fileName(part *multipart.Part) string {
	name := []rune(strings.ToValidUTF8(part.FileName(), "\uFFFD"))
	return string(name[:min(len(name), maxFileName)])
}

// fileOptions returns how a file is imported.
func fileOptions(account accounts.Account, f *form.Form) csvfile.ImportOptions {
	o := csvfile.ImportOptions{
		Options: csvfile.Options{
			Currency: strings.ToUpper(cmp.Or(f.Sent("file_currency"), account.Currency)),
			MatchSKU: f.Sent("file_match") == "sku",
		},
		Batch: f.Sent("file_batch"), OnConflict: cards.UpdateConflict,
	}
	if f.Sent("file_conflict") == string(cards.SkipConflict) {
		o.OnConflict = cards.SkipConflict
	}
	return o
}

// refuseFile shows what is wrong with a file.
func (h *Handlers) refuseFile(
	w http.ResponseWriter, r *http.Request, file waitingFile, sent url.Values, err error,
) error {
	var problems *csvfile.Problems
	p := filePage{waitingFile: file}
	if errors.As(err, &problems) {
		p.Problems, p.More = problems.List, problems.Total-len(problems.List)
		return h.Show(w, r, http.StatusUnprocessableEntity, "file", "Nothing was imported", p)
	}
	f, ok := list.Invalid(err)
	if !ok {
		return err
	}
	return h.refuseImport(w, r, f, sent, func(p importPage) *form.Form { return p.File })
}

// ShowFile shows the session's file: what its import will do, or how far it is.
func (h *Handlers) ShowFile(w http.ResponseWriter, r *http.Request) error {
	file, ok := h.waitingFile(r)
	if !ok {
		web.Redirect(w, r, "/import")
		return nil
	}
	p, title := filePage{waitingFile: file}, "Import "+file.Name
	if file.Accepted {
		var err error
		if p.Progress, err = h.CSVFiles.Progress(r.Context(), file.AccountID, file.Waiting.ImportID); err != nil {
			return err
		}
		p.Percent = 100 * p.Written() / max(file.Waiting.Total, 1)
		if p.Running() {
			waits, err := h.CSVFiles.Waiting(r.Context(), file.AccountID, file.Waiting.ImportID)
			if err != nil {
				return err
			}
			p.Wait = lookup.NewWait(waits, h.Clock.Time())
		}
		web.ShowEnd(w, r, p.Running())
	}
	return h.Show(w, r, http.StatusOK, "file", title, p)
}

// AcceptFile imports the session's file. The form names it, because another one may have taken its place.
func (h *Handlers) AcceptFile(w http.ResponseWriter, r *http.Request) error {
	file, err := h.namedFile(r)
	if err != nil {
		return err
	}
	if file.Accepted || file.Waiting.Total == 0 {
		web.Redirect(w, r, csvPath)
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), acceptTimeout)
	defer cancel()
	if err := h.CSVFiles.Accept(ctx, file.AccountID, file.Waiting); err != nil {
		return err
	}
	file.Accepted, file.Preview = true, csvfile.Preview{}
	return h.keepFile(w, r, file)
}

// DiscardFile removes the session's file.
func (h *Handlers) DiscardFile(w http.ResponseWriter, r *http.Request) error {
	file, err := h.namedFile(r)
	if err != nil {
		return err
	}
	if err := h.CSVFiles.Discard(r.Context(), file.AccountID, file.Waiting); err != nil {
		return err
	}
	h.Sessions.Remove(r.Context(), keyFile)
	web.Redirect(w, r, "/import?done=discarded")
	return nil
}

// namedFile returns the session's file if it is the one that the form names.
func (h *Handlers) namedFile(r *http.Request) (waitingFile, error) {
	file, ok := h.waitingFile(r)
	if !ok || file.Waiting.ImportID != r.PostForm.Get("import") {
		return file, fault.New(fault.InvalidRequest, "The file does not wait any more. Upload it again.")
	}
	return file, nil
}
