package sandboxmarket

import (
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
)

// The kinds of faults.
const (
	slow       = "slow"         // the answer is late
	broken     = "error"        // an error 500, without an effect
	lost       = "lost"         // the effect happens, then the connection breaks
	revoked    = "revoked"      // the consent was revoked
	quota      = "quota"        // the calls of the day are used up
	duplicate  = "duplicate"    // a notification is sent twice
	outOfOrder = "out_of_order" // a notification is late, so that others overtake it
)

// kinds are the kinds of faults, with their titles on the operator's page.
var kinds = []struct{ Name, Title string }{
	{slow, "Slow answer"}, {broken, "Error 500"}, {lost, "Answer lost after the effect"},
	{revoked, "Consent revoked"}, {quota, "Calls of the day used up"},
	{duplicate, "Notification sent twice"}, {outOfOrder, "Notifications out of order"},
}

// tokenCall is the name by which faults refer to the token endpoint, which no contract names.
const tokenCall = "getToken"

// Fault is a fault that an operator or a test has switched on. Empty fields match everything.
type Fault struct {
	ID     int    `json:"id"`
	Kind   string `json:"kind"`
	Call   string `json:"call"`   // eBay's operationId, or getToken
	Seller string `json:"seller"` // name of the seller
	// Count is how often it will happen; 0 means until it is switched off.
	Count int `json:"count"`
	// Seconds is the delay of a slow answer or of a late notification; the default is 5.
	Seconds float64 `json:"seconds"`
}

func (f Fault) delay() time.Duration { return time.Duration(f.Seconds * float64(time.Second)) }

func (f Fault) check() error {
	if !slices.ContainsFunc(kinds, func(k struct{ Name, Title string }) bool { return k.Name == f.Kind }) {
		return fault.New(fault.InvalidRequest,
			"kind must be slow, error, lost, revoked, quota, duplicate or out_of_order")
	}
	if f.Call != "" && !slices.Contains(callNames(), f.Call) {
		return fault.New(fault.InvalidRequest, "call must be the operationId of a call, or %s", tokenCall)
	}
	if f.Count < 0 || f.Seconds < 0 || f.Seconds > maxSeconds {
		return fault.New(fault.InvalidRequest, "count must be at least 0, and seconds from 0 to %d", maxSeconds)
	}
	return nil
}

const (
	defaultSeconds = 5
	maxSeconds     = 60
)

// callNames returns the names of the calls that faults can be limited to.
func callNames() []string {
	names := []string{tokenCall}
	for _, c := range calls {
		names = append(names, c.name)
	}
	return names
}

// faults are those that are switched on. A restart switches them off.
type faults struct {
	mu   sync.Mutex
	last int
	on   []Fault
}

// add switches a fault on.
func (f *faults) add(result Fault) (Fault, error) {
	if result.Seconds == 0 {
		result.Seconds = defaultSeconds
	}
	if err := result.check(); err != nil {
		return result, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.last++
	result.ID = f.last
	f.on = append(f.on, result)
	return result, nil
}

// remove switches off the fault with an id, or all faults if id is 0.
func (f *faults) remove(id int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.on = slices.DeleteFunc(f.on, func(o Fault) bool { return id == 0 || o.ID == id })
}

// list returns the faults that are on, oldest first.
func (f *faults) list() []Fault {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.on)
}

// take returns the oldest fault of these kinds that matches a call, and counts that it happens.
func (f *faults) take(call, seller string, kinds ...string) (Fault, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	i := slices.IndexFunc(f.on, func(o Fault) bool {
		return slices.Contains(kinds, o.Kind) && (o.Call == "" || o.Call == call) &&
			(o.Seller == "" || o.Seller == seller)
	})
	if i < 0 {
		return Fault{}, false
	}
	fault := f.on[i]
	switch fault.Count {
	case 0:
	case 1:
		f.on = slices.Delete(f.on, i, i+1)
	default:
		f.on[i].Count--
	}
	return fault, true
}

// inject makes a fault of a call happen, if one is on, else it handles the call.
func (s *server) inject(w http.ResponseWriter, r *http.Request, name string, from caller,
	handle func(http.ResponseWriter) error) error {
	f, ok := s.faults.take(name, from.seller, slow, broken, lost, revoked, quota)
	if !ok {
		return handle(w)
	}
	switch f.Kind {
	case slow:
		if err := sleep(r.Context(), f.delay()); err != nil {
			return err
		}
		return handle(w)
	case broken:
		return internalError(r.URL.Path)
	case revoked:
		return revokedError(name)
	case quota:
		return quotaUsed
	}
	response := httptest.NewRecorder()
	if err := handle(response); err != nil {
		s.log.InfoContext(r.Context(), "lost the error of a call", "call", name, "error", err)
	}
	panic(http.ErrAbortHandler) // breaks the connection
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// revokedError is what a call returns after the seller has revoked the consent.
func revokedError(call string) error {
	if call != tokenCall {
		return invalidToken
	}
	return &tokenError{http.StatusBadRequest, wire.TokenError{Code: wire.InvalidGrant, Description: "the provided " +
		"authorization refresh token is invalid or was issued to another client"}}
}

// systemErrors are the errors 500 of the APIs, by the path below which they are.
var systemErrors = map[string]wire.Error{
	wire.InventoryPath:    systemError,
	wire.FulfillmentPath:  {ErrorID: 30500, Domain: domainFulfillment, Message: "System error"},
	wire.AccountPath:      {ErrorID: 20500, Domain: "API_ACCOUNT", Message: "System error."},
	wire.NotificationPath: {ErrorID: 195000, Domain: "API_NOTIFICATION", Message: "There was an internal problem."},
	wire.MediaPath:        {ErrorID: 190000, Domain: "API_MEDIA", Message: "There was an internal problem."},
	wire.MetadataPath:     {ErrorID: 46000, Domain: "API_METADATA", Message: "There was an internal problem."},
}

// systemErrorOf returns the error 500 of the API that has a path, or of the Inventory API.
func systemErrorOf(path string) *apiError {
	result := systemError
	for prefix, reason := range systemErrors {
		if strings.HasPrefix(path, prefix+"/") {
			result = reason
		}
	}
	result.Category = "APPLICATION"
	return &apiError{http.StatusInternalServerError, []wire.Error{result}}
}

// internalError returns the error 500 of the API that has a path, or of the authorization server.
func internalError(path string) error {
	for prefix := range systemErrors {
		if strings.HasPrefix(path, prefix+"/") {
			return systemErrorOf(path)
		}
	}
	return &tokenError{http.StatusInternalServerError,
		wire.TokenError{Code: "server_error", Description: "the authorization server failed unexpectedly"}}
}
