package processtest

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

// Identification runs in a process of its own, which does no other work, and which other processes leave it to.
func TestSeparateProcesses_Identification(t *testing.T) {
	t.Parallel()
	s := newSettings(t, pgtest.URL(t))
	owner := s.account(t)
	hook := owner.sink(nil)
	c := owner.at(s.serve(t, "--no-workers"))
	upload := func() {
		var made struct{ Data []card }
		c.do("POST", "/cards", `{"cards":[{"identify":true}]}`, http.StatusCreated, &made)
		front := "/cards/" + made.Data[0].ID + "/photos/front"
		got, err := c.try("PUT", front, picture(), "Content-Type", "image/jpeg")
		if err != nil || got.status != http.StatusOK {
			t.Fatalf("photo: %d %s, %v", got.status, got.body, err)
		}
	}
	waiting := func() int {
		return len(pages[card](c, "/cards", url.Values{"identification": {"pending"}}))
	}
	upload()
	identifying := s.start(t, "worker", "--only-identification")
	identifying.announces(working)
	eventually(t, "the photo is identified", func() bool { return waiting() == 0 })
	if n := hook.count(); n > 0 {
		t.Errorf("the process that only identifies delivered %d events", n)
	}
	identifying.kill()

	upload()
	s.start(t, "worker", "--no-identification").announces(working)
	hook.gotAll(c)
	if n := waiting(); n != 1 {
		t.Errorf("photos that wait while no process identifies: got %d, want 1", n)
	}
}
