// Package openapi holds the authored contracts, embedded into the program: what validates requests
// and what the documentation serves is what stands here.
package openapi

import "embed"

// V1 is the contract of the API under /api.
//
//go:embed v1.yaml
var V1 []byte

// V2 is the contract of the preview under /api/v2.
//
//go:embed v2.yaml
var V2 []byte

// Guides are the documentation's pages in Markdown, guides/NAME.md, and what they are generated from.
//
//go:embed guides
var Guides embed.FS

// Changelog tells how the contracts changed from release to release, in Markdown.
//
//go:embed changelog.md
var Changelog []byte
