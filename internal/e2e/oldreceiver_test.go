package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/webhooks"
	"github.com/cardvault/cardvault/openapi"
	"github.com/cardvault/cardvault/openapi/additive"
)

// receipt is what an old program reports about a delivery.
type receipt struct {
	Kind    string
	Unknown bool
	Title   string
}

// signatures returns headers of a body: with one signature, and with as many as an endpoint can have. The receiver has
// the current secret, one of the previous ones, or the oldest.
func signatures(secret string, body []byte) (headers []string) {
	now := time.Now().Unix()
	headers = append(headers, string(webhooks.AppendSignatures(nil, now, body, []byte(secret))))
	for _, place := range []int{0, 2, webhooks.MaxPreviousSecrets} {
		keys := make([][]byte, 1+webhooks.MaxPreviousSecrets)
		for i := range keys {
			keys[i] = fmt.Append(nil, "whsec_another", i)
		}
		keys[place] = []byte(secret)
		headers = append(headers, string(webhooks.AppendSignatures(nil, now, body, keys...)))
	}
	return headers
}

// TestOldReceivers checks that old programs verify and read the deliveries of this service, those of a later service
// with more fields, and those of kinds that their release does not have.
func TestOldReceivers(t *testing.T) {
	t.Parallel()
	const secret = "whsec_9yK1FzrBnE3vQd0m5t8wZx2cR7uJ4hLqA6sTgYpViNo"
	later, err := additive.Contract(openapi.V1)
	if err != nil {
		t.Fatal(err)
	}
	var sent bytes.Buffer
	var want []receipt
	send := func(body []byte, expected receipt) {
		for _, signature := range signatures(secret, body) {
			signed := map[string]string{"signature": signature, "body": string(body)}
			if err := json.NewEncoder(&sent).Encode(signed); err != nil {
				t.Fatal(err)
			}
			want = append(want, expected)
		}
	}
	stamp := clock.Stamp{At: time.Now(), AccountID: "acc_01k5w0q2m7t9c3r5v8x0z1b4d6"}
	for _, kind := range events.Kinds {
		event, err := events.Example(stamp, kind)
		if err != nil {
			t.Fatal(err)
		}
		// Version 1.0.0 of the contract has the kinds that an endpoint gets by default.
		expected := receipt{Kind: string(kind), Unknown: !slices.Contains(events.DefaultKinds, kind)}
		if kind == events.KindListingSold {
			expected.Title = "Test Card"
		}
		send([]byte(event.Body), expected)
		var value any
		if err := json.Unmarshal([]byte(event.Body), &value); err != nil {
			t.Fatal(err)
		}
		grown, err := json.Marshal(additive.Answer(later.Components.Schemas["Event"], value))
		if err != nil || string(grown) == event.Body {
			t.Fatalf("the later event is %s, %v, want it to differ", grown, err)
		}
		send(grown, expected)
	}
	unknown, err := json.Marshal(additive.Answer(later.Components.Schemas["Event"], laterEvent()))
	if err != nil {
		t.Fatal(err)
	}
	send(unknown, receipt{Kind: additive.Kind, Unknown: true})

	for folder, program := range oldShops(t) {
		t.Run(folder, func(t *testing.T) {
			shop := exec.CommandContext(t.Context(), program[0], append(program[1:], "receive")...)
			shop.Env = append(os.Environ(), "SECRET="+secret)
			shop.Stdin, shop.Stderr = bytes.NewReader(sent.Bytes()), os.Stderr
			output, err := shop.Output()
			if err != nil {
				t.Fatal(err)
			}
			decoder := json.NewDecoder(bytes.NewReader(output))
			got := make([]receipt, len(want))
			for i := range got {
				if err := decoder.Decode(&got[i]); err != nil {
					t.Errorf("decode receipt %d: %v", i, err)
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("wrong receipts (-want +got):\n%s", diff)
			}
		})
	}
}
