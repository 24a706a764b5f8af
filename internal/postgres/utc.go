package postgres

import (
	"context"
	"database/sql/driver"
)

// utc is a connector whose sessions answer timestamps in UTC, whatever the server's own zone is.
// It is a statement rather than a start-up parameter because poolers refuse unknown parameters.
type utc struct{ driver.Connector }

func (c utc) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := conn.(driver.ExecerContext).ExecContext(ctx, "SET TIME ZONE 'UTC'", nil); err != nil {
		conn.Close()
		return nil, err
	}
	return conn, nil
}
