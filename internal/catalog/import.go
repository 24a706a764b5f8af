package catalog

import (
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/text/language"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/postgres"
)

// Format is a kind of catalogue file that Import reads.
type Format string

// The formats.
const (
	// PokemonTCGData is a copy of the public pokemon-tcg-data set, as a directory or a .zip file.
	PokemonTCGData Format = "pokemon-tcg-data"
	// Scryfall is Scryfall's bulk data: a JSON array of cards, plain or .gz.
	Scryfall Format = "scryfall"
	// TCGdex is cards in TCGdex's JSON, in one or many languages: a file with one card per line, an array of cards or a
	// set with its cards, plain or .gz, or a folder or .zip of such files.
	TCGdex Format = "tcgdex"
	// YGOPRODeck is the answer of YGOPRODeck's API for all cards, {"data": […]}, plain or .gz.
	YGOPRODeck Format = "ygoprodeck"
	// LorcanaJSON is allCards.json, or the file of a set, of LorcanaJSON, plain or .gz.
	LorcanaJSON Format = "lorcanajson"
	// OnePiece is the cards of the One Piece card game: a file of optcgapi.com, or a file, folder or .zip of
	// punk-records.
	OnePiece Format = "onepiece"
	// CSV is a table with a header line, plain or .gz. csvColumns lists the columns.
	CSV Format = "csv"
	// Fingerprints is a JSON object, plain or .gz, with the perceptual hashes of existing cards by identifier.
	Fingerprints Format = "fingerprints"
)

// Formats returns all formats in the order of the constants.
func Formats() []Format {
	return []Format{PokemonTCGData, Scryfall, TCGdex, YGOPRODeck, LorcanaJSON, OnePiece, CSV, Fingerprints}
}

// Option changes what Import does.
type Option func(*importJob)

// InLanguage makes Import read only the cards in a language, a BCP 47 tag. Cards whose file names no language count as
// cards in this language. YGOPRODeck lists English printings: InLanguage imports the corresponding printings in the
// language.
func InLanguage(tag string) Option { return func(j *importJob) { j.language = tag } }

// Report counts the rows of an import: Read = Inserted + Updated + Unchanged + Skipped.
type Report struct {
	Read      int `json:"read"`
	Inserted  int `json:"inserted"`
	Updated   int `json:"updated"`
	Unchanged int `json:"unchanged"`
	// Skipped is the number of invalid rows. Problems describes the first thousand.
	Skipped int `json:"skipped"`
	// Unmatched is the number of Skipped fingerprints whose card is not in the catalogue.
	Unmatched int          `json:"unmatched"`
	Problems  []RowProblem `json:"problems"`
}

// RowProblem describes why a row was skipped.
type RowProblem struct {
	Line    int    `json:"line"`    // where the row begins, from 1
	Message string `json:"message"` // begins with the name of the file if the catalogue has several
}

// importTimeout is the timeout of a statement of an import. One statement writes a whole catalogue.
const importTimeout = time.Hour

// maxProblems is the maximum number of problems in a report.
const maxProblems = 1000

// Import reads the catalogue file or directory at path, and inserts or updates its cards in one transaction. It skips
// and reports invalid rows. A file without prices does not change known prices. Importing the same file again changes
// nothing.
//
// progress may be nil. It is called with the number of bytes read.
func (s *Service) Import(
	ctx context.Context, format Format, path string, progress func(done, total int), options ...Option,
) (Report, error) {
	if progress == nil {
		progress = func(int, int) {}
	}
	ctx = postgres.WithStatementTimeout(ctx, importTimeout)
	job := importJob{format: format, path: path, progress: progress}
	for _, option := range options {
		option(&job)
	}
	if err := job.checkLanguage(); err != nil {
		return Report{}, fmt.Errorf("import catalogue: %w", err)
	}
	var report Report
	err := s.db.InTx(ctx, func(tx *postgres.Tx) (err error) {
		switch format {
		case Fingerprints:
			report, err = job.importFingerprints(ctx, tx)
		case PokemonTCGData, Scryfall, TCGdex, YGOPRODeck, LorcanaJSON, OnePiece, CSV:
			report, err = job.importCards(ctx, tx)
		default:
			err = fault.New(fault.InvalidRequest, "unknown catalogue format %q: choose one of %v", format, Formats())
		}
		return err
	})
	if err != nil {
		return Report{}, fmt.Errorf("import catalogue: %w", err)
	}
	return report, nil
}

// importJob holds the arguments of Import.
type importJob struct {
	format   Format
	path     string
	language string // of InLanguage, or ""
	progress func(done, total int)
}

// at returns the job for another path.
func (j importJob) at(path string) importJob {
	j.path = path
	return j
}

// checkLanguage returns an error if the language is not a BCP 47 tag.
func (j importJob) checkLanguage() error {
	if j.language == "" {
		return nil
	}
	if _, err := language.Parse(j.language); err != nil {
		return fault.New(fault.InvalidRequest,
			"%q is not a language: name it by a tag such as de, ja or pt-BR", j.language)
	}
	return nil
}

// parse parses the job's files and passes the cards to out.
func (j importJob) parse(out *sink) error {
	switch j.format {
	case PokemonTCGData:
		return parsePokemon(j.path, j.progress, out)
	case Scryfall:
		return j.parseFile(out, parseScryfall)
	case TCGdex:
		return j.parseTCGdex(out)
	case YGOPRODeck:
		return j.parseFile(out, parseYGOPRODeck)
	case LorcanaJSON:
		return j.parseFile(out, parseLorcana)
	case OnePiece:
		return j.parseOnePiece(out)
	default:
		return j.parseFile(out, parseCSV)
	}
}

// parseFile opens the job's file and calls parse.
func (j importJob) parseFile(out *sink, parse func(*file, *sink) error) error {
	f, err := openFile(j.path)
	if err != nil {
		return err
	}
	defer f.Close()
	out.tick = func() { j.progress(f.done(), f.size) }
	defer out.tick()
	return j.fileFault(parse(f, out))
}

// fileFault returns a fault that names the file for an error of its content. It returns faults, errStopped and errors
// of the context unchanged.
func (j importJob) fileFault(err error) error {
	_, isFault := fault.As(err)
	switch {
	case err == nil, isFault, errors.Is(err, errStopped),
		errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.Is(err, errTooLarge), errors.Is(err, errElementTooLong):
		return fault.New(fault.InvalidRequest, "%s %v: it is not a catalogue", j.path, err)
	}
	return notOfFormat(j.path, j.format, err)
}
