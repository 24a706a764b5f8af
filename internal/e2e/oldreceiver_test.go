package e2e

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/webhooks"
	"github.com/cardvault/cardvault/openapi"
	"github.com/cardvault/cardvault/openapi/additive"
)

// receipt is what an old program made of a delivery.
type receipt struct {
	Kind    string
	Unknown bool
	Title   string
}

// An old program verifies and reads today's deliveries, those of a later service that say more, and those of kinds that
// its release did not have.
func TestOldReceiversWork(t *testing.T) {
	t.Parallel()
	const secret = "whsec_9yK1FzrBnE3vQd0m5t8wZx2cR7uJ4hLqA6sTgYpViNo"
	later, err := additive.Contract(openapi.V1)
	if err != nil {
		t.Fatal(err)
	}
	var sent bytes.Buffer
	var want []receipt
	send := func(body []byte, expected receipt) {
		signed := map[string]string{"signature": webhooks.Sign(secret, time.Now(), body), "body": string(body)}
		if err := json.NewEncoder(&sent).Encode(signed); err != nil {
			t.Fatal(err)
		}
		want = append(want, expected)
	}
	for _, kind := range events.Kinds {
		event, err := events.Example(clock.Stamp{At: time.Now(), AccountID: "acc_01k5w0q2m7t9c3r5v8x0z1b4d6"}, kind)
		if err != nil {
			t.Fatal(err)
		}
		expected := receipt{Kind: string(kind)}
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
			t.Fatalf("%s, %v", grown, err)
		}
		send(grown, expected)
	}
	unknown, err := json.Marshal(additive.Answer(later.Components.Schemas["Event"], laterEvent()))
	if err != nil {
		t.Fatal(err)
	}
	send(unknown, receipt{Kind: additive.Kind, Unknown: true})

	for folder, program := range oldShops(t) {
		shop := exec.CommandContext(t.Context(), program[0], append(program[1:], "receive")...)
		shop.Env, shop.Stdin, shop.Stderr = append(os.Environ(), "SECRET="+secret), bytes.NewReader(sent.Bytes()), os.Stderr
		output, err := shop.Output()
		if err != nil {
			t.Fatalf("%s: %v", folder, err)
		}
		got := json.NewDecoder(bytes.NewReader(output))
		for _, expected := range want {
			var r receipt
			if err := got.Decode(&r); err != nil || r != expected {
				t.Errorf("%s: got %+v, %v, want %+v", folder, r, err, expected)
			}
		}
	}
}
