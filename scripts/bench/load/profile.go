package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sync/errgroup"
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
		return download(ctx, fmt.Sprintf("http://%s/debug/pprof/profile?seconds=%d", service.admin,
			int(s.round.Seconds())), path)
	})
	return group.Wait()
}

func download(ctx context.Context, url, path string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("GET %s: %s", url, answer.Status)
	}
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	if _, err := io.Copy(file, answer.Body); err != nil {
		file.Close()
		return err
	}
	return file.Close()
}
