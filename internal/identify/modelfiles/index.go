package modelfiles

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"golang.org/x/net/html"
)

const (
	// maxIndexPage and maxWheel bound a response, in bytes.
	maxIndexPage, maxWheel = 16 << 20, 256 << 20
	// pageTimeout limits a page of the index, fetchTimeout a package.
	pageTimeout, fetchTimeout = time.Minute, 15 * time.Minute
)

// fetch returns the body of a wheel. The address comes from the project's page of a simple index, the form that mirrors
// share.
func fetch(ctx context.Context, index string, w wheel) (io.ReadCloser, error) {
	page := strings.TrimRight(index, "/") + "/" + w.project + "/"
	limitedCtx, cancel := context.WithTimeout(ctx, pageTimeout)
	defer cancel()
	body, err := get(limitedCtx, page, maxIndexPage)
	if err != nil {
		return nil, err
	}
	defer body.Close()
	address, err := link(body, page, w.file)
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithTimeout(ctx, fetchTimeout)
	if body, err = get(ctx, address, maxWheel); err != nil {
		stop()
		return nil, err
	}
	return download{body, stop}, nil
}

// download is a body whose context ends when it is closed.
type download struct {
	io.ReadCloser
	stop context.CancelFunc
}

// Close implements io.Closer.
func (d download) Close() error {
	defer d.stop()
	return d.ReadCloser.Close()
}

// get requests an address and limits the size of the response.
func get(ctx context.Context, address string, limit int64) (io.ReadCloser, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, fmt.Errorf("CARDVAULT_MODELS_INDEX: %w", err)
	}
	request.Header.Set("Accept", "text/html")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusOK {
		response.Body.Close()
		return nil, fmt.Errorf("%s responded with %s", request.URL.Redacted(), response.Status)
	}
	return struct {
		io.Reader
		io.Closer
	}{io.LimitReader(response.Body, limit), response.Body}, nil
}

// link returns the address of a file on a page of a simple index.
func link(page io.Reader, base, file string) (string, error) {
	root, err := url.Parse(base)
	if err != nil {
		return "", err
	}
	tokens := html.NewTokenizer(page)
	for kind := tokens.Next(); kind != html.ErrorToken; kind = tokens.Next() {
		token := tokens.Token()
		for _, attribute := range token.Attr {
			target, err := url.Parse(attribute.Val)
			if token.Data != "a" || attribute.Key != "href" || err != nil {
				continue
			}
			if target.Path[strings.LastIndexByte(target.Path, '/')+1:] == file {
				return root.ResolveReference(target).String(), nil
			}
		}
	}
	return "", fmt.Errorf("%s does not list %s", root.Redacted(), file)
}
