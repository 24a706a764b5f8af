package exports

import (
	"archive/zip"
	"bytes"
	"context"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/paging"
	"github.com/cardvault/cardvault/internal/photos"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
	"github.com/cardvault/cardvault/internal/quota"
)

// shop is an account with things to export, whose lists can fail.
type shop struct {
	*Service
	t       testing.TB
	account string
	dir     string
	lines   int                  // of things.jsonl
	before  func(line int) error // is called before each page of things.jsonl; may be nil
}

func setup(t testing.TB) *shop {
	t.Helper()
	return setupOn(t, pgtest.New(t))
}

func setupOn(t testing.TB, db *postgres.DB) *shop {
	t.Helper()
	dir := t.TempDir()
	store, err := photos.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	account, err := accounts.New(db, clock.System).Create(t.Context(), "Ada's cards", false)
	if err != nil {
		t.Fatal(err)
	}
	s := &shop{t: t, account: account.ID, dir: dir, lines: 450}
	s.Service = New(db, clock.Clock{Now: clock.System.Now, Quotas: quota.Defaults}, Content{
		Account: func(context.Context, string) (any, error) { return account, nil },
		Files:   []File{{Name: "things.jsonl", Meaning: "things", List: s.things}},
		Table:   inventory{}, Cards: inventory{}, Photos: inventory{},
	}, store)
	return s
}

// again returns the service of another process.
func (s *shop) again() *Service { return New(s.db, s.Service.clock, s.content, s.store) }

// things lists things in pages.
func (s *shop) things(_ context.Context, accountID string, p paging.Request) (found paging.Page[any], err error) {
	first, _ := strconv.Atoi(p.Cursor)
	if s.before != nil {
		if err := s.before(first); err != nil {
			return found, err
		}
	}
	last := min(first+p.Size(), s.lines)
	for i := first; i < last; i++ {
		found.Data = append(found.Data, map[string]any{"of": accountID, "name": "<" + strconv.Itoa(i) + ">"})
	}
	if last < s.lines {
		next := strconv.Itoa(last)
		found.NextCursor = &next
	}
	return found, nil
}

// inventory is the cards and photos of every account.
type inventory struct{}

// Export implements Content.Table.
func (inventory) Export(
	_ context.Context, w io.Writer, _ string, _ cards.Filter, progress func(int),
) (int, error) {
	progress(1)
	_, err := io.WriteString(w, "title\nEmber Fox\n")
	return 1, err
}

// List implements Content.Cards.
func (inventory) List(_ context.Context, _ string, _ cards.Filter, p paging.Request) (paging.Page[cards.Card], error) {
	photo := func(role cards.Role, name string) cards.Photo {
		return cards.Photo{Role: role, ID: name, Status: cards.PhotoReady}
	}
	if p.Cursor == "" {
		next := "2"
		return paging.Page[cards.Card]{NextCursor: &next, Data: []cards.Card{{ID: "card_1", Photos: []cards.Photo{
			photo(cards.RoleFront, "one"), photo(cards.RoleBack, "gone"),
			{Role: cards.RoleListing, Status: cards.PhotoFailed},
		}}}}, nil
	}
	return paging.Page[cards.Card]{Data: []cards.Card{
		{ID: "card_2", Photos: []cards.Photo{photo(cards.RoleFront, "two")}}, {ID: "card_3"},
	}}, nil
}

// Open implements Content.Photos.
func (inventory) Open(_ context.Context, _ string, photo cards.Photo) (io.ReadCloser, string, error) {
	if photo.ID == "gone" {
		return nil, "", fault.NotFound(fault.PhotoNotFound)
	}
	return io.NopCloser(strings.NewReader("image " + photo.ID)), ".jpg", nil
}

// run makes a round of the worker.
func (s *shop) run() {
	s.t.Helper()
	if _, err := s.loop.Once(s.t.Context()); err != nil {
		s.t.Fatal(err)
	}
}

// request asks for an export.
func (s *shop) request() Export {
	s.t.Helper()
	e, err := s.Request(s.t.Context(), s.account)
	if err != nil {
		s.t.Fatal(err)
	}
	return e
}

// only returns the only export of the account.
func (s *shop) only() Export {
	s.t.Helper()
	list, err := s.Service.List(s.t.Context(), s.account)
	if err != nil || len(list) != 1 {
		s.t.Fatalf("exports: %+v, %v, want one", list, err)
	}
	return list[0]
}

// set changes columns of the account's exports, as if time had passed.
func (s *shop) set(columns string) {
	s.t.Helper()
	_, err := s.db.SQL().Exec(`UPDATE account_exports SET `+columns+` WHERE account_id = $1`, s.account)
	if err != nil {
		s.t.Fatal(err)
	}
}

// files returns the names of the stored files.
func (s *shop) files() []string {
	s.t.Helper()
	found, err := filepath.Glob(filepath.Join(s.dir, "exports", s.account, "*"))
	if err != nil {
		s.t.Fatal(err)
	}
	for i, path := range found {
		found[i] = filepath.Base(path)
	}
	return found
}

// read returns the contents of the files of an archive.
func (s *shop) read(e Export) map[string]string {
	s.t.Helper()
	_, archive, err := s.Service.Open(s.t.Context(), s.account, e.ID)
	if err != nil {
		s.t.Fatal(err)
	}
	defer archive.Close()
	data, err := io.ReadAll(archive)
	if err != nil || int64(len(data)) != e.Size {
		s.t.Fatalf("archive: %d bytes, %v, want %d", len(data), err, e.Size)
	}
	return unzip(s.t, data)
}

func unzip(t testing.TB, data []byte) map[string]string {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		files[f.Name] = string(text)
	}
	return files
}
