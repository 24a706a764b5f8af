package api

import (
	"bytes"
	"net/http"
	"strings"
	"time"

	"github.com/cardvault/cardvault/openapi"
)

// Contracts serves the OpenAPI documents that this server keeps: /openapi/v1.yaml and /openapi/v2.yaml.
// They need no token. Every other address is route_not_found.
func Contracts() http.Handler {
	documents := map[string][]byte{"/openapi/v1.yaml": openapi.V1, "/openapi/v2.yaml": openapi.V2}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		document, ok := documents[r.URL.Path]
		if !ok {
			WriteError(w, r, routeNotFound())
			return
		}
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			WriteError(w, r, methodNotAllowed("GET, HEAD"))
			return
		}
		name := r.URL.Path[strings.LastIndexByte(r.URL.Path, '/')+1:]
		w.Header().Set("Content-Type", "application/yaml")
		w.Header().Set("Access-Control-Allow-Origin", "*")
		http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(document))
	})
}
