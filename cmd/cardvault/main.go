// Command cardvault is the whole service: the API, its workers, and the commands of operators.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/alecthomas/kong"

	"github.com/cardvault/cardvault/internal/blank"
	"github.com/cardvault/cardvault/internal/config"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/timestamp"
)

// The exit codes that scripts rely on.
const (
	exitDone       = 0
	exitFailed     = 1
	exitBadUsage   = 2
	exitUnfinished = 3 // the workers finish the command's work: do not repeat it
)

// commands is the command line: each command is a type in a file of its own.
type commands struct {
	config.Config `embed:"" group:"Settings of the service, the same for every command:"`

	Serve       serveCmd       `cmd:"" help:"Serve the API and run the workers."`
	Worker      workerCmd      `cmd:"" help:"Run the workers alone."`
	Migrate     migrateCmd     `cmd:"" help:"Apply or list the migrations of the database's schema."`
	Account     accountCmd     `cmd:"" help:"Create, list and delete accounts, and repair their clocks."`
	Token       tokenCmd       `cmd:"" help:"Create, list, revoke and rotate tokens."`
	User        userCmd        `cmd:"" help:"Manage the people who use the dashboard."`
	Webhook     webhookCmd     `cmd:"" help:"Manage webhook endpoints and their deliveries."`
	Marketplace marketplaceCmd `cmd:"" help:"Connect accounts to marketplaces."`
	Cards       cardsCmd       `cmd:"" help:"Import and export cards."`
	Listings    listingsCmd    `cmd:"" help:"Export cards as files for marketplaces."`
	Sales       salesCmd       `cmd:"" help:"Import the sales of marketplaces' reports."`
	Catalog     catalogCmd     `cmd:"" help:"Fill the reference catalogue."`
	Waiting     waitingCmd     `cmd:"" help:"List background work that fails or that no worker takes, with the errors."`
	Models      modelsCmd      `cmd:"" help:"Install the models that read the text on cards."`
	ReadPhotos  readPhotosCmd  `cmd:"" hidden:"" help:"Compute on photos, as a child of the service."`
	Market      marketCmd      `cmd:"" help:"Serve the sandbox marketplace."`
	Demo        demoCmd        `cmd:"" help:"Create a demo account with cards, photos and a token."`
	Sandbox     sandboxCmd     `cmd:"" help:"Create a new sandbox account with the demo's cards and a token."`
	Version     versionCmd     `cmd:"" help:"Print the versions of the program and of the API."`
	Help        helpCmd        `cmd:"" help:"List every command, flag and variable."`
}

func main() {
	// The first signal cancels the context, so that commands end in order. A second one ends the program.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// variables are the values that the tags of commands refer to.
var variables = kong.Vars{"statuses": statuses(), "sites": sites(), "formats": catalogFormats()}

// parseTime parses the value of a flag that is a time, as the API does.
func parseTime(ctx *kong.DecodeContext, target reflect.Value) error {
	text, err := ctx.Scan.PopValue("time")
	if err != nil {
		return err
	}
	at, err := timestamp.Parse(text.String())
	if err != nil {
		return fmt.Errorf("%q is %w, such as 2026-05-11T15:32:01Z", text, err)
	}
	target.Set(reflect.ValueOf(at))
	return nil
}

// exited is the panic by which run leaves kong's parser when kong exits the program, as after --help.
type exited int

// run is main with its surroundings passed in.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) (code int) {
	defer func() {
		if r := recover(); r != nil {
			status, ok := r.(exited)
			if !ok {
				panic(r)
			}
			code = int(status)
		}
	}()
	cli := &commands{}
	parser, err := kong.New(cli,
		kong.Name("cardvault"), kong.Description("An inventory service for trading cards."), kong.UsageOnError(),
		kong.Writers(stdout, stderr), kong.Exit(func(status int) { panic(exited(status)) }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, NoExpandSubcommands: false}), variables,
		kong.PostBuild(config.DescribeFlags), kong.TypeMapper(reflect.TypeFor[time.Time](), kong.MapperFunc(parseTime)),
	)
	if err != nil {
		panic(err) // the types above are wrong
	}
	command, err := parser.Parse(args)
	if invalid := (*kong.ParseError)(nil); errors.As(err, &invalid) && needsNoSettings(invalid.Context) {
		command, err = invalid.Context, nil
	}
	if err != nil {
		fmt.Fprintf(stderr, "cardvault: %v; see cardvault help\n", err)
		return exitBadUsage
	}
	if err := checkSelection(command); err != nil {
		fmt.Fprintf(stderr, "cardvault: %s\n", err)
		return exitCode(err)
	}
	for _, warning := range config.ShownSecrets(command) {
		fmt.Fprintf(stderr, "cardvault: %s\n", warning)
	}
	command.BindTo(ctx, (*context.Context)(nil))
	command.Bind(&cli.Config, &terminal{out: stdout, err: stderr}, parser)
	if err := command.Run(); err != nil {
		fmt.Fprintf(stderr, "cardvault: %s\n", plain(err))
		return exitCode(err)
	}
	return exitDone
}

// selections are the flags that select what a command shows or changes. Without them, it works on everything.
var selections = []string{"account", "endpoint", "state", "status"}

// checkSelection returns an error for a flag of selections that is blank, as from a script whose variable is not set:
// "webhook resend --dropped-since T --account $ACCOUNT" must not send the deliveries of all accounts again.
func checkSelection(command *kong.Context) error {
	for _, part := range command.Path {
		if part.Flag == nil || part.Resolved || !slices.Contains(selections, part.Flag.Name) {
			continue
		}
		if value := strings.Trim(fmt.Sprint(part.Flag.Target.Interface()), "[]"); !blank.Is(value) {
			continue
		}
		message := "--" + part.Flag.Name + " must not be blank"
		if !part.Flag.Required {
			message += "; leave it out to select all"
		}
		return usageError{message}
	}
	return nil
}

// needsNoSettings reports whether a command line whose check has failed can run nevertheless: it is right, and asks for
// the help that the message about a wrong setting refers to, or for the version.
func needsNoSettings(command *kong.Context) bool {
	if command == nil || command.Error != nil || command.Selected() == nil {
		return false
	}
	name := command.Selected().Name
	return name == "help" || name == "version"
}

func exitCode(err error) int {
	if usage := (usageError{}); errors.As(err, &usage) {
		return exitBadUsage
	}
	if incomplete := (unfinishedError{}); errors.As(err, &incomplete) {
		return exitUnfinished
	}
	return exitFailed
}

// unfinishedError reports that the command ended before its work, which the workers finish.
type unfinishedError struct{ message string }

func (e unfinishedError) Error() string { return e.message }

// usageError reports a command line that kong accepts but whose parts do not go together.
type usageError struct{ message string }

func (e usageError) Error() string { return e.message }

// plain returns an error as one line for the person at the terminal.
func plain(err error) string {
	message := err.Error()
	if f, ok := fault.As(err); ok {
		message = f.Message
		if f.Code == fault.Unavailable && f.Err != nil {
			message += ": " + f.Err.Error() // unlike a client, an operator may see the cause
		}
	}
	return strings.Join(strings.Fields(message), " ")
}

// helpCmd lists all settings, or the settings of one command.
type helpCmd struct {
	Command []string `arg:"" optional:"" help:"The command to explain."`
}

// Run implements the command.
func (cmd helpCmd) Run(parser *kong.Kong) error {
	trace, err := kong.Trace(parser, cmd.Command)
	if err != nil {
		return err
	}
	if trace.Error != nil && trace.Selected() == nil && len(cmd.Command) > 0 {
		return usageError{"there is no command " + strings.Join(cmd.Command, " ") + "; see cardvault help"}
	}
	return trace.PrintUsage(false)
}
