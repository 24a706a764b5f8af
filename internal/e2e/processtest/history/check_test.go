package history

import (
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"
)

const ms = time.Millisecond

// at gives an operation its times, in milliseconds.
func at(call, end int, o Operation) Operation {
	o.Card, o.Call, o.Return = "card_a", time.Duration(call)*ms, time.Duration(end)*ms
	return o
}

func created() Operation { return Operation{Kind: Create, Outcome: Done, State: State{1, 0}} }

func update(ifMatch, price, version int64) Operation {
	return Operation{Client: int(price), Kind: Update, IfMatch: ifMatch, Price: price, Outcome: Done, State: State{version, price}}
}

func refused(ifMatch, price int64) Operation {
	return Operation{Client: int(price), Kind: Update, IfMatch: ifMatch, Price: price, Outcome: Refused}
}

func unknown(ifMatch, price int64) Operation {
	return Operation{Client: int(price), Kind: Update, IfMatch: ifMatch, Price: price, Outcome: Unknown}
}

func read(version, price int64) Operation {
	return Operation{Client: 90, Kind: Read, Outcome: Done, State: State{version, price}}
}

func poll(version, price int64) Operation {
	return Operation{Client: 91, Kind: Poll, Outcome: Done, State: State{version, price}}
}

func TestCheck(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name string
		rest []Operation // after the creation, which ends at 10 ms
		ok   bool
	}{
		{"nothing else", nil, true},
		{"one after the other", []Operation{at(20, 30, update(1, 5, 2)), at(40, 50, read(2, 5)), at(60, 70, poll(2, 5))}, true},
		{"two at once, one refused", []Operation{at(20, 40, update(1, 5, 2)), at(20, 40, refused(1, 6))}, true},
		{"a read beside an update sees either", []Operation{at(20, 40, update(1, 5, 2)), at(25, 35, read(1, 0)), at(25, 36, poll(2, 5))}, true},
		{"an update of any version", []Operation{at(20, 30, update(1, 5, 2)), at(40, 50, update(0, 6, 3)), at(60, 70, read(3, 6))}, true},
		{"lost answer, it happened", []Operation{at(20, 30, unknown(1, 5)), at(40, 50, read(2, 5))}, true},
		{"lost answer, it happened later", []Operation{at(20, 30, unknown(1, 5)), at(40, 50, read(1, 0)), at(60, 70, read(2, 5))}, true},
		{"lost answer, it did not happen", []Operation{at(20, 30, unknown(1, 5)), at(40, 50, update(1, 6, 2)), at(60, 70, read(2, 6))}, true},
		{"lost answer of one between others", []Operation{at(20, 30, unknown(1, 5)), at(40, 50, update(2, 6, 3))}, true},
		{"polled before its creation", []Operation{at(1, 5, poll(0, 0))}, true},

		{"lost update: two from one version", []Operation{at(20, 40, update(1, 5, 2)), at(20, 40, update(1, 6, 2))}, false},
		{"lost update: it is gone later", []Operation{at(20, 30, update(1, 5, 2)), at(40, 50, read(1, 0))}, false},
		{"lost update: overwritten by one under an older version", []Operation{at(20, 30, update(1, 5, 2)), at(40, 50, update(1, 6, 3))}, false},
		{"stale read", []Operation{at(20, 30, update(1, 5, 2)), at(40, 50, update(2, 6, 3)), at(60, 70, read(2, 5))}, false},
		{"a read goes back", []Operation{at(20, 60, update(1, 5, 2)), at(25, 30, read(2, 5)), at(35, 40, read(1, 0))}, false},
		{"missed change", []Operation{at(20, 30, update(1, 5, 2)), at(40, 50, poll(1, 0))}, false},
		{"missed creation", []Operation{at(20, 30, poll(0, 0))}, false},
		{"refused at the right version", []Operation{at(20, 30, update(1, 5, 2)), at(40, 50, refused(2, 6))}, false},
		{"done twice", []Operation{at(20, 30, update(1, 5, 2)), at(40, 50, read(3, 5))}, false},
		{"lost answer, done twice", []Operation{at(20, 30, unknown(1, 5)), at(40, 50, read(3, 5))}, false},
		{"lost answer, undone", []Operation{at(20, 30, unknown(1, 5)), at(40, 50, read(2, 5)), at(60, 70, read(1, 0))}, false},
		{"happened before it was asked for", []Operation{at(20, 30, read(2, 5)), at(40, 50, update(1, 5, 2))}, false},
		{"another's price", []Operation{at(20, 30, update(1, 5, 2)), at(40, 50, read(2, 6))}, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			err := Check(append([]Operation{at(0, 10, created())}, c.rest...), time.Minute)
			if (err == nil) != c.ok {
				t.Errorf("Check = %v, want ok %v", err, c.ok)
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

// lossyRegister is a correct register whose answers are lost at times, before the update or after it.
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

// record runs concurrent clients on a lossy register: some thousand operations, a fifth of their answers lost.
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
				o = Operation{Client: client, Card: "card_a", Kind: Update, IfMatch: o.State.Version, Price: int64(client*1000 + i + 1), Call: recorder.Now()}
				recorder.Add(register.update(o, random.IntN(10)))
			}
		})
	}
	clients.Wait()
	return recorder.Operations()
}

// A long history with many lost answers is decided; the same with one answer changed is refused.
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
		t.Error("a read of an older version was accepted")
	}
}
