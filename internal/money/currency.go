package money

import "strings"

// digits holds the currencies of ISO 4217 that are in use, and the number of decimals of their minor units.
// golang.org/x/text has the decimals of cash, which differ for some twenty currencies.
var digits = table(map[int]string{
	0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF",
	2: "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF " +
		"CNY COP CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL " +
		"HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT " +
		"MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB " +
		"SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH " +
		"USD UYU UZS VES WST XCD YER ZAR ZMW",
	3: "BHD IQD JOD KWD LYD OMR TND",
})

// table turns lists of codes by their digits into the digits by code.
func table(byDigits map[int]string) map[string]int {
	all := map[string]int{}
	for digits, codes := range byDigits {
		for _, code := range strings.Fields(codes) {
			all[code] = digits
		}
	}
	return all
}

// Digits returns the number of decimals of a currency, such as 2 for USD and 0 for JPY. It returns 2 for an unknown
// code.
func Digits(code string) int {
	if n, ok := digits[code]; ok {
		return n
	}
	return 2
}

// Known reports whether code is a currency that the service accepts.
func Known(code string) bool {
	_, ok := digits[code]
	return ok
}
