package main

import (
	"bytes"
	"database/sql"
	"encoding/base64"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

// terminalOf runs commands on a database and in a folder of its own.
type terminalOf struct {
	*testing.T
	url, dir string
}

// run runs a command and returns what it printed.
func (t *terminalOf) run(want int, args ...string) (out, failures string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	args = append(args, "--database-url", t.url, "--photo-store", t.path("store"),
		"--secret-key", base64.StdEncoding.EncodeToString(make([]byte, 32)), "--log-level", "error")
	if code := run(t.Context(), args, &stdout, &stderr); code != want {
		t.Fatalf("%v exits with %d, want %d; printed %s%s", args, code, want, &stdout, &stderr)
	}
	return stdout.String(), stderr.String()
}

func (t *terminalOf) path(name string) string { return filepath.Join(t.dir, name) }

func (t *terminalOf) write(name string, content []byte) string {
	t.Helper()
	if err := os.WriteFile(t.path(name), content, 0o600); err != nil {
		t.Fatal(err)
	}
	return t.path(name)
}

// photo writes a photo of a card.
func (t *terminalOf) photo(name string) {
	t.Helper()
	var photo bytes.Buffer
	if err := png.Encode(&photo, image.NewGray(image.Rect(0, 0, 320, 440))); err != nil {
		t.Fatal(err)
	}
	t.write(name, photo.Bytes())
}

// sandboxAccount creates an account with these flags.
func (t *terminalOf) sandboxAccount(flags ...string) string {
	t.Helper()
	args := append([]string{"account", "create", "--name", "Ada", "--sandbox", "--json"}, flags...)
	out, _ := t.run(exitDone, args...)
	var made struct{ ID string }
	if err := json.Unmarshal([]byte(out), &made); err != nil {
		t.Fatal(err)
	}
	return made.ID
}

// Cards go to eBay as a file and come back sold as a report, with the fees, and with one event each.
func TestFiles_RoundTrip(t *testing.T) {
	t.Parallel()
	on := &terminalOf{t, pgtest.URL(t), t.TempDir()}
	account := on.sandboxAccount()
	on.photo("fox.png")
	imported := on.write("cards.csv", []byte("title,set,condition,asking_price,sku,photo_listing\n"+
		"Ember Fox,Dawn,NM,12.50,A-1,fox.png\nTide Crab,Dawn,LP,3.00,,fox.png\nNo condition,Dawn,,3.00,,fox.png\n"))
	on.run(exitDone, "cards", "import", "--account", account, "--photos", on.dir, imported)

	listed := on.path("ebay.csv")
	_, said := on.run(exitDone, "listings", "export", "--account", account, "--format", "ebay", "-o", listed)
	if !strings.Contains(said, "2 cards exported, 1 left out.") || !strings.Contains(said, "needs a condition") {
		t.Errorf("listings export says %q", said)
	}
	report := on.write("transactions.csv", reportOf(t, listed))
	unknown := "\"Aug 16, 2026\",Order,12-3,9003,No such card,1,1.00,0.00,-0.10,-0.20,USD\n"
	refused := on.write("refused.csv", append(reportOf(t, listed), unknown...))
	stranger := on.sandboxAccount()

	_, said = on.run(exitFailed, "sales", "import", "--account", account, "--format", "ebay", refused)
	if want := refused + ": line 5: there is no card with the SKU No such card"; !strings.Contains(said, want) {
		t.Errorf("sales import says %q, want %q", said, want)
	}
	_, said = on.run(exitFailed, "sales", "import", "--account", stranger, "--format", "ebay", report)
	if !strings.Contains(said, "line 3: there is no card with the SKU A-1") {
		t.Errorf("sales import into another account says %q", said)
	}
	for _, want := range []string{
		"2 sales of 2 orders recorded, 0 were recorded before.",
		"0 sales of 0 orders recorded, 2 were recorded before.",
	} {
		out, _ := on.run(exitDone, "sales", "import", "--account", account, "--format", "ebay", report)
		if !strings.HasPrefix(out, want) {
			t.Errorf("sales import prints %q, want %q", out, want)
		}
	}
	want := []string{
		"Ember Fox ebay 12-1 1250 132 [final_value_fee_fixed final_value_fee_variable] 1",
		"Tide Crab ebay 12-2 300 132 [final_value_fee_fixed final_value_fee_variable] 1",
	}
	if diff := cmp.Diff(want, salesOf(t, on.url, account)); diff != "" {
		t.Errorf("sales (-want +got):\n%s", diff)
	}
	_, said = on.run(exitDone, "listings", "export", "--account", account, "--format", "ebay")
	if !strings.Contains(said, "0 cards exported, 1 left out.") {
		t.Errorf("listings export after the sales says %q", said)
	}
}

// Amounts without a currency are in the account's, whatever file they come from, and --currency sets another one. The
// site of a file of listings follows from the account's currency too.
func TestFiles_CurrencyOfTheAccount(t *testing.T) {
	t.Parallel()
	on := &terminalOf{t, pgtest.URL(t), t.TempDir()}
	account := on.sandboxAccount("--currency", "EUR")
	cards := on.write("k.csv", []byte("title,price,cost,sku,condition,photo_listing\nKarte,12.50,3.00,K-1,NM,a.png\n"))
	on.photo("a.png")
	on.run(exitDone, "cards", "import", "--account", account, "--photos", on.dir, cards)
	pounds := on.write("p.csv", []byte("title,price,cost,sku,condition,photo_listing\nCard,12.50,3.00,P-1,NM,a.png\n"))
	on.run(exitDone, "cards", "import", "--account", account, "--photos", on.dir, "--currency", "GBP", pounds)
	exported, _ := on.run(exitDone, "cards", "export", "--account", account)
	for _, want := range []string{",12.50,EUR,", ",3.00,EUR,", ",12.50,GBP,", ",3.00,GBP,"} {
		if !strings.Contains(exported, want) {
			t.Errorf("exported cards lack %s:\n%s", want, exported)
		}
	}
	_, said := on.run(exitDone, "listings", "export", "--account", account, "--format", "ebay")
	if !strings.Contains(said, "takes prices in EUR only") || !strings.Contains(said, "1 cards exported, 1 left out") {
		t.Errorf("listings export of an account in euros says %q", said)
	}
	header := "Transaction creation date,Type,Order number,Item ID,Custom label,Quantity,Item subtotal," +
		"Shipping and handling\n"
	for _, sold := range []struct{ label, flags string }{{"K-1", ""}, {"P-1", "--currency=GBP"}} {
		row := `"Aug 15, 2026",Order,12-` + sold.label + ",1," + sold.label + ",1,9.00,2.00\n"
		report := on.write("t.csv", []byte("Transaction report\n"+header+row))
		args := []string{"sales", "import", "--account", account, "--format", "ebay", report}
		if sold.flags != "" {
			args = append(args, sold.flags)
		}
		on.run(exitDone, args...)
	}
	db, err := sql.Open("postgres", on.url)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var currencies string
	err = db.QueryRowContext(t.Context(), `
		SELECT string_agg(card_title || ' ' || currency, ', ' ORDER BY card_title DESC) FROM sales
		WHERE account_id = $1`, account).Scan(&currencies)
	if want := "Karte EUR, Card GBP"; err != nil || currencies != want {
		t.Errorf("sales are in %q, %v, want %q", currencies, err, want)
	}
}

// reportOf returns eBay's transaction report for a file of new listings: each was sold.
func reportOf(t *testing.T, listed string) []byte {
	t.Helper()
	content, err := os.ReadFile(listed)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(content)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	at := map[string]int{}
	for i, name := range rows[0] {
		at[name] = i
	}
	var out bytes.Buffer
	out.WriteString("Transaction report\nTransaction creation date,Type,Order number,Item ID,Custom label,Quantity," +
		"Item subtotal,Shipping and handling,Final Value Fee - fixed,Final Value Fee - variable,Transaction currency\n")
	for i, row := range rows[1:] {
		fmt.Fprintf(&out, "\"Aug 15, 2026\",Order,12-%d,900%d,%s,%s,%s,0.00,-0.30,-1.02,USD\n", i+1, i+1,
			row[at["CustomLabel"]], row[at["*Quantity"]], row[at["*StartPrice"]])
	}
	return out.Bytes()
}

// salesOf returns the account's sales with their fees and the number of their events.
func salesOf(t *testing.T, url, account string) (list []string) {
	t.Helper()
	db, err := sql.Open("postgres", url)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.QueryContext(t.Context(), `
		SELECT concat_ws(' ', s.card_title, s.channel, s.order_reference, s.gross, s.fee_total,
			'[' || (SELECT string_agg(f ->> 'kind', ' ') FROM jsonb_array_elements(s.fees) f) || ']',
			(SELECT count(*) FROM events e
				WHERE e.account_id = $1 AND e.event = 'sale.created' AND e.body LIKE '%' || s.id || '%'))
		FROM sales s WHERE s.account_id = $1 ORDER BY 1`, account)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			t.Fatal(err)
		}
		list = append(list, text)
	}
	return list
}

func TestFiles_TCGplayer(t *testing.T) {
	t.Parallel()
	on := &terminalOf{t, pgtest.URL(t), t.TempDir()}
	account := on.sandboxAccount()
	imported := on.write("cards.csv", []byte(
		"title,condition,asking_price,sku,quantity\nEmber Fox,NM,12.50,4941700,2\n"))
	on.run(exitDone, "cards", "import", "--account", account, imported)
	out, _ := on.run(exitDone,
		"listings", "export", "--account", account, "--format", "tcgplayer", "--status", "priced")
	if !strings.Contains(out, "4941700,,,Ember Fox,,,,Near Mint,,,,,,2,12.50,\n") {
		t.Errorf("listings export prints %q", out)
	}
	pulled := on.write("pull.csv", []byte(
		"Product Line,Product Name,SkuId,Order Quantity\nPokemon,Fox,4941700,AA-1:1\n"))
	_, said := on.run(exitFailed, "sales", "import", "--account", account, "--format", "tcgplayer", pulled)
	if !strings.Contains(said, "order list") {
		t.Errorf("sales import without an order list says %q", said)
	}
	orders := []string{"Order #,Order Date,Status,Product Amt,Shipping Amt", "AA-1,soon,Paid,12.00,0.78"}
	list := on.write("orders.csv", []byte(strings.Join(orders, "\n")))
	args := []string{"sales", "import", "--account", account, "--format", "tcgplayer", "--orders", list, pulled}
	if _, said = on.run(exitFailed, args...); !strings.Contains(said, list+": line 2, Order Date") {
		t.Errorf("sales import of a broken order list says %q", said)
	}
	on.write("orders.csv", []byte(strings.Replace(strings.Join(orders, "\n"), "soon", "2026-07-03", 1)))
	if out, _ = on.run(exitDone, append(args, "--json")...); !strings.Contains(out, `"sales":1`) {
		t.Errorf("sales import prints %q", out)
	}
}
