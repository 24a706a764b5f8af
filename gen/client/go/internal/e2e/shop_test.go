//go:build e2e

package e2e

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	cardvault "github.com/cardvault/cardvault/gen/client/go"
)

// shop is an account of its own, in which the example programs run.
type shop struct {
	*cardvault.Client
	t        *testing.T
	token    string
	programs string // the folder of the built programs
}

// newShop creates an empty account and builds example programs of the published module.
func newShop(t *testing.T, programs ...string) *shop {
	t.Helper()
	var account struct{ ID string }
	decode(t, cardvaultCommand(t, "account", "create", "--name", t.Name(), "--sandbox", "--json"), &account)
	var token struct{ Token string }
	decode(t, cardvaultCommand(t, "token", "create", "--account", account.ID, "--name", "examples",
		"--limits", "read=1000000,write=1000000,ai=1000000", "--json"), &token)
	p := newProject(t)
	for _, name := range programs {
		p.run("go", "build", "-o", "programs/", module+"/examples/"+name)
	}
	return &shop{clientWithToken(t, token.Token), t, token.Token, filepath.Join(p.folder, "programs")}
}

func decode(t *testing.T, text string, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), into); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
}

// command returns a command that runs an example program against the service at an address.
func (s *shop) command(api, name string, arguments ...string) *exec.Cmd {
	command := exec.CommandContext(s.t.Context(), filepath.Join(s.programs, name), arguments...)
	command.Env = append(os.Environ(), "API="+api, "TOKEN="+s.token)
	return command
}

// run runs an example program, which must succeed, and returns its standard output.
func (s *shop) run(name string, arguments ...string) string {
	s.t.Helper()
	return output(s.t, s.command(os.Getenv("API"), name, arguments...))
}

// wantLines runs an example program and compares the lines that it prints.
func (s *shop) wantLines(name string, arguments []string, want ...string) {
	s.t.Helper()
	got := strings.Split(strings.TrimSpace(s.run(name, arguments...)), "\n")
	if !slices.Equal(got, want) {
		s.t.Errorf("%s prints\n%s\nwant\n%s", name, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// addCards creates cards.
func (s *shop) addCards(cards ...cardvault.CardInput) []cardvault.Card {
	s.t.Helper()
	made, err := s.CreateCards(s.t.Context(), cardvault.CardsInput{Cards: cards})
	if err != nil {
		s.t.Fatal(err)
	}
	return made.Data
}

// list adds a photo to each card, publishes the cards and waits until they are listed.
func (s *shop) list(cards ...cardvault.Card) {
	s.t.Helper()
	var ids []string
	for _, card := range cards {
		if _, err := s.PutCardPhoto(s.t.Context(), card.ID, cardvault.PhotoRoleFront, picture(s.t)); err != nil {
			s.t.Fatal(err)
		}
		ids = append(ids, card.ID)
	}
	for result, err := range s.BulkPublish(s.t.Context(), ids, cardvault.MarketplaceSandbox) {
		if err != nil {
			s.t.Fatal(result.ID, err)
		}
	}
	s.await(func() bool {
		listed := []cardvault.WorkflowStatus{cardvault.WorkflowStatusListed}
		page, err := s.ListCards(s.t.Context(), &cardvault.ListCardsParams{IDs: ids, Status: listed})
		if err != nil {
			s.t.Fatal(err)
		}
		return len(page.Data) == len(ids)
	})
}

// await polls until the condition holds, for at most 30 seconds.
func (s *shop) await(holds func() bool) {
	s.t.Helper()
	poll := time.NewTicker(50 * time.Millisecond)
	defer poll.Stop()
	for deadline := time.After(30 * time.Second); !holds(); {
		select {
		case <-deadline:
			s.t.Fatal("the condition does not hold within 30 seconds")
		case <-poll.C:
		}
	}
}

// gate forwards requests to the service and counts them. It holds back the requests after the first ones.
type gate struct {
	api   string        // the address of the gate
	count atomic.Int64  // the number of requests
	held  chan struct{} // receives a value for each request that is held back
}

func newGate(t *testing.T, first int64) *gate {
	t.Helper()
	service, err := url.Parse(os.Getenv("SERVER"))
	if err != nil {
		t.Fatal(err)
	}
	g := &gate{held: make(chan struct{}, 10)}
	forward := httputil.NewSingleHostReverseProxy(service)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if g.count.Add(1) <= first {
			forward.ServeHTTP(w, r)
			return
		}
		g.held <- struct{}{}
		<-r.Context().Done() // until the client is killed
	}))
	t.Cleanup(server.Close)
	g.api = server.URL + "/api"
	return g
}

// fails runs a command that must fail and returns its exit status and standard error.
func fails(t *testing.T, command *exec.Cmd) (int, string) {
	t.Helper()
	var stderr bytes.Buffer
	command.Stderr = &stderr
	if err := command.Run(); err == nil {
		t.Fatalf("%s succeeds", command)
	}
	return command.ProcessState.ExitCode(), stderr.String()
}
