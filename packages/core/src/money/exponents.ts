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
