package listings

import (
	"testing"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/tracing/tracingtest"
)

// The trace has a span for the job, below it one for the marketplace call, below that its requests.
func TestTrace_Publish(t *testing.T) {
	t.Parallel()
	s := setup(t)
	tracer, spans := tracingtest.Record()
	l := s.publish()
	if _, err := s.worker.requests.Once(tracer.With(t.Context())); err != nil {
		t.Fatal(err)
	}
	s.want(l, Live)

	job := spans.Await(t, "the job", tracingtest.Named("listing"))
	if job.Parent != "" || job.Kind != "consumer" || job.Failed ||
		job.Attributes["cardvault.key"] != l.ID || job.Attributes["cardvault.account_id"] != s.account {
		t.Errorf("span of the job: got %+v, want a root span with the listing and the account", job)
	}
	call := spans.Await(t, "the call", tracingtest.Named("marketplace publish"))
	if call.Parent != job.ID || call.Failed {
		t.Errorf("span of the call: got %+v, want a child of the job", call)
	}
	var methods []string
	for _, span := range spans.All() {
		if span.Parent != call.ID {
			continue
		}
		methods = append(methods, span.Name)
		a := span.Attributes
		if span.Kind != "client" || a["http.request.method"] != span.Name || a["http.response.status_code"] == "" ||
			a["url.path"] == "" {
			t.Errorf("span of a request: got %+v, want a client span with method, path and status", span)
		}
	}
	if len(methods) < 3 { // for the item, the offer and its publication
		t.Errorf("spans of requests: got %v, want at least 3", methods)
	}
}

// The span of the failed call has the error.
func TestTrace_FailedMarketplaceCall(t *testing.T) {
	t.Parallel()
	s := setup(t)
	tracer, spans := tracingtest.Record()
	away := fault.New(fault.UpstreamError, "the marketplace does not answer")
	s.setHook(func(string, func() error) error { return away })
	s.publish()
	if _, err := s.worker.requests.Once(tracer.With(t.Context())); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"listing", "marketplace publish"} {
		span := spans.Await(t, name, tracingtest.Named(name))
		if !span.Failed || span.Attributes["error.type"] != "upstream_error" {
			t.Errorf("span %s: got %+v, want it failed with upstream_error", name, span)
		}
	}
}
