package ebayapi

import (
	"context"
	"fmt"
	"net/http"
	"net/url"

	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
)

// PublicKey returns the key that signs notifications, or nil if the marketplace has no key with this identifier. The
// token is one of the application.
func (s *Seller) PublicKey(ctx context.Context, keyID string) (*wire.PublicKey, error) {
	var key wire.PublicKey
	err := s.call(ctx, http.MethodGet, wire.NotificationPath+"/public_key/"+url.PathEscape(keyID), nil, &key)
	if _, ok := asAPIError(err); ok {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("load public key: %w", err)
	}
	return &key, nil
}

const (
	// destinationsPage is the largest page of getDestinations.
	destinationsPage = "?limit=100"
	// maxDestinationPages limits the pages that are read.
	maxDestinationPages = 1000
)

// Destination returns the identifier of the destination with this endpoint. It creates the destination if there is
// none; the marketplace then sends a challenge to the endpoint. The token is one of the application.
func (s *Seller) Destination(ctx context.Context, to wire.DeliveryConfig, alertEmail string) (string, error) {
	id, err := s.findDestination(ctx, to.Endpoint)
	if err == nil && id == "" {
		id, err = s.createDestination(ctx, to, alertEmail)
	}
	if err != nil {
		return "", fmt.Errorf("register destination: %w", asRefusal(err))
	}
	return id, nil
}

// findDestination returns the identifier of an enabled destination, or "".
func (s *Seller) findDestination(ctx context.Context, endpoint string) (string, error) {
	for query, read := destinationsPage, 0; read < maxDestinationPages; read++ {
		var page wire.Destinations
		err := s.call(ctx, http.MethodGet, wire.NotificationPath+"/destination"+query, nil, &page)
		if err != nil {
			return "", err
		}
		for _, d := range page.Destinations {
			if d.DeliveryConfig.Endpoint != endpoint {
				continue
			}
			if d.Status != wire.Enabled {
				return "", s.later("has disabled the destination "+d.DestinationID+", because notifications could "+
					"not be delivered; enable or delete it there", 0, nil)
			}
			return d.DestinationID, nil
		}
		next, err := url.Parse(page.Next)
		if err != nil || next.RawQuery == "" {
			return "", nil
		}
		query = "?" + next.RawQuery
	}
	return "", nil
}

// createDestination creates a destination, after the configuration that the marketplace requires before.
func (s *Seller) createDestination(ctx context.Context, to wire.DeliveryConfig, alertEmail string) (string, error) {
	config := wire.NotificationConfig{AlertEmail: alertEmail}
	if err := s.call(ctx, http.MethodPut, wire.NotificationPath+"/config", config, nil); err != nil {
		return "", err
	}
	made := wire.Destination{Name: "CardVault", Status: wire.Enabled, DeliveryConfig: to}
	if err := s.call(ctx, http.MethodPost, wire.NotificationPath+"/destination", made, nil); err != nil {
		return "", err
	}
	id, err := s.findDestination(ctx, to.Endpoint) // the response names it in a header only
	if err == nil && id == "" {
		err = s.later("does not list the new destination yet", 0, nil)
	}
	return id, err
}

// Subscribe subscribes the seller to the notifications of orders, at the destination. It is idempotent. A subscription
// to another destination is replaced.
func (s *Seller) Subscribe(ctx context.Context, destinationID string) error {
	const path = wire.NotificationPath + "/subscription"
	var found wire.Subscriptions
	if err := s.call(ctx, http.MethodGet, path, nil, &found); err != nil {
		return fmt.Errorf("subscribe to notifications: %w", asRefusal(err))
	}
	for _, subscription := range found.Subscriptions {
		if subscription.TopicID != wire.TopicOrder {
			continue
		}
		if subscription.DestinationID == destinationID && subscription.Status == wire.Enabled {
			return nil
		}
		err := s.call(ctx, http.MethodDelete, path+"/"+url.PathEscape(subscription.SubscriptionID), nil, nil)
		if err != nil && !missing(err) {
			return fmt.Errorf("subscribe to notifications: %w", asRefusal(err))
		}
	}
	err := s.call(ctx, http.MethodPost, path, wire.Subscription{
		TopicID: wire.TopicOrder, Status: wire.Enabled, DestinationID: destinationID,
		Payload: wire.SubscriptionPayload{Format: "JSON", SchemaVersion: "1.0", DeliveryProtocol: "HTTPS"},
	}, nil)
	if err != nil {
		return fmt.Errorf("subscribe to notifications: %w", asRefusal(err))
	}
	return nil
}
