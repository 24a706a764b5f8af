package processtest

import "time"

// delivery is a row of `cardvault webhook deliveries`.
type delivery struct {
	ID, State  string
	EventID    string `json:"event_id"`
	EndpointID string `json:"endpoint_id"`
	Attempts   int
	LastError  string    `json:"last_error"`
	FinishedAt time.Time `json:"finished_at"`
}

// deliveries returns the account's deliveries in a state.
func (a *account) deliveries(state string) []delivery {
	a.t.Helper()
	var found struct{ Data []delivery }
	a.settings.read(a.t, &found, "webhook", "deliveries", "--account", a.id, "--state", state, "--limit", "100000")
	return found.Data
}

// allDelivered waits until no delivery is pending, checks that n deliveries were delivered and none was dropped, and
// returns them.
func (a *account) allDelivered(n int) []delivery {
	a.t.Helper()
	eventually(a.t, "no delivery is pending", func() bool { return len(a.deliveries("pending")) == 0 })
	delivered := a.deliveries("delivered")
	if len(delivered) != n {
		a.t.Errorf("%d deliveries were delivered, want %d", len(delivered), n)
	}
	if dropped := a.deliveries("dropped"); len(dropped) > 0 {
		a.t.Errorf("deliveries were dropped: %+v", dropped)
	}
	return delivered
}
