package main

import (
	"fmt"
	"time"
)

// card is a card as the API returns it, and the columns that the API does not return.
type card struct {
	ID             string            `json:"id"`
	Status         string            `json:"workflow_status"`
	Title          *string           `json:"title"`
	Set            *string           `json:"set"`
	Number         *string           `json:"number"`
	Identification identification    `json:"identification"`
	Pricing        pricing           `json:"pricing"`
	Location       *string           `json:"location"`
	BatchID        *string           `json:"batch_id"`
	ListingID      *string           `json:"listing_id"`
	SaleID         *string           `json:"sale_id"`
	Photos         []photo           `json:"photos"`
	SKU            *string           `json:"sku"`
	ExternalID     *string           `json:"external_id"`
	Notes          *string           `json:"notes"`
	Metadata       map[string]string `json:"metadata"`
	Version        int64             `json:"version"`
	CreatedAt      time.Time         `json:"created_at"`
	UpdatedAt      time.Time         `json:"updated_at"`

	accountID      string
	everPriced     bool
	listingStatus  *string
	archived       bool
	autoIdentify   bool
	storedPhotos   string
	storedMetadata string
}

type identification struct {
	Title        *string    `json:"title"`
	Set          *string    `json:"set"`
	Number       *string    `json:"number"`
	Status       string     `json:"status"`
	Source       *string    `json:"source"`
	Provider     *string    `json:"provider"`
	Confidence   *float64   `json:"confidence"`
	IdentifiedAt *time.Time `json:"identified_at"`
	CatalogID    *string    `json:"catalog_id"`
	Game         *string    `json:"game"`
	Year         *int32     `json:"year"`
	Variant      *string    `json:"variant"`
	Language     *string    `json:"language"`
	Condition    *string    `json:"condition"`
	Grade        *grade     `json:"grade"`
}

type grade struct {
	Company    string  `json:"company"`
	Value      string  `json:"value"`
	CertNumber *string `json:"cert_number"`
}

type pricing struct {
	AskingPrice *money     `json:"asking_price"`
	FloorPrice  *money     `json:"floor_price"`
	Cost        *money     `json:"cost"`
	PricedAt    *time.Time `json:"priced_at"`
}

type money struct {
	Amount   int64  `json:"amount"`
	Currency string `json:"currency"`
}

type photo struct {
	ID      string  `json:"id"`
	Role    string  `json:"role"`
	Status  string  `json:"status"`
	URL     string  `json:"url"`
	Width   int     `json:"width"`
	Height  int     `json:"height"`
	Failure *string `json:"failure"`
}

// cardPage is a page of a list.
type cardPage struct {
	Data       []card  `json:"data"`
	HasMore    bool    `json:"has_more"`
	NextCursor *string `json:"next_cursor"`
}

// pricePatch is the measured PATCH: it sets or clears the asking price.
type pricePatch struct {
	Pricing struct {
		AskingPrice *money `json:"asking_price"`
	} `json:"pricing"`
}

// event is the envelope of a webhook.
type event struct {
	ID        string    `json:"id"`
	Event     string    `json:"event"`
	CreatedAt time.Time `json:"created_at"`
	AccountID string    `json:"account_id"`
	Data      eventData `json:"data"`
}

type eventData struct {
	CardID         string `json:"card_id"`
	Title          string `json:"title"`
	Set            string `json:"set"`
	Number         string `json:"number"`
	AskingPrice    *money `json:"asking_price,omitempty"`
	PreviousStatus string `json:"previous_status,omitempty"`
	Status         string `json:"status,omitempty"`
}

// change is a field that a change of a card's price changes, as the card's history shows it.
type change struct {
	Field string `json:"field"`
	From  any    `json:"from"`
	To    any    `json:"to"`
}

// setPrice changes the asking price and returns the events and the fields of the change.
func (c *card) setPrice(price *money, now time.Time) (data []eventData, changes []change) {
	text := func(s *string) string {
		if s == nil {
			return ""
		}
		return *s
	}
	base := eventData{CardID: c.ID, Title: text(c.Title), Set: text(c.Set), Number: text(c.Number)}
	status, before := c.Status, c.Pricing
	c.Pricing.AskingPrice, c.Pricing.PricedAt, c.Status = price, nil, "identified"
	if price != nil {
		c.Pricing.PricedAt, c.Status = &now, "priced"
		if !c.everPriced {
			c.everPriced = true
			payload := base
			payload.AskingPrice = price
			data = append(data, payload)
		}
	}
	if c.Status != status {
		base.PreviousStatus, base.Status = status, c.Status
		data = append(data, base)
		changes = append(changes, change{"workflow_status", status, c.Status})
	}
	changes = append(changes, change{"pricing.asking_price", before.AskingPrice, price},
		change{"pricing.priced_at", shown(before.PricedAt), shown(c.Pricing.PricedAt)})
	c.Version++
	c.UpdatedAt = now
	return data, changes
}

// shown returns a time as the history shows it.
func shown(at *time.Time) any {
	if at == nil {
		return nil
	}
	return at.UTC().Format("2006-01-02T15:04:05.000000Z")
}

// priceKey returns the text by which lists are sorted by price.
func (c *card) priceKey() string {
	price := c.Pricing.AskingPrice
	if price == nil {
		return ""
	}
	return fmt.Sprintf("%s%011d", price.Currency, price.Amount)
}

// kind returns the event's name.
func (d *eventData) kind() string {
	if d.AskingPrice != nil {
		return "card.priced"
	}
	return "card.workflow_status_changed"
}
