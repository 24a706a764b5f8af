package tracing

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
)

// collectorFromEnvironment returns the host of the collector, or "" if tracing is off. It returns an error for values
// that the exporter, which reads the variables itself, would ignore.
func collectorFromEnvironment() (host string, err error) {
	variable, address := firstSet("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
	if address == "" || strings.EqualFold(setting("OTEL_SDK_DISABLED"), "true") {
		return "", nil
	}
	switch exporter := setting("OTEL_TRACES_EXPORTER"); exporter {
	case "none":
		return "", nil
	case "", "otlp":
	default:
		return "", fmt.Errorf("OTEL_TRACES_EXPORTER: %q is not supported; set otlp or none", exporter)
	}
	name, protocol := firstSet("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL")
	switch protocol {
	case "", "http/protobuf", "http/json":
	default:
		return "", fmt.Errorf(
			"%s: %q is not supported; set http/protobuf and the collector's port for it, usually 4318", name, protocol)
	}
	u, err := url.Parse(address) // its error is not returned because it quotes the address, which may hold a password
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return "", errors.New(variable + ": must be an address such as http://127.0.0.1:4318")
	}
	return u.Host, nil
}

// firstSet returns the variable for traces if it is set, or else the variable for all signals of OpenTelemetry.
func firstSet(special, general string) (variable, value string) {
	if value := setting(special); value != "" {
		return special, value
	}
	return general, setting(general)
}

func setting(variable string) string { return strings.TrimSpace(os.Getenv(variable)) }
