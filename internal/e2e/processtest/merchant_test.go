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

// merchant is a client that uploads photos, publishes cards and requests the identification of others.
type merchant struct {
	trial *trial
	made  int // number of cards

	published  []string // cards for which publishing was accepted
	identified []string // cards without a title whose photo was accepted
}

// round publishes one card, or requests its identification. A request without a response ends the round.
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
	_, ok = m.trial.ask(m.trial.client(), "PUT", photo, picture(), []int{http.StatusOK}, "Content-Type", "image/jpeg")
	if !ok {
		return
	}
	if toIdentify {
		m.identified = append(m.identified, id)
		return
	}
	// http.Client may repeat a request whose response was lost. The response is then 409 if publishing has begun.
	got, ok = m.trial.ask(m.trial.client(), "POST", "/listings/"+id+"/publish", "",
		[]int{http.StatusAccepted, http.StatusConflict})
	if ok && got.status == http.StatusAccepted {
		m.published = append(m.published, id)
	}
}

// picture returns a JPEG that shows no card.
var picture = sync.OnceValue(func() string {
	var b bytes.Buffer
	if err := jpeg.Encode(&b, image.NewGray(image.Rect(0, 0, 600, 840)), nil); err != nil {
		panic(err) // cannot happen
	}
	return b.String()
})

// takeoverTime bounds the wait for work of a killed worker: its lease must expire first.
const takeoverTime = 5 * time.Minute

// finish waits until no listing is being published and no accepted photo is being identified.
func (m *merchant) finish(c *client) {
	m.trial.t.Helper()
	eventuallyWithin(m.trial.t, takeoverTime, "all listings are live and all photos are processed", func() bool {
		publishing := pages[struct{ ID string }](c, "/listings", url.Values{"status": {"publishing"}})
		pending := pages[card](c, "/cards", url.Values{"identification": {"pending"}})
		waiting := slices.ContainsFunc(pending, func(one card) bool {
			return slices.Contains(m.identified, one.ID) // other cards may have no photo
		})
		return len(publishing) == 0 && !waiting || m.trial.t.Failed()
	})
}

// once checks that each published card has one listing and one event listing.published, and that each card with an
// accepted photo has one event with the result of its identification.
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
			m.trial.t.Errorf("card %s has %d listings and %d events listing.published, want 1 and 1",
				id, listings[id], events["listing.published "+id])
		}
	}
	for _, id := range m.identified {
		if n := events["identify.failed "+id] + events["card.identified "+id]; n != 1 {
			m.trial.t.Errorf("card %s has %d events with the result of its identification, want 1", id, n)
		}
	}
}

func (m *merchant) String() string {
	return fmt.Sprintf("%d cards published, %d identified", len(m.published), len(m.identified))
}
