/** How many decimals a currency has: what `profile.exponents` selects. */
export type Exponents = 'always-2' | 'iso-4217'

/** ISO 4217 currencies whose minor unit is not a hundredth. */
const ISO_4217_EXCEPTIONS: ReadonlyMap<string, number> = new Map([
  ...of(0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'),
  ...of(3, 'BHD IQD JOD KWD LYD OMR TND'),
  ...of(4, 'CLF UYW'),
])

function of(exponent: number, currencies: string): ReadonlyArray<readonly [string, number]> {
  return currencies.split(' ').map((currency) => [currency, exponent] as const)
}

/**
 * The number of decimals of an amount in this currency.
 *
 * By default always 2: control amounts are in cents (specification part 4). `iso-4217` is an option of the profile.
 */
export function exponentOf(currency: string | undefined, exponents: Exponents = 'always-2'): number {
  if (exponents === 'always-2' || currency === undefined) return 2
  return ISO_4217_EXCEPTIONS.get(currency) ?? 2
}

/** `10`, `10.5` or `0.05`: digits without leading zeros, then at most as many decimals as the currency has. */
const DECIMAL = /^(?:0|[1-9]\d*)(?:\.\d+)?$/

/**
 * Converts a decimal amount in major units to whole minor units, as text: `10.42` to `1042`, `0.94` to `94`.
 *
 * Floats lose cents (`19.99 * 100` is 1998.9999999999998).
 *
 * @param amount decimal text in major units, such as `10.5`
 * @param exponent number of decimals of the currency, 2 for cents
 * @returns digits without leading zeros, or `undefined` if the text is no such amount, or the exponent no number
 */
export function toMinorUnits(amount: string, exponent = 2): string | undefined {
  const text = String(amount)
  if (!isAmountOf(text, exponent)) return undefined
  const digits = text.replace('.', '')
  return stripLeadingZeros(digits + '0'.repeat(exponent - decimalsOf(text)))
}

/** Whether a text is a decimal amount in major units of a currency with so many decimals. */
export function isAmountOf(text: string, exponent: number): boolean {
  // If the exponent is no number, such as a currency, this is false.
  return DECIMAL.test(text) && decimalsOf(text) <= exponent
}

function decimalsOf(text: string): number {
  const point = text.indexOf('.')
  return point === -1 ? 0 : text.length - point - 1
}

/**
 * Converts whole minor units to a decimal amount: `1042` to `10.42`, `94` to `0.94`.
 *
 * @param minorUnits digits, with or without leading zeros
 * @returns decimal text with exactly `exponent` decimals, or `undefined` if the text is not digits
 */
export function fromMinorUnits(minorUnits: string, exponent = 2): string | undefined {
  if (!/^\d+$/.test(minorUnits)) return undefined
  const digits = stripLeadingZeros(minorUnits).padStart(exponent + 1, '0')
  const point = digits.length - exponent
  return exponent === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`
}

/** `10.50` as `10.5` and `10.00` as `10`: the same amount, whoever wrote it. Other texts stay as they are. */
export function withoutLastZeros(amount: string): string {
  if (!/^\d+\.\d+$/.test(amount)) return amount
  let end = amount.length
  while (amount[end - 1] === '0') end--
  return amount.slice(0, amount[end - 1] === '.' ? end - 1 : end)
}

function stripLeadingZeros(digits: string): string {
  return digits.replace(/^0+(?=\d)/, '')
}
