package webhooktest

import (
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/webhooks"
)

func TestParse(t *testing.T) {
	t.Parallel()
	const secret = "whsec_test"
	body := []byte(`{"id":"evt_1","event":"card.sold","account_id":"acc_1","data":{"card_id":"card_1"}}`)
	signed := func(changed map[string]string) http.Header {
		header := http.Header{}
		header.Set(webhooks.Header, webhooks.Sign(secret, time.Now(), body))
		header.Set("X-Vault-Event-Id", "evt_1")
		header.Set("X-Vault-Event", "card.sold")
		header.Set("X-Vault-Delivery-Attempt", "2")
		for name, value := range changed {
			header.Set(name, value)
		}
		return header
	}
	want := Delivery{
		ID: "evt_1", Event: "card.sold", AccountID: "acc_1", Data: []byte(`{"card_id":"card_1"}`), Attempt: 2,
	}
	got, err := Parse(secret, signed(nil), body)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Parse (-want +got):\n%s", diff)
	}
	for name, changed := range map[string]map[string]string{
		"other secret":  {webhooks.Header: webhooks.Sign("whsec_other", time.Now(), body)},
		"other id":      {"X-Vault-Event-Id": "evt_2"},
		"other event":   {"X-Vault-Event": "card.priced"},
		"no attempt":    {"X-Vault-Delivery-Attempt": ""},
		"attempt below": {"X-Vault-Delivery-Attempt": "0"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := Parse(secret, signed(changed), body); err == nil {
				t.Error("Parse accepts it")
			}
		})
	}
}
