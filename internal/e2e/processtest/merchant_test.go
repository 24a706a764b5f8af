package processtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/jpeg"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"
)

// merchant is a client that puts photos, publishes cards and has others identified, one after the other.
type merchant struct {
	trial *trial
	made  int // cards

	published  []string // cards whose publishing was confirmed
	identified []string // cards without a title that were given a photo
}

// round lists one card, or has one identified. What is not answered is left as it is.
func (m *merchant) round() {
	m.made++
	draft := `{"identification":{"title":"Ember Fox"},"pricing":{"asking_price":{"amount":500,"currency":"USD"}}}`
	toIdentify := m.made%4 == 0
	if toIdentify {
		draft = `{"identify":true}`
	}
	got, ok := m.trial.ask(m.trial.client(), "POST", "/cards", `{"cards":[`+draft+`]}`, []int{http.StatusCreated})
	if !ok {
		return
	}
	var made struct{ Data []card }
	got.decode(m.trial.t, &made)
	id := made.Data[0].ID
	photo := "/cards/" + id + "/photos/front"
	if _, ok := m.trial.ask(m.trial.client(), "PUT", photo, picture(), []int{http.StatusOK}, "Content-Type", "image/jpeg"); !ok {
		return
	}
	if toIdentify {
		m.identified = append(m.identified, id)
		return
	}
	// Whether a publishing whose answer is lost has begun is not known: repeated, it is refused if it has.
	got, ok = m.trial.ask(m.trial.client(), "POST", "/listings/"+id+"/publish", "", []int{http.StatusAccepted, http.StatusConflict})
	if ok && got.status == http.StatusAccepted {
		m.published = append(m.published, id)
	}
}

// picture returns a picture that shows no card.
var picture = sync.OnceValue(func() string {
	var b bytes.Buffer
	if err := jpeg.Encode(&b, image.NewGray(image.Rect(0, 0, 600, 840)), nil); err != nil {
		panic(err) // cannot happen
	}
	return b.String()
})

// takenUpWithin is how long the work of a worker that was killed may wait for its lease to end, and then some.
const takenUpWithin = 5 * time.Minute

// finish waits until what was asked for is done: every listing is live, every card was looked at.
func (m *merchant) finish(c *client) {
	m.trial.t.Helper()
	eventuallyWithin(m.trial.t, takenUpWithin, "all listings are live and all photos are looked at", func() bool {
		publishing := pages[struct{ ID string }](c, "/listings", url.Values{"status": {"publishing"}})
		waiting := slices.ContainsFunc(pages[card](c, "/cards", url.Values{"identification": {"pending"}}), func(one card) bool {
			return slices.Contains(m.identified, one.ID) // another's photo was not put, or nobody knows whether it was
		})
		return len(publishing) == 0 && !waiting || m.trial.t.Failed()
	})
}

// once checks that each published card has one live listing and one event of it, and each card that was to be
// identified one event that says how that ended.
func (m *merchant) once(c *client, all []event) {
	m.trial.t.Helper()
	events := map[string]int{} // by kind and card
	for _, e := range all {
		var about struct {
			CardID string `json:"card_id"`
		}
		if err := json.Unmarshal(e.Data, &about); err != nil {
			m.trial.t.Error(err)
		}
		events[e.Event+" "+about.CardID]++
	}
	listings := map[string]int{}
	for _, l := range pages[struct {
		CardID string `json:"card_id"`
	}](c, "/listings", url.Values{}) {
		listings[l.CardID]++
	}
	for _, id := range m.published {
		if listings[id] != 1 || events["listing.published "+id] != 1 {
			m.trial.t.Errorf("card %s was published once; it has %d listings and %d events of that", id, listings[id], events["listing.published "+id])
		}
	}
	for _, id := range m.identified {
		if n := events["identify.failed "+id] + events["card.identified "+id]; n != 1 {
			m.trial.t.Errorf("card %s was to be identified once; %d events tell of the end of that", id, n)
		}
	}
}

func (m *merchant) String() string {
	return fmt.Sprintf("%d cards published, %d identified", len(m.published), len(m.identified))
}
