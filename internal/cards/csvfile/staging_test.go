package csvfile

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestRow_SurvivesStaging(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		want := drawRow(t)
		want.Photos = []Photo{{Role: "front", Name: "a.jpg"}}
		text, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		got := Row{Quantity: want.Quantity}
		if err := json.Unmarshal(text, &got); err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%s\n got %+v, %v\nwant %+v", text, got, err, want)
		}
	})
}

// Until the cards are made, the staged rows are what refers to their pictures.
func TestStaging_NamesItsPictures(t *testing.T) {
	t.Parallel()
	v := setup(t)
	dir := t.TempDir()
	picture(t, dir, "front.jpg", 100)
	s := &staging{db: v.db, accountID: v.account, importID: "imp_1"}
	content := "title,photo,quantity\nA,,1\nB,front.jpg,2\n"
	o := ImportOptions{Photos: dir}
	if _, err := v.stage(t.Context(), s, strings.NewReader(content), o, func(int, int) {}); err != nil {
		t.Fatal(err)
	}
	var named []string
	err := v.StagedPhotoIDs(t.Context(), v.account, func(ids []string) { named = append(named, ids...) })
	if err != nil {
		t.Fatal(err)
	}
	stored := v.pictures(t)
	if len(named) != 2 || len(stored) != 2 {
		t.Fatalf("%v are named, %v are stored", named, stored)
	}
	for _, id := range named {
		if !slices.ContainsFunc(stored, func(path string) bool { return strings.Contains(path, id) }) {
			t.Errorf("%s is not stored", id)
		}
	}
}

// long is a file of rows with long notes, which is never in memory as a whole.
func long(rows int) io.Reader {
	r, w := io.Pipe()
	go func() {
		fmt.Fprintln(w, "title,notes")
		notes := strings.Repeat("n", 4000)
		for i := range rows {
			if _, err := fmt.Fprintf(w, "Card %d,%s\n", i, notes); err != nil {
				return
			}
		}
		w.Close()
	}()
	return r
}

// A file of 200 MB needs no more memory than one of 2 MB.
func TestRead_NeedsBoundedMemory(t *testing.T) {
	var peak uint64
	rows := 0
	_, err := Read(long(50_000), Options{}, func(Row) error {
		if rows++; rows%5000 == 0 {
			var m runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&m)
			peak = max(peak, m.HeapAlloc)
		}
		return nil
	})
	if err != nil || rows != 50_000 {
		t.Fatalf("read %d rows, %v", rows, err)
	}
	if peak > 50<<20 {
		t.Errorf("reading holds %d MiB", peak>>20)
	}
}

// A quotation mark that is left open must not make one row of the rest of the file.
func TestRead_EndsRowThatIsTooLong(t *testing.T) {
	t.Parallel()
	content := io.MultiReader(strings.NewReader("title,notes\nA,short\nB,\""), io.LimitReader(letters{}, MaxBytes))
	_, err := Read(content, Options{}, func(Row) error { return nil })
	want := "line 2: the row after this one is longer than 1024 KiB: close the quotation mark that is left open in it"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	wide := strings.NewReader("title,other\nA," + strings.Repeat("x", MaxRowBytes/2))
	if _, err := Read(wide, Options{}, func(Row) error { return nil }); err != nil {
		t.Errorf("a long row: %v", err)
	}
}

// letters is text without end.
type letters struct{}

// Read implements io.Reader.
func (letters) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

func TestRead_EndsWithErrorOfItsCaller(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	rows := 0
	_, err := Read(strings.NewReader(numbered(3)), Options{}, func(Row) error { rows++; return broken })
	if !errors.Is(err, broken) || rows != 1 {
		t.Errorf("got %v after %d rows", err, rows)
	}
}
