package paging

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/cardvault/cardvault/internal/fault"
)

func newCursors(t rapid.TB) Cursors {
	t.Helper()
	c, err := NewCursors([]byte("a secret of thirty-two bytes ..."))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestCursors_OpenOnlyOwnScope(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		c := newCursors(t)
		at := time.UnixMicro(rapid.Int64Range(0, 1<<52).Draw(t, "at")).UTC()
		text := rapid.String()
		id := rapid.StringMatching(`[a-z0-9_]*`).Draw(t, "id")
		key, scope, other := text.Draw(t, "key"), text.Draw(t, "scope"), text.Draw(t, "other")
		cursor := c.Seal(scope, Position{at, id, key})
		got, err := c.Open(scope, cursor)
		if err != nil || !got.At.Equal(at) || got.ID != id || got.Key != key {
			t.Fatalf("Open = %v, %v, want %v and %q", got, err, at, id)
		}
		if _, err := c.Open(other, cursor); scope != other && !fault.Is(err, fault.InvalidCursor) {
			t.Fatalf("Open with another scope = %v, want invalid_cursor", err)
		}
	})
}

func TestCursors_RejectTampering(t *testing.T) {
	t.Parallel()
	c := newCursors(t)
	cursor := c.Seal("cards", Position{At: time.Now(), ID: "card_x"})
	for i := range cursor {
		for _, replaced := range []byte{'A', 'z', '!', 0} {
			if cursor[i] == replaced {
				continue
			}
			bad := cursor[:i] + string(replaced) + cursor[i+1:]
			if _, err := c.Open("cards", bad); !fault.Is(err, fault.InvalidCursor) {
				t.Fatalf("Open(%q) = %v, want invalid_cursor", bad, err)
			}
		}
	}
	for _, bad := range []string{"", "x", cursor + "A", cursor[1:]} {
		if _, err := c.Open("cards", bad); !fault.Is(err, fault.InvalidCursor) {
			t.Errorf("Open(%q) = %v, want invalid_cursor", bad, err)
		}
	}
}

func TestCut(t *testing.T) {
	t.Parallel()
	c := newCursors(t)
	position := func(n int) Position { return Position{At: time.UnixMicro(int64(n)), ID: "x"} }
	for name, tc := range map[string]struct {
		rows       []int
		lastRow    int // row at which the scan stops, or 0; it is in the page if it is in rows
		data, next int // number of rows, and the row after which the next page starts
	}{
		"no rows":                  {nil, 0, 0, 0},
		"last page":                {[]int{1, 2}, 0, 2, 0},
		"another page":             {[]int{1, 2, 3}, 0, 2, 2},
		"scan limit, short page":   {[]int{1}, 9, 1, 9},
		"scan limit, no rows":      {nil, 9, 0, 9},
		"scan limit, full page":    {[]int{1, 9}, 9, 2, 9},
		"scan limit, another page": {[]int{1, 2, 9}, 9, 2, 2},
	} {
		t.Run(name, func(t *testing.T) {
			var read Read[int]
			for _, n := range tc.rows {
				read.Add(n, Scanned{Included: true, Last: n == tc.lastRow})
			}
			if !slices.Contains(tc.rows, tc.lastRow) && tc.lastRow != 0 {
				read.Add(tc.lastRow, Scanned{Last: true})
			}
			p := Cut(c, "s", read, 2, position)
			next := 0
			if p.NextCursor != nil {
				at, err := c.Open("s", *p.NextCursor)
				if err != nil {
					t.Fatal(err)
				}
				next = int(at.At.UnixMicro())
			}
			if len(p.Data) != tc.data || next != tc.next {
				t.Errorf("%d rows, next page after %d, want %d and %d", len(p.Data), next, tc.data, tc.next)
			}
		})
	}
}

func TestCursors_SurviveSecretRotation(t *testing.T) {
	t.Parallel()
	made := func(secrets ...string) Cursors {
		var list [][]byte
		for _, secret := range secrets {
			list = append(list, []byte(secret))
		}
		c, err := NewCursors(list...)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	p := Position{At: time.UnixMicro(1).UTC(), ID: "card_x"}
	issued := made("old").Seal("cards", p)
	if got, err := made("new", "old").Open("cards", issued); err != nil || got != p {
		t.Errorf("Open with both secrets = %v, %v, want %v", got, err, p)
	}
	if got, err := made("new").Open("cards", made("new", "old").Seal("cards", p)); err != nil || got != p {
		t.Errorf("Open of a new cursor = %v, %v, want %v", got, err, p)
	}
	if _, err := made("new").Open("cards", issued); err == nil {
		t.Error("a cursor was opened without its secret")
	}
}
