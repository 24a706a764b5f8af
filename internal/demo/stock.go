package demo

import (
	"fmt"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/demo/art"
	"github.com/cardvault/cardvault/internal/money"
)

// stage is the progress of a card in the demo account.
type stage int

const (
	waiting    stage = iota // has a photo of its front and waits for identification in the background
	review                  // could not be identified, because it is not in the catalogue, and needs review
	identified              // is identified, but has no price and no photo
	ready                   // has a price and a photo and can be published
	pictured                // like ready, with an additional photo for the listing
)

// item is one card of the demo account.
type item struct {
	drawing   int // index in Drawings or, in the stage review, in unlisted
	stage     stage
	condition string
	location  string
}

// box is a batch of the demo account.
type box struct {
	name     string
	complete bool
	place    string // common part of the cards' locations
	items    []item
}

// stock is the inventory of the demo account.
var stock = []box{
	{name: "Lantern Tides, spring fair", complete: true, place: "Study/Shelf 2/Binder 1", items: []item{
		{0, ready, "NM", "Page 1/1"}, {1, ready, "NM", "Page 1/2"},
		{6, ready, "LP", "Page 1/3"}, {9, ready, "NM", "Page 1/4"},
		{10, pictured, "NM", "Page 2/1"}, {14, ready, "LP", "Page 2/2"},
		{16, ready, "MP", "Page 2/3"}, {17, ready, "NM", "Page 2/4"},
		{18, pictured, "NM", "Page 3/1"}, {19, pictured, "NM", "Page 3/2"},
	}},
	{name: "Emberfall, attic", place: "Attic/Shelf 1/Box 4", items: []item{
		{20, ready, "NM", "Row 1/1"}, {25, ready, "LP", "Row 1/2"},
		{31, pictured, "NM", "Row 1/3"}, {34, ready, "NM", "Row 1/4"},
		{21, identified, "NM", "Row 2/1"}, {26, identified, "HP", "Row 2/2"}, {37, identified, "NM", "Row 2/3"},
		{22, waiting, "NM", "Row 3/1"}, {27, waiting, "NM", "Row 3/2"}, {29, waiting, "LP", "Row 3/3"},
		{32, waiting, "NM", "Row 3/4"}, {38, waiting, "NM", "Row 3/5"},
		{0, review, "LP", "Row 4/1"}, {1, review, "NM", "Row 4/2"},
	}},
}

// unlisted are cards of a third set, which is not in the catalogue.
var unlisted = []art.Card{
	{Name: "Quartz Beekeeper", Set: "Hollow Hives", Number: "3/90", HP: "70", Illustrator: "Ona Brask", Seed: 101,
		Text: "Sweet Echo. Whenever a rival shuffles, put a honey token on the highest mountain in play."},
	{Name: "Velvet Anemometer", Set: "Hollow Hives", Number: "61/90", HP: "", Illustrator: "Teo Quillan", Seed: 102,
		Text: "Measure the wind. If it comes from the north, every flying beast returns to its nest."},
}

// art returns the printed content of the item's card.
func (it item) art() art.Card {
	if it.stage == review {
		return unlisted[it.drawing]
	}
	return Drawings()[it.drawing].Art
}

// roles returns the roles of the item's photos.
func (it item) roles() []cards.Role {
	switch it.stage {
	case identified:
		return nil
	case pictured:
		return []cards.Role{cards.RoleFront, cards.RoleListing}
	}
	return []cards.Role{cards.RoleFront}
}

// boxed is an item in its batch.
type boxed struct {
	item
	box   string // name of the batch
	place string // whole location
	sku   string
}

// items returns the whole stock in order.
func items() []boxed {
	var list []boxed
	for _, b := range stock {
		for _, it := range b.items {
			list = append(list, boxed{it, b.name, b.place + "/" + it.location, fmt.Sprintf("DEMO-%03d", len(list)+1)})
		}
	}
	return list
}

// draft returns the card to create for the item. printing is its entry in the catalogue.
func (it boxed) draft(printing catalog.Card) cards.Draft {
	toIdentify := it.stage == waiting
	d := cards.Draft{Identify: &toIdentify}
	d.Condition, d.SKU, d.Location = cards.Set(it.condition), cards.Set(it.sku), cards.Set(it.place)
	if it.stage == waiting || it.stage == review {
		return d
	}
	d.Title, d.Set, d.Number = cards.Set(printing.Name), cards.Set(printing.Set), cards.Set(printing.CollectorNumber())
	d.CatalogID = cards.Set(printing.ID)
	d.Game, d.Language, d.Year = cards.Set(printing.Game), cards.Set(printing.Language), cards.Set(int32(printing.Year))
	if it.stage != identified && printing.Price != nil {
		d.AskingPrice = cards.Set(*printing.Price)
		d.Cost = cards.Set(money.Money{Amount: printing.Price.Amount / 2, Currency: printing.Price.Currency})
	}
	return d
}
