package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sync/errgroup"
)

// perScan is the number of photos of a request, the most that the contract allows.
const perScan = 20

// shop is a client of the service.
type shop struct {
	url, token string
}

// timedFor lists cards while work runs, and returns how long each request took.
func (s shop) timedFor(ctx context.Context, work func(context.Context) error) (took []time.Duration, err error) {
	group, ctx := errgroup.WithContext(ctx)
	timing, stop := context.WithCancel(ctx)
	group.Go(func() error {
		defer stop()
		return work(ctx)
	})
	group.Go(func() error {
		next := time.NewTicker(getInterval)
		defer next.Stop()
		for {
			select {
			case <-timing.Done():
				return nil
			case <-next.C:
			}
			began := time.Now()
			if err := s.do(ctx, http.MethodGet, "/cards?limit=50", "", nil, nil); err != nil {
				return err
			}
			took = append(took, time.Since(began))
		}
	})
	return took, group.Wait()
}

// upload uploads n photos.
func (s shop) upload(ctx context.Context, photos []string, n int) error {
	for sent := 0; sent < n; sent += perScan {
		var form bytes.Buffer
		fields := multipart.NewWriter(&form)
		for i := sent; i < min(n, sent+perScan); i++ {
			if err := addPhoto(fields, photos[i%len(photos)]); err != nil {
				return err
			}
		}
		if err := fields.Close(); err != nil {
			return err
		}
		if err := s.do(ctx, http.MethodPost, "/cards/scan", fields.FormDataContentType(), &form, nil); err != nil {
			return err
		}
	}
	return nil
}

// awaitIdentified waits until the service has identified all photos, or failed to.
func (s shop) awaitIdentified(ctx context.Context) error {
	for {
		var waiting struct{ Total struct{ Count int } }
		err := s.do(ctx, http.MethodGet, "/cards/summary?group_by=status&identification=pending", "", nil, &waiting)
		if err != nil || waiting.Total.Count == 0 {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pollInterval):
		}
	}
}

func addPhoto(form *multipart.Writer, path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	part, err := form.CreateFormFile("photos", filepath.Base(path))
	if err == nil {
		_, err = part.Write(data)
	}
	return err
}

// do sends a request and decodes the response into out, unless out is nil.
func (s shop) do(ctx context.Context, method, path, contentType string, body io.Reader, out any) (err error) {
	request, err := http.NewRequestWithContext(ctx, method, s.url+"/api"+path, body)
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+s.token)
	if contentType != "" {
		request.Header.Set("Content-Type", contentType)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, response.Body.Close()) }()
	text, err := io.ReadAll(response.Body)
	switch {
	case err != nil:
		return err
	case response.StatusCode != http.StatusOK:
		return fmt.Errorf("%s %s: %s: %.300s", method, path, response.Status, text)
	case out == nil:
		return nil
	}
	return json.Unmarshal(text, out)
}
