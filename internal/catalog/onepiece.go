package catalog

import (
	"encoding/json"
	"html"
	"path"
	"regexp"
	"slices"
	"strings"
)

// onePieceCard is a card of the One Piece card game, with the fields of punk-records
// (https://github.com/buhbbl/punk-records) and of optcgapi.com.
type onePieceCard struct {
	ID       string   `json:"id"` // OP01-001, or OP01-001_p1 for another picture
	PackID   string   `json:"pack_id"`
	Name     string   `json:"name"`
	Rarity   string   `json:"rarity"`
	Category string   `json:"category"`
	Effect   string   `json:"effect"`
	Trigger  string   `json:"trigger"`
	Types    []string `json:"types"`

	CardID    string      `json:"card_set_id"`   // OP01-001
	ImageID   string      `json:"card_image_id"` // OP01-001_p1
	CardName  string      `json:"card_name"`
	CardText  string      `json:"card_text"`
	CardType  string      `json:"card_type"`
	SetName   string      `json:"set_name"`
	Market    looseNumber `json:"market_price"` // in US dollars
	ScrapedOn string      `json:"date_scraped"`
}

// onePiecePack is an entry of packs.json of punk-records.
type onePiecePack struct {
	Title string `json:"raw_title"`
	Parts struct {
		Title string `json:"title"`
		Label string `json:"label"`
	} `json:"title_parts"`
}

// onePieceLanguages are the folders of punk-records.
var onePieceLanguages = []string{
	"english", "english-asia", "french", "japanese", "thai", "chinese-hongkong", "chinese-taiwan",
}

// parseOnePiece parses a file of cards, or a folder of punk-records with a folder for each language.
func (j importJob) parseOnePiece(out *sink) error {
	p := onePieceParser{out: out, packs: map[string]map[string]onePiecePack{}}
	if !isFolder(j.path) {
		return j.parseFile(out, func(f *file, _ *sink) error {
			return p.parse("", onePieceLanguage(f.path), &f.source)
		})
	}
	files, err := openFolder(j.path, OnePiece)
	if err != nil {
		return err
	}
	defer files.close()
	all, err := files.jsonFiles()
	if err != nil {
		return j.fileFault(err)
	}
	err = files.readNamed(j, "packs.json", all, func(file string, content *source) error {
		return p.readPacks(onePieceLanguage(path.Join(j.path, file)), content)
	})
	if err != nil {
		return err
	}
	cards := slices.DeleteFunc(all, func(f folderFile) bool {
		parts := strings.Split(path.Dir(f.path), "/")
		return !slices.Contains(parts, "cards") && !slices.Contains(parts, "data")
	})
	seen := map[string]bool{} // copies of punk-records may have the cards of a pack in one file and in one each
	return files.readCards(j, cards, func(file string, content *source) error {
		language := onePieceLanguage(path.Join(j.path, file))
		pack := strings.TrimSuffix(path.Base(file), ".json")
		if folder := path.Base(path.Dir(file)); folder != "cards" && folder != "data" {
			if seen[language+"/"+folder] {
				return nil
			}
		} else {
			seen[language+"/"+pack] = true
		}
		return p.parse(file, language, content)
	})
}

// onePieceLanguage returns the tag of the language that names a folder of a path, or "".
func onePieceLanguage(name string) string {
	parts := strings.Split(strings.ToLower(name), "/")
	for _, part := range slices.Backward(parts[:len(parts)-1]) {
		if slices.Contains(onePieceLanguages, part) {
			return languageOf(part)
		}
	}
	return ""
}

// onePieceParser parses files with cards.
type onePieceParser struct {
	out   *sink
	packs map[string]map[string]onePiecePack // by language and identifier
}

// readPacks remembers the names of the packs.
func (p *onePieceParser) readPacks(language string, content *source) error {
	packs := map[string]onePiecePack{}
	p.packs[language] = packs
	return eachMember(content, func(_ int, key string, value json.RawMessage) error {
		var pack onePiecePack
		err := json.Unmarshal(value, &pack)
		packs[key] = pack
		return err
	})
}

// parse parses a file with a card or an array of cards.
func (p *onePieceParser) parse(file, language string, content *source) error {
	skip := func(line int, message string) error { return p.out.skip(file, line, message) }
	return eachValue(content, func(line int, value json.RawMessage) error {
		var card onePieceCard
		if err := json.Unmarshal(value, &card); err != nil {
			return skip(line, "not a card: "+err.Error())
		}
		if card.ID == "" && card.CardID == "" {
			return skip(line, "not a card: it has neither id nor card_set_id")
		}
		return p.out.card(file, line, card.card(either(language, p.out.language), p.packs[language][card.PackID]))
	}, skip)
}

// onePieceVariant matches the end of the identifier of another picture of a card: a parallel or a reprint.
var onePieceVariant = regexp.MustCompile(`_([a-z]+)(\d+)$`)

// card returns the printing. Cards of optcgapi.com are English.
func (o onePieceCard) card(language string, pack onePiecePack) Card {
	id := either(either(o.ID, o.ImageID), o.CardID)
	number := either(o.CardID, onePieceVariant.ReplaceAllString(id, ""))
	code, _, _ := strings.Cut(number, "-")
	c := Card{
		ID: id, Game: onePieceGame, Name: html.UnescapeString(either(o.Name, o.CardName)), SetCode: code,
		Set: html.UnescapeString(either(o.SetName, either(pack.Parts.Title, pack.Title))), Number: number,
		Language: either(language, "en"), Rarity: o.Rarity,
	}
	c.ID = "onepiece:" + c.Language + ":" + id
	if match := onePieceVariant.FindStringSubmatch(id); match != nil {
		kind := map[string]string{"p": "parallel", "r": "reprint"}[match[1]]
		c.Variant = either(kind, match[1]) + " " + match[2]
	}
	texts := []string{
		either(o.Category, o.CardType), strings.Join(o.Types, " "), either(o.Effect, o.CardText), o.Trigger,
	}
	texts = slices.DeleteFunc(texts, func(s string) bool { return s == "" })
	c.Text = html.UnescapeString(strings.ReplaceAll(strings.Join(texts, "\n"), "<br>", "\n"))
	if day, known := dateOf(o.ScrapedOn); known {
		if c.Price = priceOf(float64(o.Market), "USD"); c.Price != nil {
			c.PriceAsOf = &day
		}
	}
	return c
}
