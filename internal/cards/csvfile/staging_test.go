package csvfile

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
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
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got, allFields); diff != "" {
			t.Fatalf("row after staging (-want +got):\n%s", diff)
		}
	})
}

// Until the cards exist, only the staged rows refer to their photos.
func TestStagedPhotoIDs(t *testing.T) {
	t.Parallel()
	v := setup(t)
	dir := t.TempDir()
	picture(t, dir, "front.jpg", 100)
	s := &staging{db: v.db, accountID: v.account, importID: "imp_1"}
	content := "title,photo,quantity\nA,,1\nB,front.jpg,2\n"
	o := ImportOptions{Photos: dir}
	if _, _, err := v.stage(t.Context(), s, strings.NewReader(content), o, func(int, int) {}); err != nil {
		t.Fatal(err)
	}
	var staged []string
	err := v.StagedPhotoIDs(t.Context(), v.account, func(ids []string) { staged = append(staged, ids...) })
	if err != nil {
		t.Fatal(err)
	}
	stored := v.pictures(t)
	if len(staged) != 2 || len(stored) != 2 {
		t.Fatalf("%v are staged, %v are stored, want two each", staged, stored)
	}
	for _, id := range staged {
		if !slices.ContainsFunc(stored, func(path string) bool { return strings.Contains(path, id) }) {
			t.Errorf("%s is not stored", id)
		}
	}
}

// longFile returns a file of rows with long notes. It is never in memory as a whole.
func longFile(rows int) io.Reader {
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
	_, err := Read(longFile(50_000), Options{Currency: "USD"}, func(Row) error {
		if rows++; rows%5000 == 0 {
			var m runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&m)
			peak = max(peak, m.HeapAlloc)
		}
		return nil
	})
	if err != nil || rows != 50_000 {
		t.Fatalf("Read returns %d rows, %v, want 50000", rows, err)
	}
	if peak > 50<<20 {
		t.Errorf("Read uses %d MiB, want at most 50", peak>>20)
	}
}

// An unclosed quotation mark must not turn the rest of the file into one row.
func TestRead_EndsRowThatIsTooLong(t *testing.T) {
	t.Parallel()
	content := io.MultiReader(strings.NewReader("title,notes\nA,short\nB,\""), io.LimitReader(letters{}, MaxBytes))
	_, err := Read(content, Options{Currency: "USD"}, func(Row) error { return nil })
	want := "line 2: the next row is longer than 1024 KiB: close the quotation mark that is open in it"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	wide := strings.NewReader("title,other\nA," + strings.Repeat("x", MaxRowBytes/2))
	if _, err := Read(wide, Options{Currency: "USD"}, func(Row) error { return nil }); err != nil {
		t.Errorf("row of half the limit: %v, want no error", err)
	}
}

// letters is an endless text.
type letters struct{}

// Read implements io.Reader.
func (letters) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

func TestRead_ReturnsErrorOfCaller(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	rows := 0
	_, err := Read(strings.NewReader(numbered(3)), Options{Currency: "USD"}, func(Row) error { rows++; return broken })
	if !errors.Is(err, broken) || rows != 1 {
		t.Errorf("Read = %v after %d rows, want %v after 1", err, rows, broken)
	}
}
