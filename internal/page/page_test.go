package page

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

func TestCursorsOpenForTheirOwnScopeOnly(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		c := newCursors(t)
		at := time.UnixMicro(rapid.Int64Range(0, 1<<52).Draw(t, "at")).UTC()
		id, scope, other := rapid.String().Draw(t, "id"), rapid.String().Draw(t, "scope"), rapid.String().Draw(t, "other")
		cursor := c.Seal(scope, Position{at, id})
		got, err := c.Open(scope, cursor)
		if err != nil || !got.At.Equal(at) || got.ID != id {
			t.Fatalf("Open = %v, %v", got, err)
		}
		if _, err := c.Open(other, cursor); scope != other && !fault.Is(err, fault.InvalidCursor) {
			t.Fatalf("another scope: %v", err)
		}
	})
}

func TestTamperedCursorsAreRefused(t *testing.T) {
	t.Parallel()
	c := newCursors(t)
	cursor := c.Seal("cards", Position{time.Now(), "card_x"})
	for i := range cursor {
		for _, replaced := range []byte{'A', 'z', '!', 0} {
			if cursor[i] == replaced {
				continue
			}
			bad := cursor[:i] + string(replaced) + cursor[i+1:]
			if _, err := c.Open("cards", bad); !fault.Is(err, fault.InvalidCursor) {
				t.Fatalf("%q was taken: %v", bad, err)
			}
		}
	}
	for _, bad := range []string{"", "x", cursor + "A", cursor[1:]} {
		if _, err := c.Open("cards", bad); !fault.Is(err, fault.InvalidCursor) {
			t.Errorf("%q was taken: %v", bad, err)
		}
	}
}

func TestCut(t *testing.T) {
	t.Parallel()
	c := newCursors(t)
	position := func(n int) Position { return Position{time.UnixMicro(int64(n)), "x"} }
	for name, tc := range map[string]struct {
		rows       []int
		reachEnds  int // the row at which the page's reach ends; it belongs to the page if it is among rows
		data, next int // how many rows, and behind which the next page starts
	}{
		"nothing":                     {nil, 0, 0, 0},
		"last page":                   {[]int{1, 2}, 0, 2, 0},
		"another page":                {[]int{1, 2, 3}, 0, 2, 2},
		"short of its reach's end":    {[]int{1}, 9, 1, 9},
		"nothing within its reach":    {nil, 9, 0, 9},
		"full at its reach's end":     {[]int{1, 9}, 9, 2, 9},
		"overfull at its reach's end": {[]int{1, 2, 9}, 9, 2, 2},
	} {
		t.Run(name, func(t *testing.T) {
			var read Read[int]
			for _, n := range tc.rows {
				read.Add(n, Mark{Belongs: true, Ends: n == tc.reachEnds})
			}
			if !slices.Contains(tc.rows, tc.reachEnds) && tc.reachEnds != 0 {
				read.Add(tc.reachEnds, Mark{Ends: true})
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
				t.Errorf("%d rows, the next page starts behind %d", len(p.Data), next)
			}
		})
	}
}

func TestCursorsOutlastTheirSecret(t *testing.T) {
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
	handedOut := made("old").Seal("cards", p)
	if got, err := made("new", "old").Open("cards", handedOut); err != nil || got != p {
		t.Errorf("with both secrets: %v, %v", got, err)
	}
	if got, err := made("new").Open("cards", made("new", "old").Seal("cards", p)); err != nil || got != p {
		t.Errorf("a fresh one: %v, %v", got, err)
	}
	if _, err := made("new").Open("cards", handedOut); err == nil {
		t.Error("an old one is opened without its secret")
	}
}
