package api

import (
	"fmt"
	"net/http"
	"sync"

	"github.com/cardvault/cardvault/internal/staticdoc"
	"github.com/cardvault/cardvault/openapi"
)

// Contracts returns a handler that serves the OpenAPI documents of v1 and v2 as YAML and as JSON, such as
// /openapi/v1.yaml and /openapi/v1.json, without authentication. It responds to all other paths with route_not_found.
func Contracts() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		documents, err := contracts()
		if err != nil {
			WriteError(w, r, err)
			return
		}
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
		w.Header().Set("Cache-Control", "no-cache") // may be cached, but must be revalidated
		document.ServeHTTP(w, r)
	})
}

// contracts returns the documents by path. They are built on the first request, because converting them would delay the
// start. An error would also fail the tests, which convert the same embedded files.
var contracts = sync.OnceValues(func() (map[string]*staticdoc.Document, error) {
	documents := map[string]*staticdoc.Document{}
	for version, document := range map[string][]byte{"v1": openapi.V1, "v2": openapi.V2} {
		doc, err := yamlToJSON(document)
		if err != nil {
			return nil, fmt.Errorf("encode contracts: %s: %w", version, err)
		}
		documents["/openapi/"+version+".yaml"] = staticdoc.New("application/yaml", document)
		documents["/openapi/"+version+".json"] = staticdoc.New("application/json", doc)
	}
	return documents, nil
})
