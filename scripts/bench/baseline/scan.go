package main

import (
	"encoding/json"
	"time"

	"github.com/cardvault/cardvault/internal/id"
)

// scan reads a row of columns.
func scan(row interface{ Scan(...any) error }) (card, error) {
	var c card
	var gradeCompany, gradeValue, gradeCert, askingCurrency, floorCurrency, costCurrency *string
	var asking, floor, cost *int64
	i := &c.Identification
	err := row.Scan(&c.accountID, &c.ID, &c.Status,
		&c.Title, &c.Set, &c.Number, &i.CatalogID, &i.Game, &i.Year, &i.Variant, &i.Language, &i.Condition,
		&gradeCompany, &gradeValue, &gradeCert,
		&i.Status, &i.Source, &i.Provider, &i.Confidence, &i.IdentifiedAt,
		&asking, &askingCurrency, &floor, &floorCurrency, &cost, &costCurrency, &c.Pricing.PricedAt, &c.everPriced,
		&c.Location, &c.BatchID, &c.ListingID, &c.listingStatus, &c.SaleID, &c.archived, &c.storedPhotos, &c.SKU,
		&c.ExternalID, &c.Notes, &c.storedMetadata, &c.autoIdentify, &c.Version, &c.CreatedAt, &c.UpdatedAt)
	if err != nil {
		return card{}, err
	}
	i.Title, i.Set, i.Number = c.Title, c.Set, c.Number
	if gradeCompany != nil {
		i.Grade = &grade{*gradeCompany, *gradeValue, gradeCert}
	}
	if asking != nil {
		c.Pricing.AskingPrice = &money{*asking, *askingCurrency}
	}
	if floor != nil {
		c.Pricing.FloorPrice = &money{*floor, *floorCurrency}
	}
	if cost != nil {
		c.Pricing.Cost = &money{*cost, *costCurrency}
	}
	c.Photos = []photo{}
	if c.storedPhotos != "[]" {
		if err := json.Unmarshal([]byte(c.storedPhotos), &c.Photos); err != nil {
			return card{}, err
		}
	}
	c.Metadata = map[string]string{}
	if c.storedMetadata != "{}" {
		if err := json.Unmarshal([]byte(c.storedMetadata), &c.Metadata); err != nil {
			return card{}, err
		}
	}
	for i := range c.Photos {
		c.Photos[i].URL = "http://localhost/photos/" + c.Photos[i].ID
	}
	return c, nil
}

// values returns the parameters of the update.
func (c *card) values() []any {
	var gradeCompany, gradeValue, gradeCert, askingCurrency, floorCurrency, costCurrency *string
	var asking, floor, cost *int64
	i := &c.Identification
	if i.Grade != nil {
		gradeCompany, gradeValue, gradeCert = &i.Grade.Company, &i.Grade.Value, i.Grade.CertNumber
	}
	if p := c.Pricing.AskingPrice; p != nil {
		asking, askingCurrency = &p.Amount, &p.Currency
	}
	if p := c.Pricing.FloorPrice; p != nil {
		floor, floorCurrency = &p.Amount, &p.Currency
	}
	if p := c.Pricing.Cost; p != nil {
		cost, costCurrency = &p.Amount, &p.Currency
	}
	return []any{c.accountID, c.ID, c.Status,
		c.Title, c.Set, c.Number, i.CatalogID, i.Game, i.Year, i.Variant, i.Language, i.Condition,
		gradeCompany, gradeValue, gradeCert,
		i.Status, i.Source, i.Provider, i.Confidence, i.IdentifiedAt,
		asking, askingCurrency, floor, floorCurrency, cost, costCurrency, c.Pricing.PricedAt, c.everPriced,
		c.Location, c.BatchID, c.ListingID, c.listingStatus, c.SaleID, c.archived, c.storedPhotos, c.SKU,
		c.ExternalID, c.Notes, c.storedMetadata, c.autoIdentify, c.Version, c.CreatedAt, c.UpdatedAt, c.priceKey()}
}

func newEventID(at time.Time) string { return id.New(id.Event, at) }
