package catalog

import (
	"encoding/json"
	"errors"
	"io/fs"
	"path"
	"strings"
)

// Limits of a copy of pokemon-tcg-data, uncompressed. The original has 173 files with 26 MB, the largest 0.5 MB.
const (
	maxSetFile  = 16 << 20
	maxSetFiles = 5_000
	maxSetBytes = 1 << 30
)

// pokemonSet is an entry of sets/en.json.
type pokemonSet struct {
	ID           string `json:"id"`
	Name         string `json:"name"`
	PrintedTotal int    `json:"printedTotal"`
	Total        int    `json:"total"`
	Code         string `json:"ptcgoCode"`
	ReleaseDate  string `json:"releaseDate"`
}

// parsePokemon parses a copy of pokemon-tcg-data, a directory or a .zip file. Only one set is in memory at a time.
func parsePokemon(name string, progress func(done, total int), out *sink) error {
	files, err := openSetFiles(name)
	if err != nil {
		return err
	}
	defer files.close()
	sets, err := readSets(files)
	if err != nil {
		return pokemonFault(name, "sets/en.json", err)
	}
	paths, sizes, err := cardFiles(files)
	if err != nil {
		return pokemonFault(name, "cards/en", err)
	}
	done, total := 0, 0
	for _, size := range sizes {
		total += size
	}
	for i, p := range paths {
		if err := parseSet(files, p, sets, out); err != nil {
			return pokemonFault(name, p, err)
		}
		done += sizes[i]
		progress(done, total)
	}
	return nil
}

// pokemonFault returns the fault of a file of the copy.
func pokemonFault(name, file string, err error) error {
	return importJob{format: PokemonTCGData}.at(path.Join(name, file)).fileFault(err)
}

// openSetFiles returns the copy's files with sets/ and cards/ at the root. In a downloaded archive, they are in a
// folder.
func openSetFiles(name string) (folder, error) {
	files, err := openFolder(name, PokemonTCGData)
	if err != nil {
		return files, err
	}
	for _, pattern := range []string{"sets/en.json", "*/sets/en.json"} {
		if names, _ := fs.Glob(files, pattern); len(names) > 0 {
			files.FS, err = fs.Sub(files.FS, path.Dir(path.Dir(names[0])))
			return files, err
		}
	}
	files.close()
	return files, notOfFormat(name, PokemonTCGData, errors.New("it has no sets/en.json"))
}

func readSets(files folder) (map[string]pokemonSet, error) {
	sets := map[string]pokemonSet{}
	err := files.read("sets/en.json", maxSetFile, func(content *source) error {
		return eachElement(content, func(_ int, element json.RawMessage) error {
			var set pokemonSet
			if err := json.Unmarshal(element, &set); err != nil {
				return err
			}
			sets[set.ID] = set
			return nil
		})
	})
	return sets, err
}

// cardFiles returns the paths of cards/en/*.json and their uncompressed sizes.
func cardFiles(files folder) (paths []string, sizes []int, err error) {
	paths, err = fs.Glob(files, "cards/en/*.json")
	switch {
	case err != nil:
		return nil, nil, err
	case len(paths) == 0:
		return nil, nil, errors.New("there is no cards/en/<set>.json")
	case len(paths) > maxSetFiles:
		return nil, nil, errTooLarge
	}
	total := 0
	for _, p := range paths {
		info, err := fs.Stat(files, p)
		if err != nil {
			return nil, nil, err
		}
		sizes = append(sizes, int(info.Size()))
		if total += int(info.Size()); total > maxSetBytes {
			return nil, nil, errTooLarge
		}
	}
	return paths, sizes, nil
}

// parseSet parses the cards of a set, determines their printed totals, and passes them to out.
func parseSet(files folder, name string, sets map[string]pokemonSet, out *sink) error {
	set, known := sets[strings.TrimSuffix(path.Base(name), ".json")]
	if !known {
		return out.skip(name, 1, "the set is not in sets/en.json: all its cards are skipped")
	}
	var list []pokemonCard
	var lines []int
	err := files.read(name, maxSetFile, func(content *source) error {
		return eachElement(content, func(line int, element json.RawMessage) error {
			var card pokemonCard
			if err := json.Unmarshal(element, &card); err != nil {
				return out.skip(name, line, "not a card: "+err.Error())
			}
			list, lines = append(list, card), append(lines, line)
			return nil
		})
	})
	if err != nil {
		return err
	}
	totals := printedTotals(set, list)
	for i, card := range list {
		if err := out.card(name, lines[i], card.card(set, totals(card.Number))); err != nil {
			return err
		}
	}
	return nil
}
