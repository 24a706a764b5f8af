package wire

import (
	"crypto/sha256"
	"encoding/hex"
)

// NotificationPath is the path of the Notification contract.
const NotificationPath = "/commerce/notification/v1"

// TopicOrder is the topic of sales: a notification for each line item of a paid order. It may repeat.
const TopicOrder = "ORDER_CONFIRMATION"

// SignatureHeader is the header of a notification with its Signature: JSON in base64.
const SignatureHeader = "X-EBAY-SIGNATURE"

// Signature is the signature of a notification's body.
type Signature struct {
	Algorithm string `json:"alg"`       // "ecdsa"
	KeyID     string `json:"kid"`       // of getPublicKey
	Signature string `json:"signature"` // ASN.1 in base64
	Digest    string `json:"digest"`    // "SHA1"
}

// PublicKey is the response of getPublicKey. Key is in PEM without line breaks.
type PublicKey struct {
	Algorithm string `json:"algorithm"`
	Digest    string `json:"digest"`
	Key       string `json:"key"`
}

// Notification is the body of a notification.
type Notification struct {
	Metadata     NotificationMetadata `json:"metadata"`
	Notification NotificationContent  `json:"notification"`
}

// NotificationMetadata says what a notification is about.
type NotificationMetadata struct {
	Topic         string `json:"topic"`
	SchemaVersion string `json:"schemaVersion"`
	Deprecated    bool   `json:"deprecated"`
}

// NotificationContent is the content of a notification. A repeated notification has the same identifier.
type NotificationContent struct {
	NotificationID      string            `json:"notificationId"`
	EventDate           string            `json:"eventDate"`
	PublishDate         string            `json:"publishDate"`
	PublishAttemptCount int               `json:"publishAttemptCount"`
	Data                OrderConfirmation `json:"data"`
}

// OrderConfirmation is the data of TopicOrder. The order itself is read by getOrder or getOrders.
type OrderConfirmation struct {
	OrderID    string `json:"orderId"`
	LineItemID string `json:"lineItemId"`
}

// NotificationConfig is the body of updateConfig, without which there are no destinations.
type NotificationConfig struct {
	AlertEmail string `json:"alertEmail"`
}

// Destination is an address to which notifications are sent. It has an identifier in responses only.
type Destination struct {
	DestinationID  string         `json:"destinationId,omitempty"`
	Name           string         `json:"name"`
	Status         string         `json:"status"` // Enabled or Disabled
	DeliveryConfig DeliveryConfig `json:"deliveryConfig"`
}

// DeliveryConfig is where a destination is, and the token for its challenge: 32 to 80 letters, digits, _ and -.
type DeliveryConfig struct {
	Endpoint          string `json:"endpoint"`
	VerificationToken string `json:"verificationToken"`
}

// Destinations is a page of getDestinations.
type Destinations struct {
	Total        int           `json:"total"`
	Limit        int           `json:"limit"`
	Next         string        `json:"next,omitempty"` // absent on the last page
	Destinations []Destination `json:"destinations"`
}

// Subscription subscribes a seller to a topic. It has an identifier and a date in responses only.
type Subscription struct {
	SubscriptionID string              `json:"subscriptionId,omitempty"`
	TopicID        string              `json:"topicId"`
	Status         string              `json:"status"` // Enabled or Disabled
	DestinationID  string              `json:"destinationId"`
	Payload        SubscriptionPayload `json:"payload"`
	CreationDate   string              `json:"creationDate,omitempty"`
}

// SubscriptionPayload is the format of the notifications of a subscription.
type SubscriptionPayload struct {
	Format           string `json:"format"`           // JSON
	SchemaVersion    string `json:"schemaVersion"`    // 1.0
	DeliveryProtocol string `json:"deliveryProtocol"` // HTTPS
}

// Subscriptions is a page of getSubscriptions.
type Subscriptions struct {
	Total         int            `json:"total"`
	Limit         int            `json:"limit"`
	Subscriptions []Subscription `json:"subscriptions"`
}

// Values of the status of destinations and subscriptions.
const (
	Enabled  = "ENABLED"
	Disabled = "DISABLED"
)

// ChallengeResponse is the response of an endpoint to the query parameter challenge_code: the SHA-256 of the code, the
// verification token and the endpoint's address, in hexadecimal digits.
type ChallengeResponse struct {
	ChallengeResponse string `json:"challengeResponse"`
}

// Challenge returns the response to a challenge code for an endpoint and its verification token.
func Challenge(code, verificationToken, endpoint string) ChallengeResponse {
	sum := sha256.Sum256([]byte(code + verificationToken + endpoint))
	return ChallengeResponse{ChallengeResponse: hex.EncodeToString(sum[:])}
}
