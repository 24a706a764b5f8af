// Package openapi holds the authored contracts, embedded into the program: what validates requests
// and what the documentation serves is what stands here.
package openapi

import (
	"embed"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"
)

// V1 is the contract of the API under /api.
//
//go:embed v1.yaml
var V1 []byte

// V2 is the contract of the preview under /api/v2.
//
//go:embed v2.yaml
var V2 []byte

// ParseV1 returns V1, parsed once: it takes longer than all else when the program starts. Everybody gets
// the same document, to read only.
var ParseV1 = parser(V1)

// ParseV2 is ParseV1 for V2.
var ParseV2 = parser(V2)

func parser(document []byte) func() (*openapi3.T, error) {
	return sync.OnceValues(func() (*openapi3.T, error) { return openapi3.NewLoader().LoadFromData(document) })
}

// Guides are the documentation's pages in Markdown, guides/NAME.md, and what they are generated from.
//
//go:embed guides
var Guides embed.FS

// Changelog tells how the contracts changed from release to release, in Markdown.
//
//go:embed changelog.md
var Changelog []byte
