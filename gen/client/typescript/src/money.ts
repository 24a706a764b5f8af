import type { Currency, Money } from './generated/types.js'

/** The currencies that do not have two decimals (ISO 4217). */
const noDecimals = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'
const threeDecimals = 'BHD IQD JOD KWD LYD OMR TND'

/** Returns the number of decimals of a currency, such as 2 for USD, 0 for JPY and 3 for KWD. */
export function exponent(currency: string): number {
  if (noDecimals.split(' ').includes(currency)) return 0
  return threeDecimals.split(' ').includes(currency) ? 3 : 2
}

/**
 * Converts a decimal number such as '12.50' to an amount of a currency. Throws TypeError if the number has more
 * decimals than the currency, unless those are zero.
 */
export function moneyFromDecimal(number: string, currency: Currency): Money {
  const [, sign, whole, decimals = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(number) ?? []
  if (whole === undefined) throw new TypeError(`"${number}" is not a decimal number such as 12.50`)
  const digits = exponent(currency)
  const fraction = decimals.replace(/0+$/, '')
  if (fraction.length > digits) throw new TypeError(`${number} has more than the ${digits} decimals of ${currency}`)
  const amount = Number(whole + fraction.padEnd(digits, '0'))
  if (!Number.isSafeInteger(amount)) throw new TypeError(`the amount ${number} is too large`)
  return { amount: sign && amount ? -amount : amount, currency }
}

/** Returns the amount as a decimal number with the decimals of the currency, such as '12.50'. */
export function decimalFromMoney({ amount, currency }: { amount: number; currency: string }): string {
  const digits = exponent(currency)
  const text = String(Math.abs(amount)).padStart(digits + 1, '0')
  const point = text.length - digits
  return (amount < 0 ? '-' : '') + text.slice(0, point) + (digits ? `.${text.slice(point)}` : '')
}
