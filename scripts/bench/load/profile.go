package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/cardvault/cardvault/scripts/bench/measure"
)

// profile takes a CPU profile of the service under an operation, if -profiles is set.
func profile(ctx context.Context, s settings, service entrant) error {
	if s.profiles == "" {
		return nil
	}
	word, _, _ := strings.Cut(service.operation.name, ",")
	path := filepath.Join(s.profiles, strings.ToLower(strings.ReplaceAll(word, " ", "-"))+".pprof")
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error {
		_, err := round(ctx, s, service, s.round)
		return err
	})
	group.Go(func() error {
		var data bytes.Buffer
		url := fmt.Sprintf("http://%s/debug/pprof/profile?seconds=%d", service.admin, int(s.round.Seconds()))
		if err := measure.Get(ctx, url, &data); err != nil {
			return err
		}
		return os.WriteFile(path, data.Bytes(), 0o600)
	})
	return group.Wait()
}
