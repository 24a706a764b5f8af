package catalog

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/cardvault/cardvault/internal/postgres/pgtest"
	"github.com/cardvault/cardvault/internal/sharedtest"
)

// The test imports the original pokemon-tcg-data set with fingerprints of its cards.
func TestService_RealCatalogue(t *testing.T) {
	t.Parallel()
	archive := sharedtest.Path(t, "data/catalog/pokemon-tcg-data.zip")
	s := New(pgtest.New(t))
	done, total := 0, 0
	r, err := s.Import(context.Background(), PokemonTCGData, archive, func(d, n int) { done, total = d, n })
	if err != nil || r.Inserted != 20_106 || r.Read != 20_106 || len(r.Problems) > 0 {
		t.Fatalf("Import: got %+v, %v, want 20106 new cards", r, err)
	}
	if done != total || total == 0 {
		t.Errorf("last progress: got %d of %d, want the total", done, total)
	}
	mustImport(t, s, PokemonTCGData, archive, "20106/0/0/20106/0")
	fingerprints := sharedtest.Path(t, "data/catalog/pokemon-fingerprints.json.gz")
	mustImport(t, s, Fingerprints, fingerprints, "19294/17532/0/0/1762")
	t.Run("numbers", func(t *testing.T) { realNumbers(t, s) })
	t.Run("names", func(t *testing.T) { realNames(t, s) })
	t.Run("printings", func(t *testing.T) { realPrintings(t, s) })
	t.Run("texts", func(t *testing.T) { realTexts(t, s) })
	t.Run("fingerprints", func(t *testing.T) { realFingerprints(t, s) })
}

func realNumbers(t *testing.T, s *Service) {
	for id, want := range map[string]string{
		"base1-4": "4/102", "sv3pt5-199": "199/165", "swshp-SWSH179": "SWSH179", "swsh12pt5gg-GG10": "GG10/GG70",
		"swsh9tg-TG12": "TG12/TG30", "svp-159": "159", "me2pt5-5": "5/217", "me2pt5-230": "230/217",
		"sm1-164": "164/149", "rsv10pt5-131": "131/86", "zsv10pt5-60": "60/86", "g1-RC5": "RC5/RC32",
		"cel25c-4_A": "4", "ecard2-H5": "H5/H32", "swsh45sv-SV001": "SV001/SV122", "col1-SL1": "SL1",
	} {
		if got := mustGet(t, s, id).CollectorNumber(); got != want {
			t.Errorf("CollectorNumber of %s: got %q, want %q", id, got, want)
		}
	}
	list, err := s.ByNumber(context.Background(), Hints{}, "004/102", 0, 50)
	if err != nil || !slices.ContainsFunc(list, func(c Card) bool { return c.ID == "base1-4" }) {
		t.Errorf("ByNumber: got %v, %v, want base1-4 among them", ids(list), err)
	}
}

func realNames(t *testing.T, s *Service) {
	for misspelled, want := range map[string]string{
		"Charlzard": "Charizard", "Flabebe": "Flabébé", "Profesor Oak": "Professor Oak", "Pikacho V": "Pikachu V",
	} {
		found, err := s.ByName(context.Background(), Hints{}, misspelled, 30)
		if err != nil || !slices.ContainsFunc(found, func(m Match) bool { return m.Card.Name == want }) {
			t.Errorf("ByName(%q): got %d cards, %v, want %q among them", misspelled, len(found), err, want)
		}
	}
	query := Query{Title: "charizard", Set: "Base", Number: "4/102", Game: "pokemon"}
	list, err := s.Find(context.Background(), query, 5)
	if err != nil || ids(list) != "base1-4 " {
		t.Errorf("Find: got %q, %v, want base1-4", ids(list), err)
	}
}

// realPrintings compares the printings of a name with the cards that ByName returns first.
func realPrintings(t *testing.T, s *Service) {
	const limit = 80
	for _, name := range []string{"Charizard", "Pikachu", "Professor's Research", "Basic Fire Energy", "Nidoran ♀"} {
		for _, h := range []Hints{{}, {Game: "pokemon", Set: "Base"}, {Game: "magic"}} {
			similar, err := s.ByName(t.Context(), h, name, limit)
			if err != nil {
				t.Fatal(err)
			}
			want := ""
			for _, m := range similar {
				if m.Card.Name == name {
					want += m.Card.ID + " "
				}
			}
			if got, err := s.Printings(t.Context(), h, name, limit); err != nil || ids(got) != want {
				t.Errorf("Printings(%+v, %q): got %q, %v, want %q", h, name, ids(got), err, want)
			}
		}
	}
}

// realTexts searches for texts like those that OCR reads from photos: a third of the words are missing, others have a
// wrong letter, and there is noise.
func realTexts(t *testing.T, s *Service) {
	for _, id := range []string{"swsh4-25", "sm6-1", "base1-58", "xy12-11", "sv1-81", "ex10-5"} {
		card := mustGet(t, s, id)
		words := []string{"wvi", "kjrt", "oooo", "iiii", "tbe", "qxxz"}
		for i, word := range strings.Fields(card.Text) {
			switch {
			case i%3 == 0:
			case i%7 == 0 && len(word) > 4:
				words = append(words, word[:2]+"q"+word[3:])
			default:
				words = append(words, word)
			}
		}
		found, err := s.ByText(context.Background(), Hints{}, words, 5)
		if err != nil || !slices.ContainsFunc(found, func(m Match) bool { return m.Card.Text == card.Text }) {
			t.Errorf("ByText: got %v, %v, want %s (%s) among them", found, err, id, card.Name)
		}
	}
}

func realFingerprints(t *testing.T, s *Service) {
	// The fingerprint of swsh4-25 (Charizard) with 20 inverted bits.
	var text string
	err := s.db.Get(context.Background(), &text,
		`SELECT hash::text FROM catalog_fingerprints WHERE card_id = 'swsh4-25'`)
	if err != nil {
		t.Fatal(err)
	}
	var hash [64]byte
	for i, bit := range text {
		if inverted := i < 20; (bit == '1') != inverted {
			hash[i/8] |= 0x80 >> (i % 8)
		}
	}
	found, err := s.ByFingerprint(context.Background(), Hints{}, hash, 3)
	if err != nil || len(found) != 3 || found[0].Card.ID != "swsh4-25" || found[0].Distance != 20 {
		t.Fatalf("ByFingerprint(%x): got %+v, %v, want swsh4-25 first at a distance of 20", hash, found, err)
	}
}
