// Command scanner makes cards of a folder of photos, identifies, prices and publishes them.
//
//	API=https://vault.example/api TOKEN=cv_… go run ./examples/scanner --publish photos
//
// Each photo shows the front of one card. The service identifies most cards. For the others the program takes the best
// candidate if that is clear enough, and otherwise asks or, without a terminal, prints the candidates. It can be run
// again with the same folder: a photo makes only one card, and finished cards stay as they are. The file cards.json in
// the folder has the cards of the photos. 60 photos take 3 requests, and the changes of their cards take 2 more.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"

	cardvault "github.com/cardvault/cardvault/gen/client/go"
)

// options are the settings of the program.
type options struct {
	take       int     // the number of the candidate to take for each card in doubt, or 0 to ask
	confidence float64 // of a candidate that is taken without asking, from 0 to 1
	timeout    int     // in seconds, for the identification of all cards and for their publication
	publish    bool
}

func main() {
	var o options
	flag.IntVar(&o.take, "take", 0, "take the candidate with this number, from 1 to 5, for each card in doubt")
	flag.Float64Var(&o.confidence, "confidence", 0.7, "take the best candidate if its confidence is at least this")
	flag.IntVar(&o.timeout, "timeout", 600, "wait at most so many seconds until the cards are identified or published")
	flag.BoolVar(&o.publish, "publish", false, "publish the cards on the sandbox marketplace")
	flag.Usage = func() {
		fmt.Fprint(flag.CommandLine.Output(), "usage: scanner [OPTIONS] FOLDER\n\n"+
			"Makes cards of the photos in a folder, in the account of API and TOKEN.\n\n")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() != 1 || o.take < 0 || o.take > 5 {
		flag.Usage()
		os.Exit(2)
	}
	client, err := cardvault.New(os.Getenv("API"), os.Getenv("TOKEN"), cardvault.WithOnWait(func(wait cardvault.Wait) {
		fmt.Fprintf(os.Stderr, "waiting %v: the limit for %s requests is used up\n", wait.Duration, wait.Class)
	}))
	if err != nil {
		fmt.Fprintln(os.Stderr, "scanner: set API and TOKEN:", err)
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, client, flag.Arg(0), o); err != nil {
		fmt.Fprintln(os.Stderr, "scanner:", err)
		os.Exit(1)
	}
}

// run takes the cards of the photos as far as possible, and prints how far.
func run(ctx context.Context, client *cardvault.Client, folder string, o options) error {
	s := &scanner{client: client, folder: folder, options: o, files: map[string]string{}}
	for _, step := range []func(context.Context) error{s.scan, s.review, s.price, s.publish, s.summarize} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	if s.failures > 0 {
		return fmt.Errorf("%d changes failed: run it again", s.failures)
	}
	return nil
}
