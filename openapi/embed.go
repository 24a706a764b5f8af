// Package openapi holds the authored contracts, embedded into the program: what validates requests
// and what the documentation serves is what stands here.
package openapi

import _ "embed"

// V1 is the contract of the API under /api.
//
//go:embed v1.yaml
var V1 []byte

// V2 is the contract of the preview under /api/v2.
//
//go:embed v2.yaml
var V2 []byte
