// Package openapi contains the OpenAPI documents and the guides. They are embedded into the program, which validates
// requests with them and serves them as documentation.
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

// ParseV1 returns V1, which is parsed once, because that is the slowest part of the program's start. All callers share
// the document and must not modify it.
var ParseV1 = parser(V1)

// ParseV2 is ParseV1 for V2.
var ParseV2 = parser(V2)

func parser(document []byte) func() (*openapi3.T, error) {
	return sync.OnceValues(func() (*openapi3.T, error) { return openapi3.NewLoader().LoadFromData(document) })
}

// Guides contains the pages of the documentation in Markdown, guides/NAME.md, and their data.
//
//go:embed guides
var Guides embed.FS

// Changelog is the changelog of the contracts in Markdown.
//
//go:embed changelog.md
var Changelog []byte
