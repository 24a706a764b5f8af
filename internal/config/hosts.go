package config

import (
	"net"
	"net/url"
)

// AdminNames returns the names by which operators reach the admin port.
func (c *Config) AdminNames() []string { return append(hostOf(c.AdminAddr), c.AdminHosts...) }

// MarketNames returns the names by which the sandbox marketplace is reached.
func (c *Config) MarketNames() []string {
	names := append(hostOf(c.MarketAddr), c.MarketHosts...)
	if u, err := url.Parse(c.MarketURL); err == nil && u.Hostname() != "" {
		names = append(names, u.Hostname())
	}
	return names
}

// hostOf returns the host of a listen address, or nothing if the address has none.
func hostOf(address string) []string {
	host, _, err := net.SplitHostPort(address)
	if err != nil || host == "" {
		return nil
	}
	return []string{host}
}
