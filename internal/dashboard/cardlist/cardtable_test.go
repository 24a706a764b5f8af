package cardlist

import (
	"html/template"
	"strings"
	"testing"
)

// The parts of pages that are written without a template escape what users typed.
func TestCardsPage_Escapes(t *testing.T) {
	t.Parallel()
	const text = `"><img src=x onerror=alert(1)>`
	p := cardsPage{
		Query: map[string][]string{"set": {text}, "status": {text}}, Refused: map[string]string{"set": text},
		Rows: []tableRow{{
			ID: text, Title: text, Below: text, Address: text, Photo: text,
			Cells: []cardCell{
				{Text: text}, {Text: text, Status: text}, {Text: text, Amount: true}, {Text: text, Time: text},
				{Text: text, Address: text},
			},
		}},
	}
	for _, part := range []template.HTML{p.TableRows(), p.FilterFields()} {
		if strings.Contains(string(part), "<img src=x") || !strings.Contains(string(part), "&#34;&gt;&lt;img src=x") {
			t.Errorf("got %s, want the text escaped", part)
		}
	}
}
