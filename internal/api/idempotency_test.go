package api_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	server "github.com/cardvault/cardvault/gen/server/v1"
	"github.com/cardvault/cardvault/internal/api"
	"github.com/cardvault/cardvault/internal/api/idempotency"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

// createBatch handles POST /batches.
type createBatch func(
	context.Context, server.CreateBatchRequestObject,
) (server.CreateBatchResponseObject, error)

// withStore returns a service with an idempotency store in a database of its own. Its POST /batches calls create.
func withStore(t *testing.T, create createBatch) service {
	t.Helper()
	return withStoreIn(t, pgtest.New(t), create)
}

// withStoreIn is withStore for a given database.
func withStoreIn(t *testing.T, db *postgres.DB, create createBatch) service {
	t.Helper()
	store := idempotency.New(db)
	h := reading()
	h.createBatch = create
	h.completeBatch = func(
		context.Context, server.CompleteBatchRequestObject,
	) (server.CompleteBatchResponseObject, error) {
		return server.CompleteBatch200JSONResponse(batch()), nil
	}
	return setup(t, h, func(c *api.Config) { c.Idempotency = store })
}

func post(key string, headers ...string) *http.Request {
	headers = append([]string{"Idempotency-Key", key}, headers...)
	return request("POST", "/api/batches", `{"name":"Spring fair"}`, headers...)
}

// counting returns a handler that responds with a batch whose count is the number of the call.
func counting(calls *atomic.Int32) createBatch {
	return func(context.Context, server.CreateBatchRequestObject) (server.CreateBatchResponseObject, error) {
		b := batch()
		b.CardCount = calls.Add(1)
		return server.CreateBatch201JSONResponse(b), nil
	}
}

func TestIdempotency_ReplaysFirstResponse(t *testing.T) {
	t.Parallel()
	var calls atomic.Int32
	s := withStore(t, counting(&calls))
	first, body := s.do(t, post("import-1", "X-Request-Id", "one"))
	again, replayed := s.do(t, post(`"import-1"`, "X-Request-Id", "two")) // the same key as a quoted string
	if first.StatusCode != 201 || again.StatusCode != 201 || body != replayed || calls.Load() != 1 {
		t.Fatalf("%d %s, then %d %s after %d calls", first.StatusCode, body, again.StatusCode, replayed, calls.Load())
	}
	h := again.Header
	if first.Header.Get("Idempotent-Replayed") != "" || h.Get("Idempotent-Replayed") != "true" ||
		h.Get("Content-Type") != "application/json" ||
		h.Get("X-Request-Id") != "two" || remaining(t, first)-remaining(t, again) != 1 {
		t.Errorf("%v, then %v", first.Header, h)
	}
	if resp, _ := s.do(t, post("import-1", "Authorization",
		"Bearer narrow")); resp.Header.Get("Idempotent-Replayed") != "" || calls.Load() != 2 {
		t.Error("two tokens share a key")
	}
	for i, r := range []*http.Request{
		request("POST", "/api/batches", `{"name":"Autumn fair"}`, "Idempotency-Key", "import-1"),
		request("POST", "/api/batches/"+batchID+"/complete", "", "Idempotency-Key", "import-1"),
	} {
		if resp, body := s.do(t, r); resp.StatusCode != 422 || !strings.Contains(body, "idempotency_key_reused") {
			t.Errorf("other request %d: got %d %s, want 422", i, resp.StatusCode, body)
		}
	}
	if resp, body := s.do(t, request("POST", "/api/batches", `{"name":""}`, "Idempotency-Key",
		"import-1")); resp.StatusCode != 400 {
		t.Errorf("invalid request: got %d %s, want 400", resp.StatusCode, body)
	}
}

func TestIdempotency_RefusesConcurrentRequest(t *testing.T) {
	t.Parallel()
	var calls atomic.Int32
	started, finish := make(chan struct{}), make(chan struct{})
	s := withStore(t, func(
		ctx context.Context, r server.CreateBatchRequestObject,
	) (server.CreateBatchResponseObject, error) {
		close(started)
		<-finish
		return counting(&calls)(ctx, r)
	})
	first := make(chan *http.Response)
	go func() {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, post("k"))
		first <- w.Result()
	}()
	<-started
	if resp, body := s.do(t, post("k")); resp.StatusCode != 409 || !strings.Contains(body, "idempotency_conflict") {
		t.Errorf("while the first request runs: got %d %s, want 409", resp.StatusCode, body)
	}
	close(finish)
	if resp := <-first; resp.StatusCode != 201 {
		t.Errorf("first request: got %d, want 201", resp.StatusCode)
	}
	if resp, _ := s.do(t, post("k")); resp.StatusCode != 201 || resp.Header.Get("Idempotent-Replayed") != "true" ||
		calls.Load() != 1 {
		t.Errorf("afterwards: got %d after %d calls", resp.StatusCode, calls.Load())
	}
}

func TestIdempotency_StoresFinalResponses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fail   func() error
		want   int
		stored bool
	}{
		"not found":    {func() error { return fault.New(fault.BatchNotFound, "No.") }, 404, true},
		"conflict":     {func() error { return fault.New(fault.BatchComplete, "No.") }, 409, true},
		"invalid":      {func() error { return fault.Invalid("name", "is taken") }, 400, false},
		"server error": {func() error { return context.DeadlineExceeded }, 503, false},
		"panic":        {func() error { panic("no") }, 500, false},
	} {
		t.Run(name, func(t *testing.T) {
			calls := 0
			s := withStore(t, func(
				context.Context, server.CreateBatchRequestObject,
			) (server.CreateBatchResponseObject, error) {
				calls++
				return nil, c.fail()
			})
			for range 2 {
				w := httptest.NewRecorder() // not validated: the operation does not document batch_complete
				if s.ServeHTTP(w, post("k")); w.Code != c.want {
					t.Errorf("%d %s", w.Code, w.Body)
				}
			}
			if stored := calls == 1; stored != c.stored {
				t.Errorf("%d calls", calls)
			}
		})
	}
}

func TestIdempotency_StoresResponseAfterDisconnect(t *testing.T) {
	t.Parallel()
	var calls atomic.Int32
	ctx, disconnect := context.WithCancel(context.Background())
	s := withStore(t, func(
		ctx context.Context, r server.CreateBatchRequestObject,
	) (server.CreateBatchResponseObject, error) {
		disconnect()
		if ctx.Err() != nil {
			t.Errorf("the context of the handler is done: %v", ctx.Err())
		}
		return counting(&calls)(ctx, r)
	})
	s.ServeHTTP(httptest.NewRecorder(), post("k").WithContext(ctx))
	if resp, _ := s.do(t, post("k")); resp.Header.Get("Idempotent-Replayed") != "true" || calls.Load() != 1 {
		t.Errorf("%d calls", calls.Load())
	}
}

func TestIdempotency_RetriesStoringResponse(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	for _, statement := range []string{
		`CREATE SEQUENCE attempts`,
		`CREATE FUNCTION fail_twice() RETURNS trigger LANGUAGE plpgsql AS
		 $$ BEGIN IF nextval('attempts') < 3 THEN RAISE EXCEPTION 'not now'; END IF; RETURN NEW; END $$`,
		`CREATE TRIGGER fail_twice BEFORE UPDATE ON idempotency_keys FOR EACH ROW EXECUTE FUNCTION fail_twice()`,
	} {
		if _, err := db.Exec(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	var calls atomic.Int32
	s := withStoreIn(t, db, counting(&calls))
	s.do(t, post("k"))
	if resp, _ := s.do(t, post("k")); resp.Header.Get("Idempotent-Replayed") != "true" || calls.Load() != 1 {
		t.Errorf("%d %v after %d calls", resp.StatusCode, resp.Header, calls.Load())
	}
}

// The response is lost after the commit, because the process died or the commit was not confirmed.
func TestIdempotency_DoesNotRepeatCommittedRequest(t *testing.T) {
	t.Parallel()
	const account = "acc_01k5w0q2m7t9c3r5v8x0z1b4d6"
	db, calls := pgtest.New(t), 0
	createClock := func(tx *postgres.Tx) error { return clock.System.Create(t.Context(), tx, account) }
	if err := db.InTx(t.Context(), createClock); err != nil {
		t.Fatal(err)
	}
	s := withStoreIn(t, db, func(
		ctx context.Context, _ server.CreateBatchRequestObject,
	) (server.CreateBatchResponseObject, error) {
		calls++
		err := clock.System.WriteWithHook(ctx, db, account, idempotency.Hook(ctx),
			func(*postgres.Tx, clock.Stamp) error { return nil })
		if err != nil {
			t.Error(err)
		}
		return nil, context.DeadlineExceeded
	})
	if resp, body := s.do(t, post("k")); resp.StatusCode != 503 {
		t.Fatalf("%d %s", resp.StatusCode, body)
	}
	if resp, body := s.do(t, post("k")); resp.StatusCode != 409 || !strings.Contains(body, "was carried out") ||
		calls != 1 {
		t.Errorf("%d %s after %d calls", resp.StatusCode, body, calls)
	}
}

func TestIdempotency_KeyFormat(t *testing.T) {
	t.Parallel()
	var calls atomic.Int32
	s := withStore(t, counting(&calls))
	for key, want := range map[string]int{
		strings.Repeat("k", 255): 201, `"` + strings.Repeat("k", 255) + `"`: 201, `"a\"b"`: 201, `a"b`: 201, `k k`: 201,
		strings.Repeat("k", 256): 400, `"open`: 400, `""`: 400, `"a"b"`: 400, `"a\b"`: 400, "ä": 400,
		`"` + strings.Repeat("k", 256) + `"`: 400,
	} {
		t.Run(key, func(t *testing.T) {
			if resp, body := s.do(t, post(key)); resp.StatusCode != want {
				t.Errorf("%d %s", resp.StatusCode, body)
			}
		})
	}
	r := post("a")
	r.Header.Add("Idempotency-Key", "b")
	if resp, body := s.do(t, r); resp.StatusCode != 400 {
		t.Errorf("two keys: got %d %s, want 400", resp.StatusCode, body)
	}
	if resp, _ := s.do(t, request("GET", "/api/cards", "", "Idempotency-Key", "k")); resp.StatusCode != 200 ||
		resp.Header.Get("Idempotent-Replayed") != "" {
		t.Errorf("GET with a key: got %d, want 200", resp.StatusCode)
	}
}

func TestIdempotency_HandlerDeadlineIsBeforeLease(t *testing.T) {
	t.Parallel()
	s := withStore(t, func(
		ctx context.Context, _ server.CreateBatchRequestObject,
	) (server.CreateBatchResponseObject, error) {
		deadline, ok := ctx.Deadline()
		if left := time.Until(deadline); !ok || left > idempotency.Lease-5*time.Second {
			t.Errorf("%s until the deadline of the handler", left)
		}
		return server.CreateBatch201JSONResponse(batch()), nil
	})
	if resp, _ := s.do(t, post(strconv.Itoa(1))); resp.StatusCode != 201 {
		t.Errorf("%d", resp.StatusCode)
	}
}
