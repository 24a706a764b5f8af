package cardvault

import (
	"errors"
	"io"
	"net/http"
	"testing"
)

func TestClient_DeleteMatching(t *testing.T) {
	for expected, want := range map[int]string{
		0:       `{"kind":"delete","expected_count":0,"filter":{"location":"Box 9"}}`,
		240:     `{"kind":"delete","expected_count":240,"filter":{"location":"Box 9"}}`,
		1 << 40: `{"kind":"delete","expected_count":1000001,"filter":{"location":"Box 9"}}`,
	} {
		var sent string
		client := service(func(r *http.Request) (*http.Response, error) {
			body, err := io.ReadAll(r.Body)
			if err != nil {
				t.Error(err)
			}
			sent = r.Method + " " + r.URL.Path + " " + string(body)
			return refuse(http.StatusConflict, CodeUnexpectedCount)(r)
		}).client(t)
		_, err := client.DeleteMatching(t.Context(), JobFilter{Location: "Box 9"}, expected)
		if !errors.Is(err, CodeUnexpectedCount) {
			t.Errorf("got %v, want the code unexpected_count", err)
		}
		if sent != "POST /api/jobs "+want {
			t.Errorf("sent %s, want %s", sent, want)
		}
	}
}
