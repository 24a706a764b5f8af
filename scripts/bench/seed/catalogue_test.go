package main

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"math/rand/v2"
	"testing"
)

func TestWriteCatalogue(t *testing.T) {
	t.Parallel()
	write := func() []byte {
		var text bytes.Buffer
		out := bufio.NewWriter(&text)
		writeCatalogue(out, rand.New(rand.NewPCG(13, 14)))
		if err := out.Flush(); err != nil {
			t.Fatal(err)
		}
		return text.Bytes()
	}
	text := write()
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil || len(rows) != 1+catalogueCards {
		t.Fatalf("%d rows, %v, want %d", len(rows), err, 1+catalogueCards)
	}
	ids, names := map[string]bool{}, map[string]bool{}
	for _, row := range rows[1:] {
		ids[row[0]], names[row[2]] = true, true
	}
	if len(ids) != catalogueCards || len(names) < catalogueCards/4 {
		t.Errorf("%d identifiers and %d names, want %d and a quarter of it", len(ids), len(names), catalogueCards)
	}
	if !bytes.Equal(text, write()) {
		t.Error("a second run writes another catalogue")
	}
}
