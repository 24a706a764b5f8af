package photos

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/netguard"
	"github.com/cardvault/cardvault/internal/photos/heif"
)

const (
	// fetchTimeout limits the whole request, from the DNS lookup to the last byte.
	fetchTimeout = 10 * time.Second
	// fetchRedirects is enough for a URL shortener, a store and its CDN.
	fetchRedirects = 3
)

// Fetcher fetches photos from URLs of customers.
type Fetcher struct {
	guard  *netguard.Guard
	client *http.Client
}

// NewFetcher returns a fetcher for the addresses that guard allows.
func NewFetcher(guard *netguard.Guard) *Fetcher {
	return &Fetcher{guard: guard, client: guard.Client(netguard.Options{MaxRedirects: fetchRedirects})}
}

// Fetch fetches and checks the photo at rawURL for an account and returns the bytes to store, like Check. The error is
// fault.PhotoForbidden for a URL that the service does not fetch, fault.PhotoUnreachable if there was no
// response or none with a photo, fault.PhotoInvalid as for Check, or the error of ctx.
func (f *Fetcher) Fetch(ctx context.Context, accountID, rawURL string) ([]byte, Info, error) {
	data, err := f.download(ctx, rawURL)
	switch {
	case err == nil:
		return Check(ctx, accountID, data)
	case ctx.Err() != nil:
		return nil, Info{}, fmt.Errorf("fetch photo: %w", ctx.Err())
	}
	return nil, Info{}, fetchFault(err)
}

func (f *Fetcher) download(ctx context.Context, rawURL string) ([]byte, error) {
	if _, err := f.guard.CheckURL(rawURL); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, fetchTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, rawURL, nil)
	if err != nil {
		return nil, fmt.Errorf("download photo: %w", withoutAddress(err))
	}
	// Servers that choose a format would convert a JPEG to AVIF for a client that names it, and lose detail.
	req.Header.Set("Accept", JPEG+", "+PNG+", "+WebP+", "+heif.HEIC+", "+heif.HEIF+", */*;q=0.1")
	req.Header.Set("User-Agent", "CardVault-Photos/1")
	res, err := f.client.Do(req)
	if err != nil {
		return nil, fmt.Errorf("download photo from %s: %w", req.URL.Hostname(), withoutAddress(err))
	}
	defer res.Body.Close()
	switch {
	case res.StatusCode != http.StatusOK:
		return nil, fault.New(fault.PhotoUnreachable,
			"the photo's URL returned status %d: it must return 200 and the image", res.StatusCode)
	case res.ContentLength > MaxBytes:
		return nil, errTooLarge()
	}
	return readAll(res.Body)
}

// errUnusable replaces errors that may contain a URL: an invalid one or the target of a redirect.
var errUnusable = errors.New("the URL or its response cannot be used")

// withoutAddress removes the URL from an error of an HTTP client. Photo URLs are not logged because their path
// and query may contain credentials.
func withoutAddress(err error) error {
	var withURL *url.Error
	if errors.As(err, &withURL) {
		err = withURL.Err
	}
	if netguard.Classify(err) == netguard.ClassOther {
		return errUnusable
	}
	return err
}

// unreachable contains the message for each class of network error.
var unreachable = map[netguard.Class]string{
	netguard.ClassDNS:     "its host name cannot be found",
	netguard.ClassConnect: "the connection fails",
	netguard.ClassTimeout: "it takes longer than 10 seconds",
	netguard.ClassOther:   "its response is not valid HTTP, or it redirects more than 3 times",
}

// fetchFault converts an error of download to one of the contract.
func fetchFault(err error) error {
	if f, ok := fault.As(err); ok {
		return f
	}
	var forbidden *netguard.ForbiddenError
	if errors.As(err, &forbidden) {
		return fault.New(fault.PhotoForbidden, "the photo's URL is not allowed: it %s", forbidden.Reason).
			WithCause(err)
	}
	why := unreachable[netguard.Classify(err)]
	if netguard.Classify(err) == netguard.ClassTLS {
		why = netguard.TLSFault(err)
	}
	return fault.New(fault.PhotoUnreachable, "the photo cannot be fetched: %s", why).
		WithCause(err)
}
