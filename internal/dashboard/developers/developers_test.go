package developers

import (
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/webhooks"
)

func TestKindGroups_HaveEveryKind(t *testing.T) {
	t.Parallel()
	var labels []string
	shown := map[events.Kind]bool{}
	for _, group := range kindGroups([]events.Kind{events.KindListingSold}) {
		labels = append(labels, group.Label)
		for _, k := range group.Kinds {
			shown[k.Kind] = true
			if k.Checked != (k.Kind == events.KindListingSold) {
				t.Errorf("%s: checked is %v, want that only listing.sold is checked", k.Kind, k.Checked)
			}
		}
	}
	if diff := cmp.Diff([]string{"Cards", "Listings", "Sales", "Batches"}, labels); diff != "" {
		t.Errorf("groups (-want +got):\n%s", diff)
	}
	for _, kind := range events.Kinds {
		if !shown[kind] {
			t.Errorf("the form has no box for %s", kind)
		}
	}
}

func TestParseEndpointForm(t *testing.T) {
	t.Parallel()
	f, kinds, err := parseEndpointForm(url.Values{
		"url": {" https://shop.example/hook "}, "events": {"listing.sold", "card.priced"},
	})
	if err != nil || f.Text("url") != "https://shop.example/hook" {
		t.Errorf("parseEndpointForm = %+v, %v, want the address without space", f.Fields, err)
	}
	if diff := cmp.Diff([]events.Kind{"listing.sold", "card.priced"}, kinds); diff != "" {
		t.Errorf("kinds (-want +got):\n%s", diff)
	}
	_, _, err = parseEndpointForm(url.Values{"url": {"https://shop.example"}})
	if !fault.Is(err, fault.InvalidRequest) {
		t.Errorf("without kinds: got %v, want invalid_request", err)
	}
}

func TestEndpointChange(t *testing.T) {
	t.Parallel()
	const address, other = "https://shop.example/", "https://shop.example/other"
	named := []events.Kind{events.KindListingSold, events.KindCardPriced}
	sold := []events.Kind{events.KindListingSold}
	changed := other
	for name, tc := range map[string]struct {
		endpoint webhooks.Endpoint
		url      string
		kinds    []events.Kind
		want     webhooks.EndpointChange
	}{
		"nothing": {
			webhooks.Endpoint{URL: address, Events: named}, address,
			[]events.Kind{"card.priced", "listing.sold", "listing.sold"}, webhooks.EndpointChange{},
		},
		"default kinds stay unnamed": {
			webhooks.Endpoint{URL: address}, address, events.DefaultKinds, webhooks.EndpointChange{},
		},
		"address": {
			webhooks.Endpoint{URL: address, Events: named}, other, named, webhooks.EndpointChange{URL: &changed},
		},
		"fewer kinds": {
			webhooks.Endpoint{URL: address, Events: named}, address, sold, webhooks.EndpointChange{Events: &sold},
		},
		"kinds are named": {
			webhooks.Endpoint{URL: address}, address, sold, webhooks.EndpointChange{Events: &sold},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tc.want, endpointChange(tc.endpoint, tc.url, tc.kinds)); diff != "" {
				t.Errorf("endpointChange (-want +got):\n%s", diff)
			}
		})
	}
}

func TestStartOf(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", maxShownResponse-1)
	for name, tc := range map[string]struct{ response, want string }{
		"empty":           {"", ""},
		"short":           {"ok", "ok"},
		"not UTF-8":       {"a\xffb", "a\uFFFDb"},
		"long":            {long + "yz", long + "y"},
		"cut character":   {long + "é", long},
		"whole character": {long[1:] + "é", long[1:] + "é"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := startOf(tc.response); got != tc.want {
				t.Errorf("startOf: got %q, want %q", got, tc.want)
			}
		})
	}
}
