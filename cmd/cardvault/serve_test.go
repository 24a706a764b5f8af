package main

import (
	"testing"

	"github.com/cardvault/cardvault/internal/app"
)

func TestServeCmd_Work(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		cmd  serveCmd
		want app.Background
	}{
		"default":                         {serveCmd{Workers: true}, app.AllWork},
		"without identification":          {serveCmd{Workers: true, NoIdentification: true}, app.AllButIdentification},
		"without workers":                 {serveCmd{}, app.NoWork},
		"without workers, identification": {serveCmd{NoIdentification: true}, app.NoWork},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := tc.cmd.work(); got != tc.want {
				t.Errorf("work: got %d, want %d", got, tc.want)
			}
		})
	}
}
