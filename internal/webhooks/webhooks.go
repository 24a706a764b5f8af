// Package webhooks manages the webhook endpoints of customers and the deliveries to them.
//
// Endpoints registers endpoints and keeps their secrets encrypted with a keyring. Deliveries lists deliveries and sends
// them again. Sign and Verify define the signature of a request. The package sends no requests: package
// delivery creates, sends and retries deliveries.
//
// A delivery is a row of deliveries_pending until it moves to deliveries_delivered or deliveries_dropped. All state
// that matters is in these rows, so a crash loses no committed delivery.
package webhooks

// EndpointKey identifies an endpoint by account and id.
type EndpointKey struct{ Account, Endpoint string }

// Waker makes the engines of all processes look for due deliveries soon. delivery.Outbox implements it.
type Waker interface {
	// Wake makes the engines look for due deliveries of any endpoint, and check the endpoints that they know.
	Wake()
	// WakeEndpoints makes the engines look for due deliveries of these endpoints.
	WakeEndpoints(endpoints []EndpointKey)
}
