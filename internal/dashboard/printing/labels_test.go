package printing

import (
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"rsc.io/qr"

	"github.com/cardvault/cardvault/internal/fault"
)

// The path draws each dark module of the code, and nothing in the quiet zone around it.
func TestQRCode(t *testing.T) {
	t.Parallel()
	const address = "https://cards.example.com/cards/card_01jd8x2k7v3m9q4r5s6t7v8w9x"
	code, err := newQRCode(address)
	if err != nil {
		t.Fatal(err)
	}
	want, err := qr.Encode(address, qr.M)
	if err != nil {
		t.Fatal(err)
	}
	drawn := make([][]bool, code.Size)
	for y := range drawn {
		drawn[y] = make([]bool, code.Size)
	}
	line := regexp.MustCompile(`M(\d+) (\d+)\.5h(\d+)`)
	if rest := line.ReplaceAllString(code.Path, ""); rest != "" {
		t.Fatalf("the path has %q besides lines", rest)
	}
	for _, found := range line.FindAllStringSubmatch(code.Path, -1) {
		x, _ := strconv.Atoi(found[1])
		y, _ := strconv.Atoi(found[2])
		length, _ := strconv.Atoi(found[3])
		for i := range length {
			drawn[y][x+i] = true
		}
	}
	for y := range code.Size {
		for x := range code.Size {
			if dark := want.Black(x-quietZone, y-quietZone); drawn[y][x] != dark {
				t.Fatalf("module %d, %d: dark %t, want %t", x, y, drawn[y][x], dark)
			}
		}
	}
	if _, err := newQRCode(strings.Repeat("x", 3000)); err == nil {
		t.Error("an address that no code can have: no error")
	}
}

func TestLabelsPage_Choose(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]string{ // the sheet and the labels that were used, or the message
		"":                       "a4 0",
		"sheet=a4&start=24":      "a4 23",
		"sheet=letter&start=+30": "letter 29",
		"sheet=roll&start=7":     "roll 0",
		"sheet=a5":               "sheet: choose one of the sheets",
		"start=0":                "start: must be from 1 to 24, the number of labels of the sheet",
		"sheet=a4&start=25":      "start: must be from 1 to 24, the number of labels of the sheet",
		"sheet=letter&start=x":   "start: must be from 1 to 30, the number of labels of the sheet",
	} {
		values, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		p := labelsPage{Sheet: labelSheets[0]}
		p.query = values
		used, err := p.choose()
		got := fmt.Sprint(p.Sheet.Name, " ", used)
		if f, failed := fault.As(err); failed {
			got = f.Message
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", query, got, want)
		}
	}
}

// The labels of the next page begin where those of this page end.
func TestLabelsPage_Next(t *testing.T) {
	t.Parallel()
	for used, want := range map[int]string{24: "1", 20: "21", 1: "2"} {
		p := labelsPage{Sheet: labelSheets[0], Pages: [][]label{make([]label, 24), make([]label, used)}}
		p.query, p.next = url.Values{"batch": {"bat_1"}, "cursor": {"old"}, "start": {"9"}}, "new"
		if diff := cmp.Diff("?batch=bat_1&cursor=new&start="+want, p.Next()); diff != "" {
			t.Errorf("after %d labels (-want +got):\n%s", used, diff)
		}
	}
	if got := (labelsPage{}).Next(); got != "" {
		t.Errorf("without more cards: got %q, want none", got)
	}
}
