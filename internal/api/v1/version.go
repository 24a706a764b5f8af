package v1

import (
	"github.com/gorilla/mux"

	server "github.com/cardvault/cardvault/gen/server/v1"
	"github.com/cardvault/cardvault/internal/api"
	"github.com/cardvault/cardvault/openapi"
)

// Version returns v1 with these handlers.
func Version(handlers server.StrictServerInterface) api.Version {
	return api.Version{Base: "/api", Contract: openapi.ParseV1, Mount: func(router *mux.Router, base string) {
		strict := server.NewStrictHandlerWithOptions(handlers, nil, server.StrictHTTPServerOptions{
			RequestErrorHandlerFunc:  api.WriteBindingError,
			ResponseErrorHandlerFunc: api.WriteError,
		})
		server.HandlerWithOptions(strict, server.GorillaServerOptions{
			BaseURL: base, BaseRouter: router, ErrorHandlerFunc: api.WriteBindingError,
		})
	}}
}
