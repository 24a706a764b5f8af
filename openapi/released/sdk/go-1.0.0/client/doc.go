// Package cardvault is the Go client of CardVault, an inventory service for trading cards.
//
//	client, err := cardvault.New("https://vault.example/api", token)
//	card, err := client.GetCard(ctx, "card_01k5w0q2m7t9c3r5v8x0z1b4d6")
//
// Each operation of the API is a method of [Client]. Each list has an iterator over the items of all its pages beside
// it ([Client.Cards] beside [Client.ListCards]), and [Client.Changes] follows the changes of cards by polling.
// Requests are repeated where that is safe and can help. What goes wrong is an [APIError], a [ConnectionError] or a
// [TimeoutError], or the context's own error where the caller has ended it.
//
// Package webhooks, beside this one, verifies and reads what the service posts to endpoints.
//
// It needs nothing but the standard library.
package cardvault

// Version is that of the contract which the client was made from, and the client's own.
const Version = "1.0.0"
