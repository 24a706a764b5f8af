package web

import "testing"

func TestIsLocal(t *testing.T) {
	t.Parallel()
	for public, local := range map[string]bool{
		"http://localhost:8080": true, "http://127.0.0.1": true, "http://[::1]:8080": true, "http://localhost": true,
		"https://cards.example": false, "http://cards.example": false, "https://localhost": false,
		"http://localhost.evil.example": false, "http://192.0.2.1:80": false,
	} {
		if got := isLocal(public); got != local {
			t.Errorf("isLocal(%q) = %v, want %v", public, got, local)
		}
	}
}
