package cardvault

// Patch returns the change that identifies a card as the candidate. If the candidate is in the catalogue, the patch has
// only its CatalogID: the service takes the other fields from the catalogue. Otherwise the patch sets the fields that
// the candidate has and clears the others. Condition and grade stay unchanged.
func (r IdentificationResult) Patch() IdentificationPatch {
	if r.CatalogID != nil {
		return IdentificationPatch{CatalogID: Set(*r.CatalogID)}
	}
	return IdentificationPatch{
		CatalogID: Clear[string](),
		Title:     Set(r.Title),
		Set:       orClear(r.Set),
		Number:    orClear(r.Number),
		Game:      orClear(r.Game),
		Year:      orClear(r.Year),
		Language:  orClear(r.Language),
		Variant:   orClear(r.Variant),
	}
}

// Patch returns the change that identifies a card as the card of the catalogue. Condition and grade stay unchanged.
func (c CatalogCard) Patch() IdentificationPatch { return IdentificationPatch{CatalogID: Set(c.ID)} }

// orClear returns a Patch that sets a field to the target of value, or to null if value is nil.
func orClear[T any](value *T) Patch[T] { return Patch[T]{present: true, value: value} }
