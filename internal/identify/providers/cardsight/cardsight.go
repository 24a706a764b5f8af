// Package cardsight asks CardSight AI, which identifies cards in a catalogue of its own.
//
// It sends one request for a photo and keeps nothing. Package remote looks the answer up in the catalogue of this
// installation.
package cardsight

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/identify/providers/remote"
)

// Name is the provider's name in configuration and attempts.
const Name = "cardsight"

// Config has the settings of the client.
type Config struct {
	BaseURL string // of the API, without the version
	Key     string
	// Segment is the part of CardSight's catalogue, such as baseball or pokemon, in which cards are searched unless the
	// owner says that the game is another one.
	Segment string
}

// Client implements remote.Client.
type Client struct {
	Config
	http *http.Client
}

var _ remote.Client = (*Client)(nil)

// New returns a client. It makes no request.
func New(c Config) *Client {
	c.BaseURL = strings.TrimRight(c.BaseURL, "/")
	return &Client{c, remote.HTTPClient()}
}

// segments are the segments of games that are no sports.
var segments = map[string]string{"pokemon": "pokemon", "magic": "magic"}

// Ask implements remote.Client.
func (c *Client) Ask(ctx context.Context, jpeg []byte, h catalog.Hints) ([]remote.Answer, error) {
	segment, game := c.segment(h)
	address := c.BaseURL + "/v1/identify/card/" + url.PathEscape(segment)
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(jpeg))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "image/jpeg")
	r.Header.Set("Accept", "application/json")
	r.Header.Set("X-API-Key", c.Key)
	response, err := c.http.Do(r)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%w: status %d", remote.ErrBadAnswer, response.StatusCode)
	}
	var result identification
	if err := json.NewDecoder(response.Body).Decode(&result); err != nil {
		return nil, err
	}
	return result.answers(game)
}

// segment returns the segment in which a card is searched, and the game of its cards.
func (c *Client) segment(h catalog.Hints) (segment, game string) {
	if segment, ok := segments[h.Game]; ok {
		return segment, h.Game
	}
	for game, segment := range segments {
		if h.Game == "" && segment == c.Segment {
			return segment, game
		}
	}
	return c.Segment, cmp.Or(h.Game, "other")
}
