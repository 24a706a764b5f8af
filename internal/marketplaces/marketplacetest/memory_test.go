package marketplacetest_test

import (
	"testing"

	"github.com/cardvault/cardvault/internal/marketplaces/marketplacetest"
)

func TestMemory_Conformance(t *testing.T) {
	t.Parallel()
	marketplacetest.Run(t, func(*testing.T) marketplacetest.Subject {
		market := marketplacetest.NewMemory()
		return marketplacetest.Subject{
			Marketplace: market, Limits: marketplacetest.MemoryLimits, Buy: market.Buy, EndThere: market.EndThere,
		}
	})
}
