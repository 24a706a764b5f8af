package catalog

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/cardvault/cardvault/internal/fault"
)

// tcgdexLanguages are the languages of TCGdex, which are names of folders in its layout.
var tcgdexLanguages = []string{
	"de", "en", "es", "es-mx", "fr", "id", "it", "ja", "ko", "nl", "pl", "pt", "pt-br", "pt-pt", "ru", "th",
	"zh-cn", "zh-tw",
}

// maxSetCards is the maximum number of cards of a set that are in memory. The largest sets have 800.
const maxSetCards = 5000

// tcgdexParser parses files of TCGdex. It keeps the cards of a set until the next set begins, because the printed total
// of a gallery is the number of its cards.
type tcgdexParser struct {
	out      *sink
	released map[string]string // dates by language, a slash and the identifier of the set
	pending  []tcgdexRow
}

// tcgdexRow is a card with the place where it begins and the language of its file, if that is known.
type tcgdexRow struct {
	file     string
	line     int
	language string
	card     tcgdexCard
}

// parseTCGdex parses a file or a folder of TCGdex.
func (j importJob) parseTCGdex(out *sink) error {
	p := &tcgdexParser{out: out, released: map[string]string{}}
	if isFolder(j.path) {
		return j.parseTCGdexFolder(p)
	}
	return j.parseFile(out, func(f *file, out *sink) error {
		if err := p.parse("", pathLanguage(f.path), &f.source); err != nil {
			return err
		}
		return p.flush()
	})
}

// parseTCGdexFolder parses the files of cards in a folder. Files of sets contain the dates of release.
func (j importJob) parseTCGdexFolder(p *tcgdexParser) error {
	files, err := openFolder(j.path, TCGdex)
	if err != nil {
		return err
	}
	defer files.close()
	all, err := files.jsonFiles()
	if err != nil {
		return j.fileFault(err)
	}
	err = files.readNamed(j, "sets.json", all, func(file string, content *source) error {
		return p.readSets(pathLanguage(path.Join(j.path, file)), content)
	})
	if err != nil {
		return err
	}
	cards, err := tcgdexCardFiles(j.path, all)
	if err != nil {
		return err
	}
	err = files.readCards(j, cards, func(file string, content *source) error {
		return p.parse(file, pathLanguage(path.Join(j.path, file)), content)
	})
	if err != nil {
		return err
	}
	return p.flush()
}

// tcgdexCardFiles returns the files with cards: cards.json and the files in folders named cards. If there are none, it
// returns all files except the lists that TCGdex puts beside them.
func tcgdexCardFiles(root string, all []folderFile) ([]folderFile, error) {
	files := slices.DeleteFunc(slices.Clone(all), func(f folderFile) bool {
		return path.Base(f.path) != "cards.json" && !slices.Contains(strings.Split(path.Dir(f.path), "/"), "cards")
	})
	if len(files) > 0 {
		return files, nil
	}
	lists := []string{"sets.json", "series.json", "pokedex.json", "stats.json", "package.json", "tsconfig.json"}
	cards := slices.DeleteFunc(slices.Clone(all), func(f folderFile) bool {
		return slices.Contains(lists, path.Base(f.path))
	})
	if len(cards) == 0 || slices.ContainsFunc(all, func(f folderFile) bool { return f.path == "tsconfig.json" }) {
		return nil, fault.New(fault.InvalidRequest, "%s has no JSON files of cards. If it is a copy of TCGdex's "+
			"cards-database, build it first and import its folder server/generated", root)
	}
	return cards, nil
}

// pathLanguage returns the language of TCGdex that names a folder of a path or begins the name of the file, or "".
func pathLanguage(name string) string {
	parts := strings.Split(strings.ToLower(strings.ReplaceAll(name, `\`, "/")), "/")
	parts[len(parts)-1], _, _ = strings.Cut(parts[len(parts)-1], ".")
	for _, part := range slices.Backward(parts) {
		if slices.Contains(tcgdexLanguages, part) {
			return part
		}
	}
	return ""
}

// readSets remembers the dates of release in a list of sets.
func (p *tcgdexParser) readSets(language string, content *source) error {
	return eachElement(content, func(_ int, element json.RawMessage) error {
		var set tcgdexSet
		if err := json.Unmarshal(element, &set); err == nil && set.Released != "" {
			p.released[language+"/"+set.ID] = set.Released
		}
		return nil
	})
}

// parse parses a file of cards, or of sets with their cards.
func (p *tcgdexParser) parse(file, language string, content *source) error {
	skip := func(line int, message string) error { return p.out.skip(file, line, message) }
	return eachValue(content, func(line int, value json.RawMessage) error {
		var card tcgdexCard
		if err := json.Unmarshal(value, &card); err != nil {
			return skip(line, "not a card: "+err.Error())
		}
		if len(card.Cards) == 0 {
			return p.add(tcgdexRow{file, line, language, card})
		}
		for _, part := range card.Cards {
			part.Set, part.Language = card.asSet(), either(part.Language, card.Language)
			if err := p.add(tcgdexRow{file, line, language, part}); err != nil {
				return err
			}
		}
		return nil
	}, skip)
}

// add adds a card to the cards of its set.
func (p *tcgdexParser) add(row tcgdexRow) error {
	if len(p.pending) > 0 && (p.pending[0].card.setID() != row.card.setID() || len(p.pending) >= maxSetCards) {
		if err := p.flush(); err != nil {
			return err
		}
	}
	p.pending = append(p.pending, row)
	return nil
}

// flush passes the cards of the set on, each in all its languages.
func (p *tcgdexParser) flush() error {
	numbers := make([]string, len(p.pending))
	for i, row := range p.pending {
		numbers[i] = string(row.card.LocalID)
	}
	galleries := galleryTotals(numbers)
	for _, row := range p.pending {
		languages := row.card.languages(either(row.language, p.out.language))
		if len(languages) == 0 {
			err := p.out.skip(row.file, row.line, "the language of the card is not known: name it by --language")
			if err != nil {
				return err
			}
		}
		for _, language := range languages {
			c := row.card.card(language, galleries)
			if c.Year == 0 {
				c.Year = yearOf(p.released[language+"/"+row.card.setID()])
			}
			if err := p.out.card(row.file, row.line, c); err != nil {
				return err
			}
		}
	}
	p.pending = p.pending[:0]
	return nil
}
