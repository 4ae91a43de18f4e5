import { catalogue } from '@tallystick/core'
import {
  chargeInstant,
  checkOptions,
  endpointAddress,
  nearestName,
  type Validator,
  type Validators,
  validator,
} from '@tallystick/core/internal'

/**
 * Reads one setting of the operator. Its errors begin with the setting's name, which the parts that read keys, ids and addresses
 * do not know. None of their messages holds a key.
 *
 * @throws TypeError
 */
export function readSetting<T>(name: string, read: () => T): T {
  try {
    return read()
  } catch (cause) {
    throw new TypeError(`${name}: ${(cause as Error).message}`, { cause })
  }
}

/** A number loses digits past 2^53, so a larger id has to be a text. */
export function readId(id: string | number | bigint): string {
  if (typeof id === 'number' && !Number.isSafeInteger(id))
    throw new TypeError('must be a whole number below 2^53; write a larger one as text')
  return endpointAddress({ endpointId: String(id) }).id
}

/** When on a day recurring payments charge. */
export interface ChargeTimeOptions {
  /** `HH:MM`, 24 hours. Default 00:00. */
  readonly time?: string | undefined
  /** The IANA name of the time zone in which days begin and end, such as `Europe/Berlin`. Default UTC. */
  readonly timeZone?: string | undefined
}

/** The time of day at which recurring payments charge, and its time zone. */
export type ChargeTime = Required<{ [K in keyof ChargeTimeOptions]: string }>

export const DEFAULT_CHARGE_TIME: ChargeTime = { time: '00:00', timeZone: 'UTC' }

const CHARGE_KINDS: Validators<ChargeTimeOptions> = { time: validator.text, timeZone: validator.text }

/** @throws TypeError that names the setting */
export function readChargeTime(given: ChargeTimeOptions = {}, name: string): ChargeTime {
  checkOptions(name, given, CHARGE_KINDS)
  const { time = DEFAULT_CHARGE_TIME.time, timeZone = DEFAULT_CHARGE_TIME.timeZone } = given
  // Any date will do to check that the time and the time zone exist.
  readSetting(name, () => chargeInstant({ date: '2000-01-01', time, timeZone }))
  return { time, timeZone }
}

/** The format of requests: a currency that no request could have is a mistake here. */
const CURRENCY = catalogue.sale.request.fields.currency.format

export const CURRENCIES: Validator = {
  ...validator.listOf(validator.text),
  wanted: 'a list of ISO 4217 letters, such as [USD, EUR]',
}

/**
 * The currencies that an endpoint accepts. Three letters that are not a currency are most likely a typing error, and payments
 * in the intended currency would be refused.
 *
 * @throws TypeError that suggests what was meant
 */
export function readCurrencies(currencies: readonly string[] | undefined): ReadonlySet<string> | undefined {
  const wrong = currencies?.find((currency) => !isCurrency(currency))
  if (wrong !== undefined) throw new TypeError(`${wrong} is not a currency; ${adviceAbout(wrong)}`)
  if (currencies?.length === 0)
    throw new TypeError('is empty, so nothing could be paid; leave it out for every currency')
  return currencies === undefined ? undefined : new Set(currencies)
}

/** By the Unicode data of this Node, which also has currencies that are no longer in use. */
function isCurrency(code: string): boolean {
  if (CURRENCY.read(code) !== code) return false
  return new Intl.DisplayNames('en', { type: 'currency', fallback: 'none' }).of(code) !== undefined
}

function adviceAbout(unknown: string): string {
  const nearest = nearestName(unknown, Intl.supportedValuesOf('currency').filter(isCurrency))
  return nearest === undefined ? 'write the three letters of ISO 4217, such as USD' : `did you mean ${nearest}?`
}
