package tracing

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
)

// collectorFromEnvironment returns the host that spans are to be sent to, "" for none. The exporter
// reads the rest by itself; this tells what it would pass over in silence.
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
		return "", fmt.Errorf("OTEL_TRACES_EXPORTER: %q is not known here; set otlp or none", exporter)
	}
	name, protocol := firstSet("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL")
	switch protocol {
	case "", "http/protobuf", "http/json":
	default:
		return "", fmt.Errorf("%s: %q is not spoken here; set http/protobuf, and the collector's port for it (4318 as a rule)", name, protocol)
	}
	u, err := url.Parse(address) // its error would quote a password in the address
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return "", errors.New(variable + ": must be an address such as http://127.0.0.1:4318")
	}
	return u.Host, nil
}

// firstSet returns the first of two variables that is set: the one for traces, then the one for all that
// OpenTelemetry sends.
func firstSet(special, general string) (variable, value string) {
	if value := setting(special); value != "" {
		return special, value
	}
	return general, setting(general)
}

func setting(variable string) string { return strings.TrimSpace(os.Getenv(variable)) }
