package postgres

import (
	"context"
	"database/sql/driver"
	"fmt"
	"time"

	"github.com/lib/pq"
)

// idleInTransactionTime is how long a transaction may wait for its client. A client that is gone without a word holds
// the account's clock for so long; within a transaction the program does nothing that takes near as long.
const idleInTransactionTime = 10 * time.Second

// sessionSettings are statements rather than start-up parameters because poolers refuse unknown parameters; one round
// trip takes them all. PostgreSQL ignores the tcp settings on a Unix socket.
var sessionSettings = fmt.Sprintf(`SET TIME ZONE 'UTC';
SET idle_in_transaction_session_timeout = %d;
SET tcp_keepalives_idle = 6; SET tcp_keepalives_interval = 3; SET tcp_keepalives_count = 2;
SET tcp_user_timeout = %d`, idleInTransactionTime.Milliseconds(), silenceTime.Milliseconds())

// connector opens connections whose calls all end: at the deadline of their context or at a limit of their own, also
// when the server is silent.
type connector struct{ config pq.Config }

// Connect implements driver.Connector.
func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	inner, err := pq.NewConnectorConfig(c.config)
	if err != nil {
		return nil, err
	}
	d := &dialer{}
	inner.Dialer(d)
	opened, err := inner.Connect(ctx)
	if err != nil {
		return nil, err
	}
	d.connected, d.socket.limit = true, time.Time{}
	made := &conn{pqConn: opened.(pqConn), socket: d.socket}
	ctx, cancel := context.WithTimeout(ctx, c.config.ConnectTimeout)
	defer cancel()
	if _, err := made.ExecContext(ctx, sessionSettings, nil); err != nil {
		made.Close()
		return nil, err
	}
	return made, nil
}

// Driver implements driver.Connector.
func (c connector) Driver() driver.Driver { return pq.Driver{} }
