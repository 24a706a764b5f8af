package sandboxmarket

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
	"github.com/cardvault/cardvault/internal/netguard"
)

// endpoints are the addresses of destinations. They may be in a private network, because the marketplace is for
// development.
var endpoints = netguard.New(netguard.Config{AllowPrivate: true})

// requestTimeout limits a request to a destination.
const requestTimeout = 10 * time.Second

// schemaVersion is the only version of the notifications' format.
const schemaVersion = "1.0"

var validVerificationToken = regexp.MustCompile(`^[A-Za-z0-9_-]{32,80}$`)

func notificationError(status, id int, message string) *apiError {
	return &apiError{status, []wire.Error{{ErrorID: id, Domain: "API_NOTIFICATION", Category: "REQUEST",
		Message: message, LongMessage: message}}}
}

func (s *server) updateConfig(w http.ResponseWriter, r *http.Request, from caller) error {
	var input wire.NotificationConfig
	if json.NewDecoder(r.Body).Decode(&input) != nil || !strings.Contains(input.AlertEmail, "@") {
		return notificationError(http.StatusBadRequest, 195025, "Invalid or missing email.")
	}
	_, err := s.store.db.Exec(r.Context(), `
		INSERT INTO market.configs (client_id, alert_email) VALUES ($1, $2)
		ON CONFLICT (client_id) DO UPDATE SET alert_email = excluded.alert_email`, from.client, input.AlertEmail)
	if err == nil {
		w.WriteHeader(http.StatusNoContent)
	}
	return err
}

// destination is a row of market.destinations.
type destination struct {
	ID       string `db:"destination_id"`
	Name     string `db:"name"`
	Status   string `db:"status"`
	Endpoint string `db:"endpoint"`
	Token    string `db:"verification_token"`
}

func (s *server) getDestinations(w http.ResponseWriter, r *http.Request, from caller) error {
	var list []destination
	err := s.store.db.Select(r.Context(), &list, `
		SELECT destination_id, name, status, endpoint, verification_token FROM market.destinations
		WHERE client_id = $1 ORDER BY destination_id`, from.client)
	if err != nil {
		return err
	}
	page := wire.Destinations{Total: len(list), Limit: 20, Destinations: []wire.Destination{}}
	for _, d := range list {
		page.Destinations = append(page.Destinations, wire.Destination{
			DestinationID: d.ID, Name: d.Name, Status: d.Status,
			DeliveryConfig: wire.DeliveryConfig{Endpoint: d.Endpoint, VerificationToken: d.Token},
		})
	}
	writeJSON(w, http.StatusOK, page)
	return nil
}

// createDestination registers an endpoint after it has answered a challenge.
func (s *server) createDestination(w http.ResponseWriter, r *http.Request, from caller) error {
	var input wire.Destination
	if err := json.NewDecoder(r.Body).Decode(&input); err != nil {
		return notificationError(http.StatusBadRequest, 195017, "Invalid or missing endpoint.")
	}
	if err := checkDestination(input); err != nil {
		return err
	}
	var configured bool
	err := s.store.db.Get(r.Context(), &configured,
		"SELECT EXISTS (SELECT FROM market.configs WHERE client_id = $1)", from.client)
	if err != nil {
		return err
	}
	if !configured {
		return notificationError(http.StatusConflict, 195003,
			"Please provide configurations required for notifications. Refer to /config")
	}
	if err := challenge(r.Context(), input.DeliveryConfig); err != nil {
		s.log.InfoContext(r.Context(), "challenge failed", "error", err)
		return notificationError(http.StatusConflict, 195020, "Challenge verification failed for requested endpoint")
	}
	id := number(12)
	result, err := s.store.db.Exec(r.Context(), `
		INSERT INTO market.destinations (destination_id, client_id, name, status, endpoint, verification_token)
		VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (client_id, endpoint) DO NOTHING`,
		id, from.client, input.Name, input.Status, input.DeliveryConfig.Endpoint,
		input.DeliveryConfig.VerificationToken)
	if err != nil {
		return err
	}
	if n, err := result.RowsAffected(); err != nil || n == 0 {
		return errors.Join(err, notificationError(http.StatusConflict, 195021, "Destination exists for this endpoint"))
	}
	w.Header().Set("Location", "https://"+r.Host+r.URL.Path+"/"+id)
	writeJSON(w, http.StatusCreated, struct{}{})
	return nil
}

func checkDestination(d wire.Destination) error {
	switch {
	case d.Name == "" || len(d.Name) > 64 || strings.ContainsAny(d.Name, "<>"):
		return notificationError(http.StatusBadRequest, 195016,
			"Invalid name. Markups or lengths greater than 64 not supported")
	case d.Status != wire.Enabled && d.Status != wire.Disabled:
		return notificationError(http.StatusBadRequest, 195018,
			"Invalid or missing destination status. Supported values:[ENABLED,DISABLED]")
	case !validVerificationToken.MatchString(d.DeliveryConfig.VerificationToken):
		return notificationError(http.StatusBadRequest, 195019,
			"Invalid or missing verification token for this endpoint.")
	}
	if _, err := endpoints.CheckURL(d.DeliveryConfig.Endpoint); err != nil {
		return notificationError(http.StatusBadRequest, 195017, "Invalid or missing endpoint.")
	}
	return nil
}

// challenge asks an endpoint for the hash of a random code, its verification token and its address.
func challenge(ctx context.Context, to wire.DeliveryConfig) error {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	address, err := url.Parse(to.Endpoint)
	if err != nil {
		return err
	}
	code := rand.Text()
	query := address.Query()
	query.Set("challenge_code", code)
	address.RawQuery = query.Encode()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address.String(), nil)
	if err != nil {
		return err
	}
	resp, err := notifier.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	var answer wire.ChallengeResponse
	if err := json.NewDecoder(io.LimitReader(resp.Body, maxBody)).Decode(&answer); err != nil {
		return err
	}
	sum := sha256.Sum256([]byte(code + to.VerificationToken + to.Endpoint))
	if resp.StatusCode != http.StatusOK || answer.ChallengeResponse != hex.EncodeToString(sum[:]) {
		return errors.New("the endpoint's response to the challenge is wrong")
	}
	return nil
}

// createSubscription subscribes the seller to the topic of orders.
func (s *server) createSubscription(w http.ResponseWriter, r *http.Request, from caller) error {
	var input wire.Subscription
	if err := json.NewDecoder(r.Body).Decode(&input); err != nil || input.TopicID != wire.TopicOrder {
		return notificationError(http.StatusBadRequest, 195027, "Invalid or missing topic id.")
	}
	if err := checkSubscription(input); err != nil {
		return err
	}
	orders := call{scopes: reading(wire.ScopeFulfillment)}
	if from.seller == "" || from.allow(orders) != nil {
		return notificationError(http.StatusForbidden, 195011, "Not authorized for this topic.")
	}
	var status string
	err := s.store.db.Get(r.Context(), &status, `
		SELECT status FROM market.destinations WHERE destination_id = $1 AND client_id = $2`,
		input.DestinationID, from.client)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return notificationError(http.StatusBadRequest, 195007, "Invalid or missing destination id.")
	case err != nil:
		return err
	case status != wire.Enabled && input.Status == wire.Enabled:
		return notificationError(http.StatusConflict, 195015,
			"The subscription cannot be enabled since the destination is not enabled.")
	}
	id := number(12)
	result, err := s.store.db.Exec(r.Context(), `
		INSERT INTO market.subscriptions
			(subscription_id, client_id, seller, topic, status, destination_id, created_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (seller, client_id, topic) DO NOTHING`,
		id, from.client, from.seller, input.TopicID, input.Status, input.DestinationID, now())
	if err != nil {
		return err
	}
	if n, err := result.RowsAffected(); err != nil || n == 0 {
		return errors.Join(err, notificationError(http.StatusConflict, 195012, "Subscription already exists"))
	}
	w.Header().Set("Location", "https://"+r.Host+r.URL.Path+"/"+id)
	writeJSON(w, http.StatusCreated, struct{}{})
	return nil
}

func checkSubscription(s wire.Subscription) error {
	switch {
	case s.Status != wire.Enabled && s.Status != wire.Disabled:
		return notificationError(http.StatusBadRequest, 195006, "Invalid or missing subscription status.")
	case s.Payload.SchemaVersion != schemaVersion:
		return notificationError(http.StatusBadRequest, 195008, "Invalid or missing schema version. "+
			"Please refer to /topic/{topic_id} for supported schema versions.")
	case s.Payload.Format != "JSON":
		return notificationError(http.StatusBadRequest, 195009, "Specified format is not supported for the topic.")
	case s.Payload.DeliveryProtocol != "HTTPS":
		return notificationError(http.StatusBadRequest, 195010, "Invalid or missing protocol")
	}
	return nil
}

func (s *server) getSubscriptions(w http.ResponseWriter, r *http.Request, from caller) error {
	var rows []struct {
		ID          string    `db:"subscription_id"`
		Topic       string    `db:"topic"`
		Status      string    `db:"status"`
		Destination string    `db:"destination_id"`
		CreatedAt   time.Time `db:"created_at"`
	}
	err := s.store.db.Select(r.Context(), &rows, `
		SELECT subscription_id, topic, status, destination_id, created_at FROM market.subscriptions
		WHERE client_id = $1 AND seller = $2 ORDER BY subscription_id`, from.client, from.seller)
	if err != nil {
		return err
	}
	page := wire.Subscriptions{Total: len(rows), Limit: 20, Subscriptions: []wire.Subscription{}}
	for _, f := range rows {
		page.Subscriptions = append(page.Subscriptions, wire.Subscription{
			SubscriptionID: f.ID, TopicID: f.Topic, Status: f.Status, DestinationID: f.Destination,
			CreationDate: f.CreatedAt.UTC().Format(wire.TimeFormat),
			Payload: wire.SubscriptionPayload{
				Format: "JSON", SchemaVersion: schemaVersion, DeliveryProtocol: "HTTPS",
			},
		})
	}
	writeJSON(w, http.StatusOK, page)
	return nil
}

// deleteSubscription ends a subscription of the seller.
func (s *server) deleteSubscription(w http.ResponseWriter, r *http.Request, from caller) error {
	result, err := s.store.db.Exec(r.Context(), `
		DELETE FROM market.subscriptions WHERE subscription_id = $1 AND client_id = $2 AND seller = $3`,
		r.PathValue("subscription_id"), from.client, from.seller)
	if err != nil {
		return err
	}
	if n, err := result.RowsAffected(); err != nil || n == 0 {
		return errors.Join(err, notificationError(http.StatusNotFound, 195013, "Invalid subscription Id."))
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}
