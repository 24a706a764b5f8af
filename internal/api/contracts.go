package api

import (
	"fmt"
	"net/http"
	"sync"

	"github.com/cardvault/cardvault/internal/static"
	"github.com/cardvault/cardvault/openapi"
)

// Contracts serves the OpenAPI documents that this server keeps, as they are written and as JSON: /openapi/v1.yaml,
// /openapi/v1.json, and those of v2. They need no token. Every other address is route_not_found.
func Contracts() (http.Handler, error) {
	documents, err := contracts()
	if err != nil {
		return nil, err
	}
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
		w.Header().Set("Access-Control-Allow-Origin", "*")
		w.Header().Set("Cache-Control", "no-cache") // keep it, and ask each time whether it is still the same
		document.ServeHTTP(w, r)
	}), nil
}

// contracts returns the documents by address, made once for all servers of this process.
var contracts = sync.OnceValues(func() (map[string]*static.Document, error) {
	documents := map[string]*static.Document{}
	for version, written := range map[string][]byte{"v1": openapi.V1, "v2": openapi.V2} {
		converted, err := yamlToJSON(written)
		if err != nil {
			return nil, fmt.Errorf("api.Contracts: %s: %w", version, err)
		}
		documents["/openapi/"+version+".yaml"] = static.New("application/yaml", written)
		documents["/openapi/"+version+".json"] = static.New("application/json", converted)
	}
	return documents, nil
})
