package main

import (
	"encoding/json"
	"errors"
	"io"

	cardvault "github.com/cardvault/cardvault/gen/client/go"
	"github.com/cardvault/cardvault/gen/client/go/webhooks"
)

// delivery is what an endpoint of the shop's got.
type delivery struct{ Signature, Body string }

// receipt is what the shop made of it.
type receipt struct {
	Kind    cardvault.EventKind `json:"kind"`
	Unknown bool                `json:"unknown"` // a kind that it does not know, and skips
	Title   string              `json:"title"`   // of the card, where one was sold
}

// receive reads deliveries as JSON from in, one after the other, and writes a receipt for each to out.
func receive(in io.Reader, out io.Writer, secret string) error {
	deliveries, receipts := json.NewDecoder(in), json.NewEncoder(out)
	for {
		var d delivery
		if err := deliveries.Decode(&d); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		event, err := webhooks.Parse(secret, d.Signature, []byte(d.Body))
		if err != nil {
			return err
		}
		r := receipt{Kind: event.Kind}
		switch data := event.Data.(type) {
		case cardvault.ListingSoldData:
			r.Title = data.Title
		case cardvault.UnknownData:
			r.Unknown = true
		}
		if err := receipts.Encode(r); err != nil {
			return err
		}
	}
}
