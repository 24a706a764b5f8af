package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/cardvault/cardvault/internal/app"
	"github.com/cardvault/cardvault/internal/config"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/webhooks"
)

// webhookListenCmd is an endpoint for development. It registers itself, prints or forwards the deliveries it receives,
// and deletes itself when it ends.
type webhookListenCmd struct {
	Account     string    `required:"" help:"The account whose events to receive."`
	Listen      string    `default:"127.0.0.1:0" placeholder:"ADDR" help:"The address to listen on. Port 0 is any."`
	Forward     string    `placeholder:"URL" help:"Forward deliveries unchanged to this URL and return its response."`
	Events      []string  `placeholder:"KIND,…" help:"Only these kinds; else those of webhook register."`
	ReplaySince time.Time `placeholder:"TIME" help:"Send past events since this time (RFC 3339; 30 days at most)."`
}

// Run implements the command.
func (cmd webhookListenCmd) Run(ctx context.Context, c *config.Config, t *terminal) error {
	if !c.AllowPrivateNetworks {
		return errors.New("webhook listen is for development: " +
			"set CARDVAULT_ALLOW_PRIVATE_NETWORKS=true here and where the workers run")
	}
	return app.With(ctx, c, func(a *app.App) error {
		account, err := a.Accounts.Get(ctx, cmd.Account)
		if err != nil {
			return err
		}
		listener, err := net.Listen("tcp", cmd.Listen)
		if err != nil {
			return err
		}
		defer listener.Close()
		var kinds []events.Kind
		for _, kind := range cmd.Events {
			kinds = append(kinds, events.Kind(kind))
		}
		endpoint, secret, err := a.Endpoints.Register(ctx, account.ID, "http://"+listener.Addr().String()+"/", kinds)
		if err != nil {
			return err
		}
		defer cmd.unregister(a, t, endpoint)
		fmt.Fprintf(t.err, "Listening as %s on %s with the secret %s. Ctrl-C ends and unregisters it.\n",
			endpoint.ID, endpoint.URL, secret)
		defer cmd.replay(ctx, a, t, endpoint)()
		return cmd.serve(ctx, listener, &receiver{
			secret: secret, forward: cmd.Forward, out: t.out, now: a.Clock.Time,
		})
	})
}

// replay starts to send past events in the background if ReplaySince is set. The function it returns stops that.
func (cmd webhookListenCmd) replay(ctx context.Context, a *app.App, t *terminal, e webhooks.Endpoint) (end func()) {
	ctx, cancel := context.WithCancel(ctx)
	var replaying sync.WaitGroup
	if !cmd.ReplaySince.IsZero() {
		replaying.Go(func() {
			n, err := a.Deliveries.Backfill(ctx, e.AccountID, e.ID, cmd.ReplaySince, 0)
			if err != nil && ctx.Err() == nil {
				fmt.Fprintf(t.err, "Sending past events failed after %d: %s\n", n, plain(err))
				return
			}
			fmt.Fprintf(t.err, "%d past events are sent.\n", n)
		})
	}
	return func() {
		cancel()
		replaying.Wait()
	}
}

// unregister deletes the endpoint. It has a context of its own because the command's is canceled when it runs.
func (cmd webhookListenCmd) unregister(a *app.App, t *terminal, e webhooks.Endpoint) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if err := a.Endpoints.Delete(ctx, e.AccountID, e.ID); err != nil {
		fmt.Fprintf(t.err, "%s is still registered: %s\n", e.ID, plain(err))
	}
}

func (webhookListenCmd) serve(ctx context.Context, listener net.Listener, handler http.Handler) error {
	server := &http.Server{Handler: handler, ReadTimeout: 10 * time.Second}
	stop := context.AfterFunc(ctx, func() { server.Close() })
	defer stop()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// receiver receives deliveries. Like every receiver should, it verifies the signature first.
type receiver struct {
	secret, forward string
	out             io.Writer
	now             func() time.Time
}

// maxDelivery is the size of the largest delivery that is accepted, in bytes.
const maxDelivery = 1 << 20

// ServeHTTP implements http.Handler.
func (r *receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, req.Body, maxDelivery))
	if err == nil {
		err = webhooks.Verify(r.secret, req.Header.Get(webhooks.Header), body, r.now())
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	fmt.Fprintf(r.out, "%s\n", body)
	if r.forward == "" {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	r.forwardTo(w, req, body)
}

// forwardTo forwards the delivery unchanged, so that the application can verify the signature itself.
func (r *receiver) forwardTo(w http.ResponseWriter, req *http.Request, body []byte) {
	onward, err := http.NewRequestWithContext(req.Context(), http.MethodPost, r.forward, bytes.NewReader(body))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	onward.Header = req.Header.Clone()
	response, err := http.DefaultClient.Do(onward)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	defer response.Body.Close()
	w.WriteHeader(response.StatusCode)
	_, _ = io.Copy(w, response.Body) // fails when the service, which reads only the beginning, stops reading
}
