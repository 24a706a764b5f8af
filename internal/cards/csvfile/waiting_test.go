package csvfile

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/fault"
)

// stageText stages a file.
func (v vault) stageText(t testing.TB, content string, o ImportOptions) (Waiting, Preview) {
	t.Helper()
	waiting, preview, err := v.Stage(t.Context(), v.account, strings.NewReader(content), o)
	if err != nil {
		t.Fatal(err)
	}
	return waiting, preview
}

func TestService_StageAndAccept(t *testing.T) {
	t.Parallel()
	v := setup(t)
	content := "Product Name,Condition,Total Quantity,Colour\nEmber Fox,Near Mint,2,red\nJade Owl,LP,1,green\n"
	waiting, preview := v.stageText(t, content, ImportOptions{Batch: "Fair"})
	want := Report{Cards: 3, Refused: []Refusal{}, Ignored: []string{"Colour"}}
	if diff := cmp.Diff(want, waiting.Report); diff != "" || waiting.Total != 3 {
		t.Errorf("total %d, report (-want +got):\n%s", waiting.Total, diff)
	}
	wantPreview := Preview{
		Columns: []PreviewColumn{
			{"Product Name", "title"}, {"Condition", "condition"}, {"Total Quantity", "quantity"}, {"Colour", ""},
		},
		Rows: [][]string{{"Ember Fox", "Near Mint", "2", "red"}, {"Jade Owl", "LP", "1", "green"}},
	}
	if diff := cmp.Diff(wantPreview, preview); diff != "" {
		t.Errorf("preview (-want +got):\n%s", diff)
	}
	if n := len(v.all(t)); n != 0 {
		t.Fatalf("%d cards before the import is accepted, want none", n)
	}
	if err := v.Accept(t.Context(), v.account, waiting); err != nil {
		t.Fatal(err)
	}
	if n := len(v.all(t)); n != 3 {
		t.Errorf("%d cards, want 3", n)
	}
	progress, err := v.Progress(t.Context(), v.account, waiting.ImportID)
	if err != nil || progress.Left != 0 || len(progress.Refused) != 0 {
		t.Errorf("Progress = %+v, %v, want nothing left", progress, err)
	}
	if err := v.Accept(t.Context(), v.account, waiting); !fault.Is(err, fault.InvalidRequest) {
		t.Errorf("second Accept: %v, want invalid_request", err)
	}
	if n := len(v.all(t)); n != 3 {
		t.Errorf("%d cards after the second Accept, want 3", n)
	}
}

// A file with problems leaves nothing behind and still shows its columns.
func TestService_StageRefuses(t *testing.T) {
	t.Parallel()
	v := setup(t)
	before := v.state(t)
	content := "title,condition\nEmber Fox,NM\nJade Owl,shiny\n" + strings.Repeat("Fox,NM\n", 600) + "Cat,worn\n"
	_, preview, err := v.Stage(t.Context(), v.account, strings.NewReader(content), ImportOptions{})
	var problems *Problems
	if !errors.As(err, &problems) || problems.Total != 2 || problems.List[1].Line != 604 {
		t.Fatalf("Stage: %v, want problems in lines 3 and 604", err)
	}
	if len(preview.Rows) != previewRows || preview.Rows[1][1] != "shiny" {
		t.Errorf("preview: got %+v, want the first rows", preview)
	}
	if diff := cmp.Diff(before, v.state(t)); diff != "" {
		t.Errorf("state after a refused file (-want +got):\n%s", diff)
	}
	named := ImportOptions{Batch: strings.Repeat("x", 121)}
	_, _, err = v.Stage(t.Context(), v.account, strings.NewReader(content), named)
	if !fault.Is(err, fault.InvalidRequest) {
		t.Errorf("Stage with a batch name of 121 characters: %v, want invalid_request", err)
	}
}

func TestService_Discard(t *testing.T) {
	t.Parallel()
	v := setup(t)
	rows := v.count(t, "card_import_chunks")
	waiting, _ := v.stageText(t, numbered(250), ImportOptions{})
	other, err := accounts.New(v.db, clock.System).Create(t.Context(), "Other", false)
	if err != nil {
		t.Fatal(err)
	}
	if err := v.Discard(t.Context(), other.ID, waiting); err != nil {
		t.Fatal(err)
	}
	if err := v.Accept(t.Context(), other.ID, waiting); !fault.Is(err, fault.InvalidRequest) {
		t.Errorf("Accept by another account: %v, want invalid_request", err)
	}
	if got := v.count(t, "card_import_chunks"); got != rows+waiting.Chunks {
		t.Errorf("%d chunks, want %d: another account discarded the file", got, rows+waiting.Chunks)
	}
	if err := v.Discard(t.Context(), v.account, waiting); err != nil {
		t.Fatal(err)
	}
	if got := v.count(t, "card_import_chunks"); got != rows {
		t.Errorf("%d chunks after Discard, want %d", got, rows)
	}
	if err := v.Accept(t.Context(), v.account, waiting); !fault.Is(err, fault.InvalidRequest) {
		t.Errorf("Accept after Discard: %v, want invalid_request", err)
	}
}

func TestPreview_IsBounded(t *testing.T) {
	t.Parallel()
	v := setup(t)
	names, cells := "title", strings.Repeat("x", 190)
	for i := range 200 {
		names, cells = fmt.Sprintf("%s,Column %d", names, i), cells+",y"
	}
	content := names + "\n" + strings.Repeat(cells+"\n", 20)
	waiting, preview := v.stageText(t, content, ImportOptions{})
	if len(preview.Columns) != previewColumns || len(preview.Rows) != previewRows {
		t.Errorf("preview: %d columns, %d rows, want %d, %d",
			len(preview.Columns), len(preview.Rows), previewColumns, previewRows)
	}
	if got := preview.Rows[0][0]; got != strings.Repeat("x", previewText)+"…" {
		t.Errorf("cell: got %q, want %d characters", got, previewText)
	}
	if got := len(waiting.Report.Ignored); got != previewColumns {
		t.Errorf("%d ignored columns, want the first %d", got, previewColumns)
	}
}
