package tracingtest

import (
	"compress/gzip"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	collectorpb "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// Collector receives spans like an OpenTelemetry collector: OTLP over HTTP, in protobuf.
type Collector struct {
	*Spans
	URL      string
	t        testing.TB
	requests atomic.Int64
	header   atomic.Pointer[http.Header] // of the last request
}

// NewCollector starts a collector that stops when the test ends.
func NewCollector(t testing.TB) *Collector {
	c := &Collector{Spans: newSpans(), t: t}
	server := httptest.NewServer(c)
	t.Cleanup(server.Close)
	c.URL = server.URL
	return c
}

// Requests returns the number of requests so far.
func (c *Collector) Requests() int { return int(c.requests.Load()) }

// Header returns the header of the last request, or nil before the first.
func (c *Collector) Header() http.Header {
	if h := c.header.Load(); h != nil {
		return *h
	}
	return nil
}

// ServeHTTP implements http.Handler.
func (c *Collector) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.requests.Add(1)
	c.header.Store(&r.Header)
	request, err := read(r)
	if err != nil || r.URL.Path != "/v1/traces" {
		c.t.Errorf("the collector got %s %s: %v", r.Method, r.URL.Path, err)
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	for _, of := range request.ResourceSpans {
		resource := valuesOf(of.GetResource().GetAttributes())
		for _, scope := range of.ScopeSpans {
			for _, s := range scope.Spans {
				span := spanOf(s)
				span.Resource = resource
				c.add(span)
			}
		}
	}
	w.Header().Set("Content-Type", "application/x-protobuf") // the empty body is an empty message
}

func read(r *http.Request) (*collectorpb.ExportTraceServiceRequest, error) {
	body := io.Reader(r.Body)
	if r.Header.Get("Content-Encoding") == "gzip" {
		plain, err := gzip.NewReader(body)
		if err != nil {
			return nil, err
		}
		body = plain
	}
	data, err := io.ReadAll(body)
	if err != nil {
		return nil, err
	}
	request := &collectorpb.ExportTraceServiceRequest{}
	return request, proto.Unmarshal(data, request)
}

func spanOf(s *tracepb.Span) Span {
	span := Span{
		Name:       s.Name,
		Kind:       strings.ToLower(strings.TrimPrefix(s.Kind.String(), "SPAN_KIND_")),
		Trace:      hex.EncodeToString(s.TraceId),
		ID:         hex.EncodeToString(s.SpanId),
		Parent:     hex.EncodeToString(s.ParentSpanId),
		Attributes: valuesOf(s.Attributes),
		Failed:     s.GetStatus().GetCode() == tracepb.Status_STATUS_CODE_ERROR,
	}
	for _, e := range s.Events {
		span.Events = append(span.Events, Event{e.Name, valuesOf(e.Attributes)})
	}
	for _, l := range s.Links {
		span.Links = append(span.Links, hex.EncodeToString(l.TraceId))
	}
	return span
}

func valuesOf(attributes []*commonpb.KeyValue) map[string]string {
	values := map[string]string{}
	for _, a := range attributes {
		values[a.Key] = valueOf(a.Value)
	}
	return values
}

func valueOf(v *commonpb.AnyValue) string {
	switch of := v.GetValue().(type) {
	case *commonpb.AnyValue_StringValue:
		return of.StringValue
	case *commonpb.AnyValue_IntValue:
		return fmt.Sprint(of.IntValue)
	case *commonpb.AnyValue_BoolValue:
		return fmt.Sprint(of.BoolValue)
	case *commonpb.AnyValue_DoubleValue:
		return fmt.Sprint(of.DoubleValue)
	}
	return v.String()
}
