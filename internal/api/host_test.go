package api

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestRequireHost(t *testing.T) {
	t.Parallel()
	handler := RequireHost("CARDVAULT_ADMIN_HOSTS", []string{"metrics.Example"}, Admin(Checks{}, nil))
	for host, want := range map[string]int{
		"localhost:9090": 200, "LocalHost": 200, "localhost.": 200, "vault.localhost:9090": 200,
		"127.0.0.1:9090": 200, "10.0.0.7": 200, "[::1]:9090": 200, "[fe80::1]": 200, "": 200,
		"metrics.example:9090": 200, "METRICS.EXAMPLE": 200,
		"evil.example": 421, "evil.example:9090": 421,
		"localhost.evil.example": 421, "127.0.0.1.evil.example:9090": 421,
		"notlocalhost": 421, "vault": 421, "metrics.example.evil.example": 421, "0x7f000001": 421, "1.2.3": 421,
	} {
		t.Run(host, func(t *testing.T) {
			t.Parallel()
			r := httptest.NewRequest(http.MethodGet, "/healthz", nil)
			r.Host = host
			w := httptest.NewRecorder()
			handler.ServeHTTP(w, r)
			if w.Code != want {
				t.Errorf("Host %q: got %d, want %d", host, w.Code, want)
			}
			if want == 421 && !strings.Contains(w.Body.String(), "CARDVAULT_ADMIN_HOSTS") {
				t.Errorf("Host %q: %q does not name the setting", host, w.Body)
			}
		})
	}
}
