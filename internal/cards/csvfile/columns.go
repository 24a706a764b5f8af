package csvfile

import (
	"slices"
	"strings"
	"unicode"

	"github.com/cardvault/cardvault/internal/cards"
)

// column is something that a file can say of a card, by the name that files of our own give it.
type column string

// The columns of files of our own, and those that only files of others have.
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
	colCost        column = "cost"
	colCostIn      column = "cost_currency"
	colLocation    column = "location"
	colBatch       column = "batch"
	colSKU         column = "sku"
	colNotes       column = "notes"
	colCatalogID   column = "catalog_id"
	colFinish      column = "finish"          // a printing as others name it: "Foil", "Normal"
	colQuantity    column = "quantity"        // how many copies there are
	colAdded       column = "add_to_quantity" // how many more there are
	colCurrency    column = "currency"        // of every amount that has none of its own
	colPhotoFront  column = "photo_front"
	colPhotoBack   column = "photo_back"
	colPhotoListed column = "photo_listing"
)

// ownColumns are the columns of files of our own, in order.
var ownColumns = []column{
	colCardID, colStatus, colTitle, colSet, colNumber, colGame, colYear, colVariant, colLanguage, colCondition,
	colGradeBy, colGrade, colCert, colPrice, colPriceIn, colCost, colCostIn,
	colLocation, colBatch, colSKU, colNotes, colCatalogID,
}

// aliases are the names of columns in the exports of TCGplayer, Collectr, Deckbox, Moxfield, ManaBox,
// Dragon Shield and eBay and in people's own tables, as headerKey makes them. Where a file has several
// names of one column, the first in the list counts: "My Price" is Deckbox's asking price, and
// its "Price" is what the market says; TCGplayer's "Title" is only for listings with one of their own.
// Market prices are left out on purpose: nobody asked them.
var aliases = map[column][]string{
	colCardID: {}, colStatus: {}, colCatalogID: {}, colVariant: {}, colAdded: {},
	colTitle:       {"productname", "cardname", "name", "title", "card", "itemtitle"},
	colSet:         {"setname", "edition", "editionname", "expansion", "expansionname", "series", "setcode"},
	colNumber:      {"cardnumber", "collectornumber", "cardno", "collectorno", "no"},
	colGame:        {"productline", "tcg", "cardgame", "category"},
	colYear:        {"releaseyear", "setyear"},
	colLanguage:    {"lang", "cardlanguage"},
	colCondition:   {"cardcondition"},
	colGradeBy:     {"gradingcompany", "grader", "gradedby", "professionalgrader"},
	colGrade:       {"grade", "gradenumber"},
	colCert:        {"certnumber", "certificationnumber", "certificatenumber", "cert", "certno"},
	colPrice:       {"tcgmarketplaceprice", "myprice", "listprice", "saleprice", "sellprice", "startprice", "price", "currentprice"},
	colPriceIn:     {"askingcurrency", "pricecurrency"},
	colCost:        {"purchaseprice", "pricebought", "pricepaid", "averagecostpaid", "costpaid", "buyprice", "acquisitionprice", "costbasis"},
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
}

// meaning is what a column's name stands for; a lower rank is the better name.
type meaning struct {
	column column
	rank   int
}

var meanings = func() map[string]meaning {
	all := map[string]meaning{}
	for c, names := range aliases {
		all[headerKey(string(c))] = meaning{c, 0} // the best, unless the list says otherwise
		for i, name := range names {
			all[name] = meaning{c, i + 1}
		}
	}
	return all
}()

// headerKey is a column's name as names are compared: lower-case letters and digits alone.
func headerKey(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
}

// header says which cell of a row is which column.
type header struct {
	names []string // as the file has them
	at    map[column]int
	// ignored are the names of columns that say nothing the service keeps.
	ignored []string
}

// readHeader reads the first row of a file, which begins at line.
func readHeader(names []string, line int) (header, error) {
	h := header{names: names, at: map[column]int{}}
	if strings.Contains(strings.Join(names, ""), "\r") { // the whole file is taken for one line
		return h, one(0, "the lines end in CR alone: save the file with lines that end in LF or CRLF")
	}
	ranks := map[column]int{}
	for i, name := range names {
		m, known := meanings[headerKey(name)]
		best, taken := ranks[m.column]
		if known && taken && best == m.rank {
			return h, one(line, "two columns are named %s: leave one of them out", name)
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
		if !used[i] && strings.TrimSpace(name) != "" {
			h.ignored = append(h.ignored, strings.TrimSpace(name))
		}
	}
	if !h.has(colTitle) && !slices.ContainsFunc(photoColumns, func(p photoColumn) bool { return h.has(p.column) }) {
		return h, one(line, "no column holds the cards' titles or photos: name one of them title (the first line must name the columns)")
	}
	return h, nil
}

func (h header) has(c column) bool {
	_, ok := h.at[c]
	return ok
}

// name returns what the file calls a column.
func (h header) name(c column) string {
	if i, ok := h.at[c]; ok {
		return strings.TrimSpace(h.names[i])
	}
	return string(c)
}

// photoColumn is a column that names photos of a role.
type photoColumn struct {
	column column
	role   cards.Role
}

var photoColumns = []photoColumn{
	{colPhotoFront, cards.RoleFront}, {colPhotoBack, cards.RoleBack}, {colPhotoListed, cards.RoleListing},
}
