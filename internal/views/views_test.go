package views_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
	"github.com/cardvault/cardvault/internal/quota"
	"github.com/cardvault/cardvault/internal/views"
)

// setup returns a Service and two accounts.
func setup(t *testing.T) (s *views.Service, mine, theirs string) {
	t.Helper()
	db := pgtest.New(t)
	holders := accounts.New(db, clock.System)
	var ids [2]string
	for i, name := range []string{"Mine", "Theirs"} {
		account, err := holders.Create(t.Context(), name, false)
		if err != nil {
			t.Fatal(err)
		}
		ids[i] = account.ID
	}
	return views.New(db, limited), ids[0], ids[1]
}

// list returns the account's views as "name query".
func list(t *testing.T, s *views.Service, account string) (texts []string, ids []string) {
	t.Helper()
	found, err := s.List(t.Context(), account)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range found {
		texts, ids = append(texts, v.Name+" "+v.Query), append(ids, v.ID)
	}
	return texts, ids
}

func TestService_SaveAndDelete(t *testing.T) {
	t.Parallel()
	s, mine, theirs := setup(t)
	ctx := t.Context()
	for _, v := range [][3]string{
		{mine, "fairs", "location=Fair"}, {mine, "Dear", "sort=-price"}, {mine, "fairs", "batch=bat_1"},
		{theirs, "fairs", ""},
	} {
		if err := s.Save(ctx, v[0], v[1], v[2]); err != nil {
			t.Fatal(err)
		}
	}
	got, ids := list(t, s, mine)
	if diff := cmp.Diff([]string{"Dear sort=-price", "fairs batch=bat_1"}, got); diff != "" {
		t.Errorf("views (-want +got):\n%s", diff)
	}
	_, foreign := list(t, s, theirs)
	for _, viewID := range []string{foreign[0], "view_1", "", "card_00000000000000000000000000"} {
		if err := s.Delete(ctx, mine, viewID); !fault.Is(err, fault.ViewNotFound) {
			t.Errorf("Delete(%q): %v, want view_not_found", viewID, err)
		}
	}
	if err := s.Delete(ctx, mine, strings.ToUpper(ids[0])); err != nil {
		t.Errorf("Delete: %v", err)
	}
	if got, _ := list(t, s, mine); len(got) != 1 || got[0] != "fairs batch=bat_1" {
		t.Errorf("after Delete: got %q, want the other view alone", got)
	}
	if got, _ := list(t, s, theirs); len(got) != 1 {
		t.Errorf("views of the other account: got %q, want one", got)
	}
}

func TestService_SaveRefuses(t *testing.T) {
	t.Parallel()
	s, mine, _ := setup(t)
	for name, tc := range map[string]struct{ name, query, field string }{
		"no name":       {" ", "", "name"},
		"long name":     {strings.Repeat("ö", views.MaxName+1), "", "name"},
		"line break":    {"a\nb", "", "name"},
		"invalid UTF-8": {"a\xff", "", "name"},
		"long query":    {"a", strings.Repeat("q", views.MaxQuery+1), "query"},
	} {
		err := s.Save(t.Context(), mine, tc.name, tc.query)
		f, ok := fault.As(err)
		if !ok || f.Code != fault.InvalidRequest || f.Details[0].Field != tc.field {
			t.Errorf("%s: got %v, want invalid_request about %s", name, err, tc.field)
		}
	}
	if err := s.Save(t.Context(), mine, strings.Repeat("ö", views.MaxName), ""); err != nil {
		t.Errorf("the longest name: %v", err)
	}
}

// most is the number of views that an account may have by default.
var most = int(quota.Defaults.Of(quota.Views))

var limited = clock.Clock{Now: clock.System.Now, Quotas: quota.Defaults}

// Views that are saved at the same time do not exceed the limit.
func TestService_SaveLimits(t *testing.T) {
	t.Parallel()
	s, mine, _ := setup(t)
	var refused sync.Map
	var savers sync.WaitGroup
	for i := range most + 5 {
		savers.Go(func() {
			err := s.Save(t.Context(), mine, fmt.Sprint("View ", i), "")
			if err != nil && !fault.Is(err, fault.QuotaExceeded) {
				t.Error(err)
			}
			if err != nil {
				refused.Store(i, true)
			}
		})
	}
	savers.Wait()
	count := 0
	refused.Range(func(any, any) bool { count++; return true })
	got, _ := list(t, s, mine)
	if len(got) != most || count != 5 {
		t.Fatalf("got %d views and %d refusals, want %d and 5", len(got), count, most)
	}
	name, _, _ := strings.Cut(got[0], "  ")
	if err := s.Save(t.Context(), mine, strings.TrimSpace(name), "q=fox"); err != nil {
		t.Errorf("replacing a view at the limit: %v", err)
	}
}
