package history

import (
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"
)

const ms = time.Millisecond

// at sets the card and the times, in milliseconds, of an operation.
func at(call, end int, o Operation) Operation {
	o.Card, o.Call, o.Return = "card_a", time.Duration(call)*ms, time.Duration(end)*ms
	return o
}

func created() Operation { return Operation{Kind: Create, Outcome: Done, State: State{1, 0}} }

func update(ifMatch, price, version int64) Operation {
	o := updateWith(Done, ifMatch, price)
	o.State = State{version, price}
	return o
}

func refused(ifMatch, price int64) Operation { return updateWith(Refused, ifMatch, price) }

func unknown(ifMatch, price int64) Operation { return updateWith(Unknown, ifMatch, price) }

func updateWith(outcome Outcome, ifMatch, price int64) Operation {
	return Operation{Client: int(price), Kind: Update, IfMatch: ifMatch, Price: price, Outcome: outcome}
}

func read(version, price int64) Operation {
	return Operation{Client: 90, Kind: Read, Outcome: Done, State: State{version, price}}
}

func poll(version, price int64) Operation {
	return Operation{Client: 91, Kind: Poll, Outcome: Done, State: State{version, price}}
}

// namedHistory is the history of a card. Its operations follow the creation of the card, which ends at 10 ms.
type namedHistory struct {
	name       string
	operations []Operation
}

func (h namedHistory) check() error {
	return Check(append([]Operation{at(0, 10, created())}, h.operations...), time.Minute)
}

func TestCheck_Linearizable(t *testing.T) {
	t.Parallel()
	for _, h := range []namedHistory{
		{"only the creation", nil},
		{"sequential", []Operation{at(20, 30, update(1, 5, 2)), at(40, 50, read(2, 5)), at(60, 70, poll(2, 5))}},
		{"concurrent updates, one refused", []Operation{at(20, 40, update(1, 5, 2)), at(20, 40, refused(1, 6))}},
		{"reads during an update see either version", []Operation{
			at(20, 40, update(1, 5, 2)), at(25, 35, read(1, 0)), at(25, 36, poll(2, 5)),
		}},
		{"update without If-Match", []Operation{
			at(20, 30, update(1, 5, 2)), at(40, 50, update(0, 6, 3)), at(60, 70, read(3, 6)),
		}},
		{"lost response, happened", []Operation{at(20, 30, unknown(1, 5)), at(40, 50, read(2, 5))}},
		{"lost response, happened later", []Operation{
			at(20, 30, unknown(1, 5)), at(40, 50, read(1, 0)), at(60, 70, read(2, 5)),
		}},
		{"lost response, did not happen", []Operation{
			at(20, 30, unknown(1, 5)), at(40, 50, update(1, 6, 2)), at(60, 70, read(2, 6)),
		}},
		{"lost response between others", []Operation{at(20, 30, unknown(1, 5)), at(40, 50, update(2, 6, 3))}},
		{"polled before the creation", []Operation{at(1, 5, poll(0, 0))}},
	} {
		t.Run(h.name, func(t *testing.T) {
			t.Parallel()
			if err := h.check(); err != nil {
				t.Errorf("Check = %v, want nil", err)
			}
		})
	}
}

func TestCheck_NotLinearizable(t *testing.T) {
	t.Parallel()
	for _, h := range []namedHistory{
		{"lost update: two of one version", []Operation{at(20, 40, update(1, 5, 2)), at(20, 40, update(1, 6, 2))}},
		{"lost update: not visible later", []Operation{at(20, 30, update(1, 5, 2)), at(40, 50, read(1, 0))}},
		{"lost update: overwritten with an older If-Match", []Operation{
			at(20, 30, update(1, 5, 2)), at(40, 50, update(1, 6, 3)),
		}},
		{"stale read", []Operation{at(20, 30, update(1, 5, 2)), at(40, 50, update(2, 6, 3)), at(60, 70, read(2, 5))}},
		{"read goes back", []Operation{at(20, 60, update(1, 5, 2)), at(25, 30, read(2, 5)), at(35, 40, read(1, 0))}},
		{"missed change", []Operation{at(20, 30, update(1, 5, 2)), at(40, 50, poll(1, 0))}},
		{"missed creation", []Operation{at(20, 30, poll(0, 0))}},
		{"refused with the right version", []Operation{at(20, 30, update(1, 5, 2)), at(40, 50, refused(2, 6))}},
		{"happened twice", []Operation{at(20, 30, update(1, 5, 2)), at(40, 50, read(3, 5))}},
		{"lost response, happened twice", []Operation{at(20, 30, unknown(1, 5)), at(40, 50, read(3, 5))}},
		{"lost response, undone", []Operation{
			at(20, 30, unknown(1, 5)), at(40, 50, read(2, 5)), at(60, 70, read(1, 0)),
		}},
		{"happened before the request", []Operation{at(20, 30, read(2, 5)), at(40, 50, update(1, 5, 2))}},
		{"price of another update", []Operation{at(20, 30, update(1, 5, 2)), at(40, 50, read(2, 6))}},
	} {
		t.Run(h.name, func(t *testing.T) {
			t.Parallel()
			if h.check() == nil {
				t.Error("Check = nil, want an error")
			}
		})
	}
}

func TestCheck_NamesTheCard(t *testing.T) {
	t.Parallel()
	good, bad := at(0, 10, created()), at(20, 30, read(7, 7))
	bad.Card = "card_b"
	err := Check([]Operation{good, bad}, time.Minute)
	if err == nil || !strings.Contains(err.Error(), "card card_b") || strings.Contains(err.Error(), "card card_a") ||
		!strings.Contains(err.Error(), "not explained: client 90, 20ms to 30ms: read: version 7 at price 7") {
		t.Errorf("Check = %v", err)
	}
}

// lossyRegister is a correct register that loses some responses: of updates that happened and of others that did not.
type lossyRegister struct {
	mu  sync.Mutex
	now State
}

func (r *lossyRegister) update(o Operation, lose int) Operation {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case lose == 0:
		o.Outcome = Unknown
	case r.now.Version != o.IfMatch:
		o.Outcome = Refused
	default:
		r.now = State{r.now.Version + 1, o.Price}
		o.Outcome, o.State = Done, r.now
		if lose == 1 {
			o.Outcome, o.State = Unknown, State{}
		}
	}
	return o
}

func (r *lossyRegister) read() State {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.now
}

// record runs concurrent clients on a lossy register. It returns 3,200 operations; a fifth of the updates have no
// response.
func record() []Operation {
	register := &lossyRegister{now: State{1, 0}}
	recorder := NewRecorder()
	recorder.Add(Operation{Card: "card_a", Kind: Create, Outcome: Done, State: State{1, 0}})
	var clients sync.WaitGroup
	for client := range 8 {
		clients.Go(func() {
			random := rand.New(rand.NewPCG(uint64(client), 1))
			for i := range 200 {
				o := Operation{Client: client, Card: "card_a", Kind: Read, Outcome: Done, Call: recorder.Now()}
				o.State = register.read()
				recorder.Add(o)
				o = Operation{
					Client: client, Card: "card_a", Kind: Update,
					IfMatch: o.State.Version, Price: int64(client*1000 + i + 1), Call: recorder.Now(),
				}
				recorder.Add(register.update(o, random.IntN(10)))
			}
		})
	}
	clients.Wait()
	return recorder.Operations()
}

// Check accepts a long history with many lost responses, and rejects it after one response is changed.
func TestCheck_LongHistories(t *testing.T) {
	t.Parallel()
	operations := record()
	if err := Check(operations, time.Minute); err != nil {
		t.Fatal(err)
	}
	for i := len(operations) / 2; ; i++ {
		if operations[i].Kind == Read {
			operations[i].State.Version--
			break
		}
	}
	if err := Check(operations, time.Minute); err == nil {
		t.Error("Check accepts a read of an older version")
	}
}
