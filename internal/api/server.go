package api

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"syscall"
	"time"
)

// What a connection may cost. Slow clients are cut off here; pictures get more (call.allowTime).
const (
	headerTime = 5 * time.Second
	readTime   = 30 * time.Second
	writeSlack = 30 * time.Second // for the answer's way to the client
	idleTime   = 2 * time.Minute
	maxHeaders = 32 << 10 // bytes
)

// Server serves a handler on an address until it is shut down.
type Server struct {
	http     http.Server
	setting  string
	listener net.Listener
}

// NewServer returns a server for an address such as ":8080". setting is the name of the variable
// that the address comes from, for messages: "CARDVAULT_ADDR".
func NewServer(address, setting string, handler http.Handler, logger *slog.Logger) *Server {
	return &Server{setting: setting, http: http.Server{
		Addr: address, Handler: handler,
		ReadHeaderTimeout: headerTime, ReadTimeout: readTime,
		WriteTimeout: readTime + handlingTime + writeSlack, IdleTimeout: idleTime, MaxHeaderBytes: maxHeaders,
		ErrorLog: slog.NewLogLogger(logger.Handler(), slog.LevelDebug),
	}}
}

// Listen takes the address: connections wait from now on.
func (s *Server) Listen() error {
	listener, err := net.Listen("tcp", s.http.Addr)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return fmt.Errorf("%s is in use by another program; set %s to a free address: %w", s.http.Addr, s.setting, err)
	case err != nil:
		return fmt.Errorf("cannot listen on %s (set by %s): %w", s.http.Addr, s.setting, err)
	}
	s.listener = listener
	return nil
}

// Addr returns the address that Listen took, with the port that ":0" became.
func (s *Server) Addr() string { return s.listener.Addr().String() }

// Serve answers requests until Shutdown; it then returns nil.
func (s *Server) Serve() error {
	if err := s.http.Serve(s.listener); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("api.Serve: %w", err)
	}
	return nil
}

// Shutdown takes no more requests and waits for those that run. When ctx ends first, they are cut off.
func (s *Server) Shutdown(ctx context.Context) error {
	err := s.http.Shutdown(ctx)
	if err != nil {
		err = errors.Join(err, s.http.Close())
	}
	return err
}
