package csvfile

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/cardvault/cardvault/internal/cards"
)

// file is the content of a file.
type file struct {
	Summary
	Rows []Row
}

// readAll reads a whole file.
func readAll(r io.Reader, o Options) (f file, err error) {
	o.Currency = cmp.Or(o.Currency, "USD")
	f.Summary, err = Read(r, o, func(row Row) error {
		f.Rows = append(f.Rows, row)
		return nil
	})
	return f, err
}

func read(t *testing.T, content string) file {
	t.Helper()
	f, err := readAll(strings.NewReader(content), Options{})
	if err != nil {
		t.Fatalf("Read: %v", err)
	}
	return f
}

// summarize returns the values of a row as one line.
func summarize(r Row) string {
	var parts []string
	for _, p := range []struct {
		name  string
		value *string
	}{
		{"title", r.Title.Value()}, {"set", r.Set.Value()}, {"number", r.Number.Value()}, {"game", r.Game.Value()},
		{"variant", r.Variant.Value()}, {"language", r.Language.Value()}, {"condition", r.Condition.Value()},
		{"location", r.Location.Value()}, {"batch", r.Batch},
		{"sku", r.SKU.Value()}, {"notes", r.Notes.Value()},
	} {
		if p.value != nil {
			parts = append(parts, p.name+"="+*p.value)
		}
	}
	if g := r.Grade.Value(); g != nil {
		parts = append(parts, fmt.Sprintf("grade=%s %s %s", g.Company, g.Value, known(g.CertNumber)))
	}
	if price := r.AskingPrice.Value(); price != nil {
		parts = append(parts, "price="+price.String())
	}
	if cost := r.Cost.Value(); cost != nil {
		parts = append(parts, "cost="+cost.String())
	}
	for _, p := range r.Photos {
		parts = append(parts, string(p.Role)+"="+p.Name)
	}
	return fmt.Sprintf("%d× %s", r.Quantity, strings.Join(parts, " | "))
}

func TestRead_ExportsOfOtherPrograms(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ content, want, ignored string }{
		"TCGplayer pricing": {
			"TCGplayer Id,Product Line,Set Name,Product Name,Title,Number,Rarity,Condition,TCG Market Price," +
				"TCG Direct Low,TCG Low Price With Shipping,TCG Low Price,Total Quantity,Add to Quantity," +
				"TCG Marketplace Price,Photo URL\n" +
				"106999,Pokemon,SWSH01: Base Set,Zacian V,,138/202,Ultra Rare,Near Mint Reverse Holofoil," +
				"2.15,,3.4,1.9,2,1,2.49,\n" +
				"107000,Pokemon,SWSH01: Base Set,Zamazenta V,,139/202,Ultra Rare,Near Mint,2.15,,3.4,1.9,0,0,2.49,\n",
			"3× title=Zacian V | set=SWSH01: Base Set | number=138/202 | game=pokemon | variant=reverse holo | " +
				"condition=NM | price=2.49 USD",
			"TCGplayer Id,Title,Rarity,TCG Market Price,TCG Direct Low,TCG Low Price With Shipping,TCG Low Price",
		},
		"Collectr": {
			"Portfolio Name,Category,Set,Product Name,Card Number,Rarity,Variance,Grade,Card Condition," +
				"Average Cost Paid,Quantity,Market Price (As of 2026-05-11),Price Override,Watchlist,Date Added," +
				"Notes\n" +
				"Main,Pokemon,Paldean Fates,Charizard ex,234/091,Special Illustration Rare,Holofoil,PSA 10,Near Mint," +
				"180.00,1,412.00,0,false,2025-02-01,from Anna\n",
			"1× title=Charizard ex | set=Paldean Fates | number=234/091 | game=pokemon | variant=holo | " +
				"condition=NM | notes=from Anna | grade=PSA 10  | cost=180.00 USD",
			"Portfolio Name,Rarity,Market Price (As of 2026-05-11),Price Override,Watchlist,Date Added",
		},
		"Deckbox": {
			"Count,Tradelist Count,Name,Edition,Edition Code,Card Number,Condition,Language,Foil,Signed,My Price," +
				"Price\n" +
				"4,0,Lightning Bolt,Magic 2011,M11,149,Good (Lightly Played),English,foil,,$1.50,$2.31\n",
			"4× title=Lightning Bolt | set=Magic 2011 | number=149 | variant=foil | language=en | condition=LP | " +
				"price=1.50 USD",
			"Tradelist Count,Edition Code,Signed,Price",
		},
		"Moxfield": {
			`"Count","Tradelist Count","Name","Edition","Condition","Language","Foil","Tags","Last Modified",` +
				`"Collector Number","Alter","Proxy","Purchase Price"` + "\n" +
				`"1","1","Fable of the Mirror-Breaker","neo","Near Mint","Japanese","etched","","2024-01-01",` +
				`"141","False","False","12.00"` + "\n",
			"1× title=Fable of the Mirror-Breaker | set=neo | number=141 | variant=etched | language=ja | " +
				"condition=NM | cost=12.00 USD",
			"Tradelist Count,Tags,Last Modified,Alter,Proxy",
		},
		"ManaBox": {
			"Binder Name,Name,Set code,Set name,Collector number,Foil,Rarity,Quantity,ManaBox ID,Purchase price," +
				"Condition,Language,Purchase price currency\n" +
				"Trade,Sol Ring,C21,Commander 2021,263,normal,uncommon,1,77,1.05,light_played,zht,EUR\n",
			"1× title=Sol Ring | set=Commander 2021 | number=263 | language=zh-Hant | condition=LP | " +
				"location=Trade | cost=1.05 EUR",
			"Set code,Rarity,ManaBox ID",
		},
		"Dragon Shield": {
			"sep=,\r\nFolder Name,Quantity,Trade Quantity,Card Name,Set Code,Set Name,Card Number,Condition,Printing," +
				"Language,Price Bought,Date Bought,LOW,MID,MARKET\r\n" +
				"Box 1,1,0,Opt,DOM,Dominaria,60,NearMint,Foil,English,0.25,2024-05-01,0.1,0.2,0.3\r\n",
			"1× title=Opt | set=Dominaria | number=60 | variant=foil | language=en | condition=NM | " +
				"location=Box 1 | cost=0.25 USD",
			"Trade Quantity,Set Code,Date Bought,LOW,MID,MARKET",
		},
		"eBay": {
			"Item number,Title,Custom label (SKU),Available quantity,Currency,Start price,Condition\n" +
				"1100,1999 Charizard,PKM-4,1,GBP,250.0,Heavily played (Poor)\n",
			"1× title=1999 Charizard | condition=HP | sku=PKM-4 | price=250.00 GBP",
			"Item number",
		},
		"spreadsheet with decimal commas": {
			"Title;Number;Language;Cost;Currency;Location;Photo\n" +
				"Glurak;4/102;Deutsch;1.234,50;EUR;Zimmer/Regal;glurak.jpg\n",
			"1× title=Glurak | number=4/102 | language=de | location=Zimmer/Regal | cost=1234.50 EUR | " +
				"front=glurak.jpg",
			"",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := read(t, tc.content)
			if len(file.Rows) != 1 || summarize(file.Rows[0]) != tc.want {
				t.Errorf("%d rows\n got %s\nwant %s", len(file.Rows), summarize(file.Rows[0]), tc.want)
			}
			if got := strings.Join(file.Ignored, ","); got != tc.ignored {
				t.Errorf("ignored %s, want %s", got, tc.ignored)
			}
		})
	}
}

func TestRead_EncodingsAndSeparators(t *testing.T) {
	t.Parallel()
	const content = "title,notes\n\"Pokémon, the card\",\"two\nlines\"\n"
	wide := func(order binary.AppendByteOrder) string {
		var b []byte
		for _, unit := range utf16.Encode([]rune("\ufeff" + content)) {
			b = order.AppendUint16(b, unit)
		}
		return string(b)
	}
	const want = "1× title=Pokémon, the card | notes=two\nlines"
	for name, text := range map[string]string{
		"plain":       content,
		"BOM":         "\ufeff" + content,
		"UTF-16LE":    wide(binary.LittleEndian),
		"UTF-16BE":    wide(binary.BigEndian),
		"CRLF":        strings.ReplaceAll(content, "\n", "\r\n"),
		"blank lines": "\n\n" + content + "\n,\n\n",
		"tabs":        "title\tnotes\n\"Pokémon, the card\"\t\"two\nlines\"\n",
		"semicolon":   "title;notes\n\"Pokémon, the card\";\"two\nlines\"\n",
		"hint":        "\"sep=;\"\ntitle;notes\n\"Pokémon, the card\";\"two\nlines\"",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := read(t, text)
			if got := summarize(file.Rows[0]); len(file.Rows) != 1 || got != want {
				t.Errorf("got %d rows, %s, want %s", len(file.Rows), got, want)
			}
		})
	}
}

func TestRead_ProblemsNameLineAndColumn(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ü", cards.MaxTitle+1)
	manyCards := "title,quantity\n" + strings.Repeat("A,1000\n", MaxCards/MaxQuantity+1)
	for name, tc := range map[string]struct{ content, want string }{
		"empty file": {"", "the file is empty: its first line must contain the column names"},
		"no cards":   {"title,set\n", "the file contains no cards after the line with the column names"},
		"CR": {"title,set\rA,B\rC,D\r",
			"the lines end with CR: save the file with LF or CRLF line endings"},
		"CR, no commas": {"title\rA\rB", "the lines end with CR: save the file with LF or CRLF line endings"},
		"no title column": {"colour,shape\nred,round\n",
			"line 1: no column contains titles or photos, or names existing cards: " +
				"name a column title, card_id or external_id (the first line must contain the column names)"},
		"two of an external_id": {"title,quantity,external_id\nA,2,shop-1",
			"line 2, quantity: must be 1, because a card_id or external_id belongs to one card"},
		"metadata": {"title,metadata\nA,red", `line 2, metadata: "red" is not a JSON object of texts: ` +
			`write it as {"key":"value"}`},
		"metadata key": {"title,metadata\nA,\"{\"\"\"\":\"\"x\"\"}\"",
			"line 2, metadata: must have keys of 1 to 40 characters without control characters"},
		"two title columns": {"title,Title\nA,B\n", "line 1: two columns are named Title: remove one of them"},
		"more cells": {"title,set\nA,B,C\n",
			"line 2: has 1 more cells than there are columns: put texts that contain the separator in quotation marks"},
		"not UTF-8": {"title\nCaf\xe9\n", "line 2, title: is not UTF-8: save the file as “CSV UTF-8”"},
		"misplaced quote": {"title\nA\n7\" figure\n",
			"line 3: a quotation mark is in the wrong place: " +
				`put the whole text in "…" and write "" for each mark in it`},
		"unclosed quote": {"title\nA\n\"B\nC\nD\n",
			"line 3: a quotation mark that opens in this row is not closed correctly in line 5"},
		"many cards": {manyCards, "line 502: the file contains more than 500000 cards, including copies: split it"},

		"long title": {"title\n" + long, "line 2, title: must have 1 to 200 characters; it has 201"},
		"line break": {"Name,Set\nA,\"x\ny\"\n",
			"line 2, Set: must not contain control characters such as line breaks"},
		"condition": {"title,Card Condition\nA,\"\"\n\n\"B\",superb\n",
			`line 4, Card Condition: "superb" is not a condition: use one of NM, LP, MP, HP, DMG`},
		"empty segment": {"title,location\nA,a//b",
			"line 2, location: must be 1 to 5 non-empty segments separated by /"},
		"six segments": {"title,location\nA,1/2/3/4/5/6",
			"line 2, location: must be 1 to 5 non-empty segments separated by /"},
		"language": {"title,language\nA,Klingon",
			"line 2, language: must be a BCP 47 language tag such as en or pt-BR"},
		"two-digit year": {"title,year\nA,'99", `line 2, year: "'99" is not a year: write it with four digits`},
		"early year":     {"title,year\nA,1066", "line 2, year: must be from 1800 to 2200"},
		"no company": {"title,grade\nA,10",
			"line 2, grade_company: is missing: a grade needs its grading company"},
		"no grade": {"title,grader\nA,PSA",
			"line 2, grade_value: is missing: a grading company and a certificate need the grade"},
		"quantity": {"title,quantity\nA,2.5",
			`line 2, quantity: "2.5" is not a quantity: write a whole number from 0 to 1000`},
		"two of a certificate": {"title,quantity,grader,grade,cert\nA,2,PSA,10,123",
			"line 2, quantity: must be 1, because a certificate belongs to one card"},
		"long batch": {"title,batch\nA," + long, "line 2, batch: must have 1 to 120 characters; it has 201"},
		"photo URL": {"title,photo\nA,https://bücher.example/ä.jpg",
			"line 2, photo: must be an HTTPS URL of at most 2048 characters; percent-encode spaces and " +
				"characters beyond ASCII"},

		"decimals": {"title,notes,price\nA,\"1\n2\n3\",\nB,,1.005\n",
			`line 5, price: "1.005" has more decimals than the 2 of USD`},
		"negative price":  {"title,price\nA,-1", `line 2, price: "-1" must not be negative`},
		"malformed price": {"title,price\nA,\"1,23,4\"", `line 2, price: "1,23,4" is not an amount such as 1234.50`},
		"ambiguous comma": {"title;price\nA;1,234",
			`line 2, price: "1,234" could be thousands or decimals: write 1234.00 or 1.2340`},
		"high price": {"title,price\nA,1000000000.00",
			`line 2, price: "1000000000.00" is too large`},
		"unknown currency": {"title,price,currency\nA,5,XXX",
			`line 2, price: "5" has the currency "XXX", which is not an ISO 4217 code such as USD`},
		"other currency": {"title,price,currency\nA,€5,USD",
			`line 2, price: "€5" contains €, but the currency is USD: add the right currency in a column currency`},
		"ambiguous currency": {"title,cost\nA,¥500",
			`line 2, cost: "¥500" contains ¥, but the currency is USD: add the right currency in a column currency`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := readAll(strings.NewReader(tc.content), Options{})
			var p *Problems
			if !errors.As(err, &p) || err.Error() != tc.want {
				t.Errorf("got %v\nwant %s", err, tc.want)
			}
		})
	}
}

func TestRead_CountsProblemsAndKeepsFirst(t *testing.T) {
	t.Parallel()
	_, err := readAll(strings.NewReader("title,year,condition\n"+strings.Repeat("A,x,y\n", 80)), Options{})
	var p *Problems
	if !errors.As(err, &p) || p.Total != 160 || len(p.List) != MaxProblems || p.List[99].Line != 51 {
		t.Fatalf("got %v, want 160 problems and the first %d of them", err, MaxProblems)
	}
}

func TestParseAmount(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		text, code   string
		decimalComma bool
		want         string // "" for an error
	}{
		{"12.50", "", false, "12.50 USD"},
		{"$1,234.50", "", false, "1234.50 USD"},
		{"1,234", "", false, "1234.00 USD"},
		{"1.234,50 €", "", true, "1234.50 EUR"},
		{"1\u202f234,50\u00a0€", "", true, "1234.50 EUR"},
		{"12,5", "", true, "12.50 USD"},
		{"12,50", "", false, "12.50 USD"},
		{"0,500", "", false, "0.50 USD"},
		{"0,500", "EUR", true, "0.50 EUR"},
		{"1 234,50", "EUR", true, "1234.50 EUR"},
		{"1'234.50 CHF", "", false, "1234.50 CHF"},
		{"GBP 3", "", false, "3.00 GBP"},
		{"1.234.567", "JPY", false, "1234567 JPY"},
		{"¥1200", "JPY", false, "1200 JPY"},
		{"$5", "CAD", false, "5.00 CAD"},
		{"1.234", "KWD", false, "1.234 KWD"},
		{".5", "", false, "0.50 USD"},
		{"0", "", false, "0.00 USD"},
		{"1.500", "", false, "1.50 USD"},
		{"1.500", "EUR", true, ""},
		{"free", "", false, ""},
		{"12.5", "JPY", false, ""},
		{"1.2.3", "", false, ""},
		{"$", "", false, ""},
		{"1-2", "", false, ""},
		{"#5", "", false, ""},
		{"1e3", "", false, ""},
		{"5 abc", "", false, ""},
		{"12 50", "", false, ""},
		{"1,234.567,8", "", false, ""},
		{"$5", "EUR", false, ""},
	} {
		got, err := parseAmount(tc.text, tc.code, "USD", tc.decimalComma)
		if (err == nil) != (tc.want != "") || err == nil && got.String() != tc.want {
			t.Errorf("parseAmount(%q, %q, decimal comma %v) = %v, %v, want %q",
				tc.text, tc.code, tc.decimalComma, got, err, tc.want)
		}
	}
}

func TestConditionOf(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Near Mint": "NM", "NM": "NM", "nm-mt": "NM", "near_mint": "NM", "NearMint": "NM", "Mint": "NM",
		"Near Mint (NM)": "NM", "Lightly played (Excellent)": "LP", "Played": "MP", "Heavily Played": "HP",
		"Poor":           "DMG",
		"Near Mint Foil": "NM foil", "Lightly Played Holofoil": "LP holo", "Damaged Unlimited": "DMG unlimited",
		"Near Mint 1st Edition Holofoil": "NM 1st edition holo", "Near Mint - German": "NM de",
		"Moderately Played Reverse Holofoil - Japanese": "MP reverse holo ja",
		"mint condition": "NM condition", "Ungraded": "",
	} {
		code, finish, language, ok := conditionOf(text)
		if got := strings.Join(strings.Fields(code+" "+finish+" "+language), " "); !ok || got != want {
			t.Errorf("conditionOf(%q) = %q, %v, want %q", text, got, ok, want)
		}
	}
	if _, _, _, ok := conditionOf("Foil"); ok {
		t.Error(`conditionOf("Foil") returns true, but Foil is a finish`)
	}
}
