// Command accounting writes the sales of a month to CSV files for the accountant, one for each currency.
//
//	API=https://vault.example/api TOKEN=cv_… go run ./examples/accounting --month 2026-10 --folder books
//
// The month is one of the account's time zone. The sums of the files are compared with the report of the service. A
// month with 1,600 sales takes 10 requests.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"time"

	cardvault "github.com/cardvault/cardvault/gen/client/go"
)

// monthFormat is the format of months such as 2026-10.
const monthFormat = "2006-01"

// errChanged is the error of a sale that was recorded or changed between two requests.
var errChanged = errors.New("the sales differ from the report, because one has just changed: run it again")

func main() {
	month := flag.String("month", "", "the month, such as 2026-10; the default is last month")
	folder := flag.String("folder", ".", "the folder for the files")
	flag.Usage = func() {
		fmt.Fprint(flag.CommandLine.Output(), "usage: accounting [--month YYYY-MM] [--folder FOLDER]\n\n"+
			"Writes the sales of a month of the account of API and TOKEN to CSV files, one for each currency.\n\n")
		flag.PrintDefaults()
	}
	flag.Parse()
	_, err := time.Parse(monthFormat, cmp.Or(*month, monthFormat))
	if err != nil || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	client, err := cardvault.New(os.Getenv("API"), os.Getenv("TOKEN"))
	if err != nil {
		fmt.Fprintln(os.Stderr, "accounting: set API and TOKEN:", err)
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := account(ctx, client, *month, *folder); err != nil {
		fmt.Fprintln(os.Stderr, "accounting:", err)
		os.Exit(1)
	}
}

// account writes the files of a month and prints their sums.
func account(ctx context.Context, client *cardvault.Client, month, folder string) error {
	account, err := client.GetAccount(ctx)
	if err != nil {
		return err
	}
	zone, err := time.LoadLocation(account.TimeZone)
	if err != nil {
		return err
	}
	since := startOfMonth(month, zone)
	before := since.AddDate(0, 1, 0)
	report, err := client.ReportSales(ctx, cardvault.ReportSalesParams{
		GroupBy: cardvault.ReportGroupingMonth, Since: since, Before: before, TimeZone: account.TimeZone,
	})
	if err != nil {
		return err
	}
	books, err := readBooks(ctx, client, since, before)
	if err != nil {
		return err
	}
	if len(books) != len(report.Data) {
		return errChanged
	}
	for _, sums := range report.Data {
		file := filepath.Join(folder, fmt.Sprintf("sales-%s-%s.csv", since.Format(monthFormat), sums.Currency))
		if err := write(file, books[sums.Currency], sums, zone); err != nil {
			return err
		}
	}
	fmt.Println(since.Format(monthFormat)+":", len(report.Data), "currencies")
	return nil
}

// startOfMonth returns the start of a month or, for "", of last month.
func startOfMonth(month string, zone *time.Location) time.Time {
	if start, err := time.ParseInLocation(monthFormat, month, zone); err == nil {
		return start
	}
	now := time.Now().In(zone)
	return time.Date(now.Year(), now.Month()-1, 1, 0, 0, 0, 0, zone)
}
