package sandboxmarket

import (
	"encoding/json"
	"net/http"
	"strconv"

	"github.com/cardvault/cardvault/internal/fault"
)

func (s *server) faultRoutes(mux *http.ServeMux) {
	mux.HandleFunc("GET /faults", s.faultsPage)
	mux.HandleFunc("POST /faults", s.switchOn)
	mux.HandleFunc("POST /faults/{id}/off", s.switchOff)
}

// faultsPage shows the faults that are on, and a form that switches on another.
func (s *server) faultsPage(w http.ResponseWriter, r *http.Request) {
	s.render(w, r, http.StatusOK, "faults.html", struct {
		Faults []Fault
		Kinds  []struct{ Name, Title string }
		Calls  []string
	}{s.faults.list(), kinds, callNames()})
}

func (s *server) switchOn(w http.ResponseWriter, r *http.Request) {
	count, countErr := strconv.Atoi(r.PostFormValue("count"))
	seconds, secondsErr := strconv.ParseFloat(r.PostFormValue("seconds"), 64)
	var err error = fault.New(fault.InvalidRequest, "the numbers of calls and seconds must be numbers")
	if countErr == nil && secondsErr == nil {
		_, err = s.faults.add(Fault{Kind: r.PostFormValue("kind"), Call: r.PostFormValue("call"),
			Seller: r.PostFormValue("seller"), Count: count, Seconds: seconds})
	}
	if err != nil {
		s.renderError(w, r, err)
		return
	}
	http.Redirect(w, r, "/faults", http.StatusSeeOther)
}

func (s *server) switchOff(w http.ResponseWriter, r *http.Request) {
	if id, err := strconv.Atoi(r.PathValue("id")); err == nil && id > 0 {
		s.faults.remove(id)
	}
	http.Redirect(w, r, "/faults", http.StatusSeeOther)
}

// faultList is the response of the control routes of faults.
type faultList struct {
	Faults []Fault `json:"faults"`
}

func (s *server) apiFaults(*http.Request) (any, error) {
	return faultList{append([]Fault{}, s.faults.list()...)}, nil
}

func (s *server) apiAddFault(r *http.Request) (any, error) {
	var f Fault
	if err := json.NewDecoder(r.Body).Decode(&f); err != nil {
		return nil, fault.New(fault.InvalidJSON, `the body must be {"kind", "call", "seller", "count", "seconds"}`)
	}
	return s.faults.add(f)
}

// apiRemoveFaults switches off the fault that the path names, or all.
func (s *server) apiRemoveFaults(r *http.Request) (any, error) {
	id := 0
	if name := r.PathValue("id"); name != "" {
		var err error
		if id, err = strconv.Atoi(name); err != nil || id < 1 {
			return nil, fault.New(fault.InvalidRequest, "the identifier of a fault is a number")
		}
	}
	s.faults.remove(id)
	return s.apiFaults(r)
}
