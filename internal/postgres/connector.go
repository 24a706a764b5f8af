package postgres

import (
	"context"
	"database/sql/driver"
	"fmt"
	"time"

	"github.com/lib/pq"
)

// idleInTransactionTime is how long the server lets a transaction wait for its client. A client that disappears
// silently holds the account's clock for this time. CardVault's transactions never pause for nearly as long.
const idleInTransactionTime = 10 * time.Second

// sessionSettings are statements, not start-up parameters, because poolers reject unknown start-up parameters. They
// run in one round trip. PostgreSQL ignores the TCP settings on a Unix socket.
var sessionSettings = fmt.Sprintf(`SET TIME ZONE 'UTC';
SET idle_in_transaction_session_timeout = %d;
SET tcp_keepalives_idle = 6; SET tcp_keepalives_interval = 3; SET tcp_keepalives_count = 2;
SET tcp_user_timeout = %d`, idleInTransactionTime.Milliseconds(), silenceTime.Milliseconds())

// connector opens connections whose calls all end, even if the server is silent: at the deadline of their context or at
// a time limit.
type connector struct{ config pq.Config }

// Connect implements driver.Connector.
func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	inner, err := pq.NewConnectorConfig(c.config)
	if err != nil {
		return nil, err
	}
	d := &dialer{}
	inner.Dialer(d)
	raw, err := inner.Connect(ctx)
	if err != nil {
		return nil, err
	}
	d.connected, d.socket.limit = true, time.Time{}
	wrapper := &conn{pqConn: raw.(pqConn), socket: d.socket}
	ctx, cancel := context.WithTimeout(ctx, c.config.ConnectTimeout)
	defer cancel()
	if _, err := wrapper.ExecContext(ctx, sessionSettings, nil); err != nil {
		wrapper.Close()
		return nil, err
	}
	return wrapper, nil
}

// Driver implements driver.Connector.
func (c connector) Driver() driver.Driver { return pq.Driver{} }
