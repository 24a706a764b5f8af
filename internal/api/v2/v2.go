// Package v2 serves the preview of the next version of the API. All its operations respond with not_implemented, after
// the same authentication, limits and validation as in v1. The package calls no service.
package v2

import (
	"context"

	"github.com/gorilla/mux"

	server "github.com/cardvault/cardvault/gen/server/v2"
	"github.com/cardvault/cardvault/internal/api"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/openapi"
)

// Version returns the preview as a version of the API.
func Version() api.Version {
	return api.Version{Base: "/api/v2", Contract: openapi.ParseV2, Mount: mount, NotFound: notImplemented()}
}

func notImplemented() error {
	return fault.New(fault.NotImplemented, "v2 is a preview and not built yet. Use v1, under /api.")
}

func mount(router *mux.Router, base string) {
	strict := server.NewStrictHandlerWithOptions(handlers{}, nil, server.StrictHTTPServerOptions{
		RequestErrorHandlerFunc:  api.WriteBindingError,
		ResponseErrorHandlerFunc: api.WriteError,
	})
	server.HandlerWithOptions(strict, server.GorillaServerOptions{
		BaseURL: base, BaseRouter: router, ErrorHandlerFunc: api.WriteBindingError,
	})
}

type handlers struct{}

// ListCards implements the generated interface.
func (handlers) ListCards(context.Context, server.ListCardsRequestObject) (server.ListCardsResponseObject, error) {
	return nil, notImplemented()
}
