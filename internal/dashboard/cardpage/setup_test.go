package cardpage

import "github.com/cardvault/cardvault/internal/money"

func usd(amount int64) money.Money { return money.Money{Amount: amount, Currency: "USD"} }
