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

// Limits of a connection. Slow clients are disconnected; uploads get more time (operation.extendDeadlines).
const (
	headerTimeout   = 5 * time.Second
	requestTimeout  = 30 * time.Second // for headers and body
	responseTimeout = 30 * time.Second // for sending the response
	idleTimeout     = 2 * time.Minute
	maxHeaders      = 32 << 10 // bytes
)

// Server serves a handler on an address until it is shut down.
type Server struct {
	http     http.Server
	setting  string
	listener net.Listener
}

// NewServer returns a server for an address such as ":8080". setting is the name of the environment variable that the
// address comes from, such as "CARDVAULT_ADDR". Error messages mention it.
func NewServer(address, setting string, handler http.Handler, logger *slog.Logger) *Server {
	return &Server{setting: setting, http: http.Server{
		Addr: address, Handler: handler,
		ReadHeaderTimeout: headerTimeout, ReadTimeout: requestTimeout,
		WriteTimeout: requestTimeout + writeTimeout + responseTimeout,
		IdleTimeout:  idleTimeout, MaxHeaderBytes: maxHeaders,
		ErrorLog: slog.NewLogLogger(logger.Handler(), slog.LevelDebug),
	}}
}

// Listen binds the address. Connections wait until Serve is called.
func (s *Server) Listen() error {
	listener, err := net.Listen("tcp", s.http.Addr)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return fmt.Errorf("%s is in use by another program; set %s to a free address: %w",
			s.http.Addr, s.setting, err)
	case err != nil:
		return fmt.Errorf("cannot listen on %s (set by %s): %w", s.http.Addr, s.setting, err)
	}
	s.listener = listener
	return nil
}

// Addr returns the address that Listen bound, with the actual port for ":0".
func (s *Server) Addr() string { return s.listener.Addr().String() }

// Serve handles requests until Shutdown is called, and then returns nil.
func (s *Server) Serve() error {
	if err := s.http.Serve(s.listener); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve requests: %w", err)
	}
	return nil
}

// Shutdown stops accepting requests and waits for running ones. If ctx ends first, it closes their connections.
func (s *Server) Shutdown(ctx context.Context) error {
	err := s.http.Shutdown(ctx)
	if err != nil {
		err = errors.Join(err, s.http.Close())
	}
	return err
}
