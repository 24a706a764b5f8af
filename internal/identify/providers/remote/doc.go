// Package remote has what the providers of other companies have in common: they send a photo over the network and
// answer with a description of the card.
//
// A Provider asks a Client, which knows the API of one company. Before the call, it checks the breaker of the company,
// makes a small JPEG of the photo and reserves the cost of the call in the account's budget. After the call, it looks
// the described card up in the reference catalogue. An answer is believed only as far as the catalogue confirms it, so
// that neither an invented card nor a text on the photo that tells a model what to answer is accepted.
//
// The package never sends the address of a photo, its metadata, or anything about the account but its hints. Errors
// never contain keys, addresses or what the company responded.
package remote
