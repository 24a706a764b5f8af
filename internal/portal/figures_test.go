package portal_test

import (
	"fmt"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"github.com/cardvault/cardvault/internal/api/idempotency"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/cards/csvfile"
	"github.com/cardvault/cardvault/internal/config"
	"github.com/cardvault/cardvault/internal/exports"
	"github.com/cardvault/cardvault/internal/jobs"
	"github.com/cardvault/cardvault/internal/photos"
	"github.com/cardvault/cardvault/internal/quota"
	"github.com/cardvault/cardvault/internal/upload"
	"github.com/cardvault/cardvault/internal/webhooks/delivery"
	"github.com/cardvault/cardvault/openapi"
)

// The guides and the contract state figures that the code or the contract defines. A figure that changes there must
// change in each sentence.
func TestDocuments_StateFigures(t *testing.T) {
	t.Parallel()
	schemas := contractSchemas(t)
	for _, c := range []struct{ file, sentence string }{
		{"guides/webhooks.md", "retried after " + schedule(delivery.DefaultRetryDelays) + ", and then dropped"},
		{"v1.yaml", "the service retries the delivery after " + schedule(delivery.DefaultRetryDelays) + "."},

		{"guides/bulk-and-jobs.md", "up to " + maxItems(schemas, "CardUpdates", "updates") + " cards or listings"},
		{"guides/bulk-and-jobs.md", "up to " + maxItems(schemas, "JobInput", "card_ids") + " `card_ids`"},
		{"guides/bulk-and-jobs.md", "up to " + number(jobs.MaxCards) + " cards that match a `filter`"},
		{"guides/cards-and-csv.md", "up to " + maxItems(schemas, "CardsInput", "cards") + " cards"},
		{"guides/tour.md", "up to " + number(csvfile.MaxCards) + " cards"},
		{"guides/photos-and-identification.md",
			"up to " + maxItems(schemas, "ScanInput", "photos") + " photos in one form"},
		{"guides/photos-and-identification.md",
			fmt.Sprintf("up to %d photos may show up to %d cards", photos.MaxManyPhotos, photos.MaxCutCards)},
		{"guides/photos-and-identification.md", fmt.Sprintf("at most %d MiB", photos.MaxBytes>>20)},

		{"guides/idempotency.md", fmt.Sprintf("for %.0f hours", idempotency.Keep.Hours())},
		{"guides/bulk-and-jobs.md", "for " + days(jobs.Retention)},
		{"guides/history-and-deletions.md", "of the last " + days(cards.DeletionRetention)},
		{"guides/history-and-deletions.md", "Deletions are stored for " + days(cards.DeletionRetention)},
		{"guides/dashboard.md", "can be downloaded for seven days, and the newest three are kept"},
		{"guides/rate-limits.md", fmt.Sprintf("up to %.0f seconds and then returns", upload.Wait.Seconds())},
	} {
		t.Run(c.file+" "+c.sentence, func(t *testing.T) {
			t.Parallel()
			if !strings.Contains(words(t, c.file), c.sentence) {
				t.Errorf("%s does not say %q", c.file, c.sentence)
			}
		})
	}
	if kept := quota.Defaults.Of(quota.Exports); exports.Retention != 7*24*time.Hour || kept != 3 {
		t.Errorf("guides/dashboard.md: %d archives are kept, for %v", kept, exports.Retention)
	}
}

// The default of the setting is the schedule that the documents state.
func TestConfig_HasRetrySchedule(t *testing.T) {
	t.Parallel()
	field, ok := reflect.TypeFor[config.Config]().FieldByName("WebhookRetryDelays")
	if !ok {
		t.Fatal("there is no such setting")
	}
	var delays []time.Duration
	for text := range strings.SplitSeq(field.Tag.Get("default"), ",") {
		delay, err := time.ParseDuration(text)
		if err != nil {
			t.Fatal(err)
		}
		delays = append(delays, delay)
	}
	if diff := cmp.Diff(delivery.DefaultRetryDelays, delays); diff != "" {
		t.Errorf("delays (-engine +setting):\n%s", diff)
	}
}

// The table of quotas in the guide to operations has the defaults.
func TestOperations_ListQuotas(t *testing.T) {
	t.Parallel()
	row := regexp.MustCompile("(?m)^\\| `([a-z_]+)` \\| ([^| ]+) \\|")
	var rows []string
	for _, cells := range row.FindAllStringSubmatch(section(t), -1) {
		rows = append(rows, cells[1]+"="+cells[2])
	}
	if diff := cmp.Diff(strings.Split(quota.Defaults.String(), ","), rows); diff != "" {
		t.Errorf("quotas (-defaults +guide):\n%s", diff)
	}
}

// section returns the section about quotas of the guide to operations.
func section(t *testing.T) string {
	t.Helper()
	_, text, _ := strings.Cut(read(t, "guides/operations.md"), "## Quotas\n")
	text, _, _ = strings.Cut(text, "\n## ")
	return text
}

// read returns a document of the folder openapi.
func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile("../../openapi/" + file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// words returns the words of a document, separated by single spaces.
func words(t *testing.T, file string) string {
	t.Helper()
	return strings.Join(strings.Fields(read(t, file)), " ")
}

// contractSchemas returns the schemas of v1.
func contractSchemas(t *testing.T) openapi3.Schemas {
	t.Helper()
	doc, err := openapi3.NewLoader().LoadFromData(openapi.V1)
	if err != nil {
		t.Fatal(err)
	}
	return doc.Components.Schemas
}

// maxItems returns how many items a list of a schema may have. path are the properties that lead to it.
func maxItems(schemas openapi3.Schemas, name string, path ...string) string {
	schema := schemas[name]
	for _, property := range path {
		if schema == nil {
			break
		}
		schema = schema.Value.Properties[property]
	}
	if schema == nil || schema.Value.MaxItems == nil {
		return name + " has no limit"
	}
	return number(int(*schema.Value.MaxItems))
}

// number returns a number as documents write it: 1,000,000.
func number(n int) string { return message.NewPrinter(language.English).Sprint(n) }

// days returns a time in days.
func days(d time.Duration) string { return fmt.Sprintf("%d days", d/(24*time.Hour)) }

// schedule returns delays as documents list them: "30 s, 2 min and 1 h".
func schedule(delays []time.Duration) string {
	var texts []string
	for _, d := range delays {
		switch {
		case d < time.Minute:
			texts = append(texts, fmt.Sprintf("%.0f s", d.Seconds()))
		case d < time.Hour:
			texts = append(texts, fmt.Sprintf("%.0f min", d.Minutes()))
		default:
			texts = append(texts, fmt.Sprintf("%.0f h", d.Hours()))
		}
	}
	last := len(texts) - 1
	return strings.Join(texts[:last], ", ") + " and " + texts[last]
}
