package csvfile

import (
	"slices"
	"strings"
	"unicode"

	"github.com/cardvault/cardvault/internal/blank"
	"github.com/cardvault/cardvault/internal/cards"
)

// column is a column of a file, by the name that Write uses.
type column string

// The columns of our own files, and those that only other programs write.
const (
	colCardID      column = "card_id"
	colStatus      column = "workflow_status"
	colTitle       column = "title"
	colSet         column = "set"
	colNumber      column = "number"
	colGame        column = "game"
	colYear        column = "year"
	colVariant     column = "variant"
	colLanguage    column = "language"
	colCondition   column = "condition"
	colGradeBy     column = "grade_company"
	colGrade       column = "grade_value"
	colCert        column = "grade_cert_number"
	colPrice       column = "asking_price"
	colPriceIn     column = "asking_price_currency"
	colFloor       column = "floor_price"
	colFloorIn     column = "floor_price_currency"
	colCost        column = "cost"
	colCostIn      column = "cost_currency"
	colLocation    column = "location"
	colBatch       column = "batch"
	colSKU         column = "sku"
	colNotes       column = "notes"
	colCatalogID   column = "catalog_id"
	colExternalID  column = "external_id"
	colMetadata    column = "metadata"
	colFinish      column = "finish"          // the printing: "Foil", "Normal"
	colQuantity    column = "quantity"        // number of copies
	colAdded       column = "add_to_quantity" // number of additional copies
	colCurrency    column = "currency"        // of amounts without a currency
	colPhotoFront  column = "photo_front"
	colPhotoBack   column = "photo_back"
	colPhotoListed column = "photo_listing"
)

// The fields of cards that have no column of their name.
const (
	colBatchID column = "batch_id"
	fieldGrade column = "grade"
)

// aliases are the column names in exports of TCGplayer, Collectr, Deckbox, Moxfield, ManaBox, Dragon Shield
// and eBay and in common spreadsheets, normalized by headerKey. If a file has several names of one column,
// the first in the list is used: Deckbox's "My Price" is the asking price and its "Price" the market price,
// and TCGplayer's "Title" is only set for listings with a title of their own. Market price columns are not
// listed, because they are not asking prices.
var aliases = withOwnColumns(map[column][]string{
	colAdded:     {},
	colTitle:     {"productname", "cardname", "name", "title", "card", "itemtitle"},
	colSet:       {"setname", "edition", "editionname", "expansion", "expansionname", "series", "setcode"},
	colNumber:    {"cardnumber", "collectornumber", "cardno", "collectorno", "no"},
	colGame:      {"productline", "tcg", "cardgame", "category"},
	colYear:      {"releaseyear", "setyear"},
	colLanguage:  {"lang", "cardlanguage"},
	colCondition: {"cardcondition"},
	colGradeBy:   {"gradingcompany", "grader", "gradedby", "professionalgrader"},
	colGrade:     {"grade", "gradenumber"},
	colCert:      {"certnumber", "certificationnumber", "certificatenumber", "cert", "certno"},
	colPrice: {
		"tcgmarketplaceprice", "myprice", "listprice", "saleprice", "sellprice", "startprice", "price", "currentprice",
	},
	colPriceIn: {"askingcurrency", "pricecurrency"},
	colFloor:   {"minimumprice", "minprice", "pricefloor"},
	colFloorIn: {"minimumpricecurrency"},
	colCost: {
		"purchaseprice", "pricebought", "pricepaid", "averagecostpaid", "costpaid", "buyprice", "acquisitionprice",
		"costbasis",
	},
	colCostIn:      {"purchasepricecurrency", "purchasecurrency"},
	colLocation:    {"storagelocation", "storage", "bindername", "foldername", "binder", "folder", "box"},
	colBatch:       {"batchname", "batchno", "batchnumber", "lot"},
	colSKU:         {"customlabelsku", "customlabel", "articlenumber"},
	colNotes:       {"note", "comment", "comments", "remarks"},
	colFinish:      {"printing", "foil", "variance", "isfoil", "treatment"},
	colQuantity:    {"totalquantity", "qty", "count", "availablequantity", "copies", "amount"},
	colCurrency:    {"currencycode"},
	colPhotoFront:  {"frontphoto", "photo", "photofile", "frontimage", "imagefront", "photourl"},
	colPhotoBack:   {"backphoto", "backimage", "imageback"},
	colPhotoListed: {"listingphoto", "listingimage", "imagelisting"},
})

// withOwnColumns adds the columns of our own files that have no other names.
func withOwnColumns(names map[column][]string) map[column][]string {
	for _, own := range ownColumns {
		if names[own.name] == nil {
			names[own.name] = []string{}
		}
	}
	return names
}

// meaning is the column that a name refers to. A lower rank takes precedence.
type meaning struct {
	column column
	rank   int
}

var meanings = func() map[string]meaning {
	all := map[string]meaning{}
	for c, names := range aliases {
		all[headerKey(string(c))] = meaning{c, 0} // takes precedence unless the list contains it
		for i, name := range names {
			all[name] = meaning{c, i + 1}
		}
	}
	return all
}()

// headerKey normalizes a column name for comparison: lower-case letters and digits only.
func headerKey(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
}

// header maps columns to the cells of a row.
type header struct {
	names []string // as in the file
	at    map[column]int
	// ignored are the names of columns that are not imported.
	ignored []string
}

// readHeader parses the first row of a file, which begins at line. matchSKU is as in Options.
func readHeader(names []string, line int, matchSKU bool) (header, error) {
	h := header{names: names, at: map[column]int{}}
	if strings.Contains(strings.Join(names, ""), "\r") { // the whole file was read as one line
		return h, one(0, "the lines end with CR: save the file with LF or CRLF line endings")
	}
	ranks := map[column]int{}
	for i, name := range names {
		m, known := meanings[headerKey(name)]
		best, taken := ranks[m.column]
		if known && taken && best == m.rank {
			return h, one(line, "two columns are named %s: remove one of them", name)
		}
		if known && (!taken || m.rank < best) {
			h.at[m.column], ranks[m.column] = i, m.rank
		}
	}
	used := map[int]bool{}
	for _, i := range h.at {
		used[i] = true
	}
	for i, name := range names {
		if !used[i] && !blank.Is(name) {
			h.ignored = append(h.ignored, blank.Trim(name))
		}
	}
	if !h.describesCards() && !h.has(colCardID) && !h.has(colExternalID) && !(h.has(colSKU) && matchSKU) {
		return h, one(line, "no column contains titles or photos, or names existing cards: name a column title, "+
			"card_id or external_id (the first line must contain the column names)")
	}
	return h, nil
}

// describesCards reports whether the file has what a new card needs.
func (h header) describesCards() bool {
	return h.has(colTitle) || h.has(colCatalogID) ||
		slices.ContainsFunc(photoColumns, func(p photoColumn) bool { return h.has(p.column) })
}

func (h header) has(c column) bool {
	_, ok := h.at[c]
	return ok
}

// name returns the name of a column in the file.
func (h header) name(c column) string {
	if i, ok := h.at[c]; ok {
		return blank.Trim(h.names[i])
	}
	return string(c)
}

// photoColumn is a column with photos of a role.
type photoColumn struct {
	column column
	role   cards.Role
}

var photoColumns = []photoColumn{
	{colPhotoFront, cards.RoleFront}, {colPhotoBack, cards.RoleBack}, {colPhotoListed, cards.RoleListing},
}
