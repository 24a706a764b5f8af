import type { Currency, Money } from './generated/types.js'

/** The currencies of ISO 4217 by their decimals. */
const noDecimals = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'
const twoDecimals = [
  'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY',
  'COP CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF',
  'IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR',
  'MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG',
  'SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VES WST',
  'XCD YER ZAR ZMW',
].join(' ')
const threeDecimals = 'BHD IQD JOD KWD LYD OMR TND'

/** The largest amount in minor units that the service takes. */
const maxAmount = 99_999_999_999

/** Returns the number of decimals of a currency, such as 2 for USD, 0 for JPY and 3 for KWD. */
export function exponent(currency: string): number {
  if (noDecimals.split(' ').includes(currency)) return 0
  return threeDecimals.split(' ').includes(currency) ? 3 : 2
}

/**
 * Converts a decimal number such as '12.50' to an amount of a currency. Throws TypeError if the number has more
 * decimals than the currency, unless those are zero, if it is too large, and if the currency is unknown.
 */
export function moneyFromDecimal(number: string, currency: Currency): Money {
  if (typeof number !== 'string') throw new TypeError(`${String(number)} is not a string such as '12.50'`)
  checkCurrency(currency)
  const [, sign, whole, decimals = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(number) ?? []
  if (whole === undefined) throw new TypeError(`"${number}" is not a decimal number such as 12.50`)
  const digits = exponent(currency)
  const fraction = decimals.replace(/0+$/, '')
  if (fraction.length > digits) throw new TypeError(`${number} has more than the ${digits} decimals of ${currency}`)
  const amount = Number(whole + fraction.padEnd(digits, '0'))
  if (amount > maxAmount) throw new TypeError(`the amount ${number} is too large: at most ${maxAmount} minor units`)
  return { amount: sign && amount ? -amount : amount, currency }
}

/** Throws TypeError for what is no currency of the service, with the remedy. */
function checkCurrency(currency: unknown): void {
  const code = String(currency)
  if (/^[A-Z]{3}$/.test(code) && `${noDecimals} ${twoDecimals} ${threeDecimals}`.includes(code)) return
  const upper = /^[A-Za-z]{3}$/.test(code) && code !== code.toUpperCase()
  const remedy = upper ? `a currency code; write ${code.toUpperCase()}` : 'a currency of ISO 4217 such as USD'
  throw new TypeError(`"${code}" is not ${remedy}`)
}

/** Returns the amount as a decimal number with the decimals of the currency, such as '12.50'. */
export function decimalFromMoney({ amount, currency }: { amount: number; currency: string }): string {
  const digits = exponent(currency)
  const text = String(Math.abs(amount)).padStart(digits + 1, '0')
  const point = text.length - digits
  return (amount < 0 ? '-' : '') + text.slice(0, point) + (digits ? `.${text.slice(point)}` : '')
}
