// Package cardvault is the Go client of CardVault, an inventory service for trading cards.
//
//	client, err := cardvault.New("https://vault.example/api", token)
//	card, err := client.GetCard(ctx, "card_01k5w0q2m7t9c3r5v8x0z1b4d6")
//
// Each operation of the API is a method of [Client]. Each list also has an iterator over the items of all pages, such
// as [Client.Cards] for [Client.ListCards]. [Client.Changes] follows the changes of cards by polling. The client
// retries requests when a retry is safe and can help, and delays them while the rate limit is used up. Errors are an
// [APIError], a [ConnectionError], a [TimeoutError], or the error of the caller's context.
//
// Package webhooks verifies and parses webhook deliveries.
//
// The module depends on the standard library only.
package cardvault

// Version is the version of the client and of the contract that it is generated from.
const Version = "1.0.0"
