import { catalogue, DEFAULT_TIMES, operationKeys, toMinorUnits } from '@tallystick/core'
import {
  callbackQueryIssue,
  chargeInstant,
  checkOptions,
  nearestName,
  type Validator,
  type Validators,
  validator,
} from '@tallystick/core/internal'
import { ADDRESS_RULES, type AddressRules, callbackAddressIssue } from '../http/allowed-address.ts'
import { type Duration, milliseconds } from '../runtime/clock.ts'
import {
  type ChargeTime,
  type ChargeTimeOptions,
  DEFAULT_CHARGE_TIME,
  readId,
  readSetting,
} from './endpoint-settings.ts'

/** An endpoint of a merchant: what it accepts, and on which terms. */
export interface EndpointOptions {
  /** The id in the path, and in signatures: a whole number. No two endpoints or groups may share one. */
  readonly id: string | number | bigint
  /** The currencies that it accepts, as ISO 4217 letters that this version of Node knows. Default: all. */
  readonly currencies?: readonly string[] | undefined
  /**
   * Fields that the acquirer behind this endpoint requires although the interface does not, by their names in the models:
   * `['firstName', 'lastName']` (gaps part 2.4). A hosted form does not ask the customer for them: the request for the form has
   * to include them.
   */
  readonly requiredFields?: readonly string[] | undefined
  /** The smallest and the largest amount of one order, in major units: `{ min: '1.00', max: '5000.00' }`. */
  readonly limits?: { readonly min?: string | undefined; readonly max?: string | undefined } | undefined
  /** How long after its final status a sold or captured amount settles. Default 24 hours (gaps part 13). */
  readonly settleAfter?: Duration | undefined
  /** How long an authorization holds funds. Default 7 days (gaps part 13). */
  readonly holdFor?: Duration | undefined
  /** How long after its approval a payout-check can be paid. After that it is reported as declined. Default 15 minutes. */
  readonly payoutCheckFor?: Duration | undefined
  /**
   * The time of day at which recurring payments charge, and the time zone of that day:
   * `{ time: '06:00', timeZone: 'Europe/Berlin' }`. If a schedule begins on the day before it is created, it starts on the day
   * of its creation instead. If it begins earlier, the days before its creation are not charged. Default: 00:00 in UTC.
   */
  readonly charges?: ChargeTimeOptions | undefined
  /** How long a customer has for a hosted form, and again for 3DS. Default 30 minutes. */
  readonly formLifetime?: Duration | undefined
  /**
   * The callback address for later captures, reversals and chargebacks if the order names no `notify_url`, and for the outcome
   * if it names no `server_callback_url` either (gaps part 6).
   */
  readonly notifyUrl?: string | undefined
  /** What customers read on their card statements. Statuses, callbacks and the return to the shop include it (gaps part 6). */
  readonly descriptor?: string | undefined
  /**
   * The amount in the callback of a later capture, reversal or chargeback: of that `operation`, or of the `payment`, which the
   * family's PHP library compares it with and otherwise takes for an error. Default `operation`.
   */
  readonly callbackAmount?: CallbackAmount | undefined
  /**
   * The status of a callback, and of the return of the customer's browser, while the outcome is unknown: `unknown`, or
   * `processing`, since the family's PHP library takes `unknown` for an error. Statuses always say `unknown`. Default `unknown`.
   */
  readonly unknownAs?: UnknownAs | undefined
}

/** Of which the callback of a later operation has the amount. */
type CallbackAmount = 'operation' | 'payment'

/** How callbacks and the browser's return show an unknown outcome. */
type UnknownAs = 'unknown' | 'processing'

/** An endpoint, checked. */
export interface Endpoint extends ReadLimits {
  readonly id: string
  readonly currencies: ReadonlySet<string> | undefined
  readonly requiredFields: readonly string[]
  readonly settleAfter: number
  readonly holdFor: number
  readonly payoutCheckFor: number
  readonly formLifetime: number
  readonly charges: ChargeTime
  readonly notifyUrl: string | undefined
  readonly descriptor: string | undefined
  readonly callbackAmount: CallbackAmount
  readonly unknownAs: UnknownAs
}

/** Our choice: no source says how long a page of the family lives. */
export const DEFAULT_FORM_LIFETIME = 30 * 60_000

/** The names of all fields of all requests, as the models spell them. */
const FIELD_NAMES: ReadonlySet<string> = new Set(
  operationKeys.flatMap((key) => Object.keys(catalogue[key].request.fields)),
)

const CURRENCIES: Validator = {
  ...validator.listOf(validator.text),
  wanted: 'a list of ISO 4217 letters, such as [USD, EUR]',
}

/** Kinds alone. What is in the options is checked where it is read. */
const KINDS: Validators<EndpointOptions> = {
  id: validator.anything,
  currencies: CURRENCIES,
  requiredFields: validator.list,
  limits: validator.object,
  settleAfter: validator.anything,
  holdFor: validator.anything,
  payoutCheckFor: validator.anything,
  charges: validator.object,
  formLifetime: validator.anything,
  notifyUrl: validator.text,
  descriptor: validator.anything,
  callbackAmount: validator.oneOf('operation', 'payment'),
  unknownAs: validator.oneOf('unknown', 'processing'),
}

/** @throws TypeError that names the setting */
export function readEndpoint(options: EndpointOptions, name: string, rules: AddressRules): Endpoint {
  checkOptions(name, options, KINDS)
  const { id, currencies, requiredFields = [], limits = {}, notifyUrl, descriptor } = options
  const unknownField = requiredFields.find((field) => !FIELD_NAMES.has(field))
  if (unknownField !== undefined) {
    throw new TypeError(`${name}.requiredFields: no request has a field ${unknownField}; use the names of the models`)
  }
  return {
    id: readSetting(`${name}.id`, () => readId(id)),
    currencies: readSetting(`${name}.currencies`, () => readCurrencies(currencies)),
    requiredFields,
    ...readTimes(options, name),
    formLifetime: readSetting(`${name}.formLifetime`, () =>
      readPatience(options.formLifetime ?? DEFAULT_FORM_LIFETIME),
    ),
    charges: readChargeTime(options.charges, `${name}.charges`),
    notifyUrl: readSetting(`${name}.notifyUrl`, () => readNotifyUrl(notifyUrl, rules)),
    descriptor: readSetting(`${name}.descriptor`, () => readDescriptor(descriptor)),
    callbackAmount: options.callbackAmount ?? 'operation',
    unknownAs: options.unknownAs ?? 'unknown',
    ...readLimits(limits, `${name}.limits`),
  }
}

type Times = Pick<Endpoint, 'settleAfter' | 'holdFor' | 'payoutCheckFor'>

function readTimes(options: EndpointOptions, name: string): Times {
  const readTime = (time: keyof Times, read: (given: Duration) => number) =>
    readSetting(`${name}.${time}`, () => read(options[time] ?? DEFAULT_TIMES[time]))
  return {
    settleAfter: readTime('settleAfter', storedMilliseconds),
    holdFor: readTime('holdFor', readPatience),
    payoutCheckFor: readTime('payoutCheckFor', readPatience),
  }
}

/** How long someone has to act. With 0, no hold could be captured, no check paid and no form sent. */
function readPatience(duration: Duration): number {
  const length = storedMilliseconds(duration)
  if (length === 0)
    throw new TypeError('must be longer than 0: nobody could act in that time; leave it out for the default')
  return length
}

/** Checks the text alone: where a host name leads is known only when it is called. */
function readNotifyUrl(url: string | undefined, rules: AddressRules): string | undefined {
  const issue = url === undefined ? undefined : callbackAddressIssue(url, rules)
  if (issue !== undefined) throw new TypeError(`is not an address that can be called: it ${ADDRESS_RULES[issue]}`)
  const taken = url === undefined ? undefined : callbackQueryIssue(url)
  if (taken !== undefined) throw new TypeError(taken)
  return url
}

/** A line on a statement. Issuers cut longer ones; plain JavaScript may give something that is not a text. */
function readDescriptor(descriptor: string | undefined): string | undefined {
  if (descriptor === undefined) return undefined
  if (typeof descriptor !== 'string' || !/^\P{Cc}{1,128}$/u.test(descriptor) || descriptor.trim() === '') {
    throw new TypeError('must be one line of text, at most 128 characters')
  }
  return descriptor
}

/** Limits hold in every currency, so they are compared in the smallest unit of any currency: four decimals. */
const DECIMALS = 4

type Limits = NonNullable<EndpointOptions['limits']>

/** The limits of an endpoint, checked. */
interface ReadLimits {
  /** Whether an order may have this amount, in major units. */
  allows(amount: string): boolean
  /** The limits in words, for the message of a refusal. */
  readonly limitsText: string
}

const LIMIT_KINDS: Validators<Limits> = { min: validator.text, max: validator.text }

/** @throws TypeError that names the setting */
function readLimits(limits: Limits, name: string): ReadLimits {
  checkOptions(name, limits, LIMIT_KINDS)
  const { min, max } = limits
  const least = min === undefined ? 0n : readSetting(name, () => scaled(min))
  const most = max === undefined ? undefined : readSetting(name, () => scaled(max))
  if (most !== undefined && least > most) throw new TypeError(`${name}: min is above max`)
  const texts = [min === undefined ? [] : `at least ${min}`, max === undefined ? [] : `at most ${max}`].flat()
  return {
    allows: (amount) => scaled(amount) >= least && (most === undefined || scaled(amount) <= most),
    limitsText: texts.join(' and '),
  }
}

function scaled(amount: string): bigint {
  const digits = toMinorUnits(amount.trim(), DECIMALS)
  if (digits === undefined)
    throw new TypeError(`${amount} is not an amount; write major units with a dot, such as 10.50`)
  return BigInt(digits)
}

/** A century. Nobody waits longer, and its end is still a valid date. */
const LONGEST = '36500d'

/**
 * A duration as stores keep it and add it to a time.
 *
 * @throws TypeError when it is none, not whole, or longer than a century
 */
function storedMilliseconds(duration: Duration): number {
  const length = milliseconds(duration)
  if (Number.isInteger(length) && length <= milliseconds(LONGEST)) return length
  throw new TypeError(`must be whole milliseconds, and ${LONGEST} at most; it is ${duration}`)
}

const CHARGE_KINDS: Validators<ChargeTimeOptions> = { time: validator.text, timeZone: validator.text }

/** @throws TypeError that names the setting */
function readChargeTime(given: ChargeTimeOptions = {}, name: string): ChargeTime {
  checkOptions(name, given, CHARGE_KINDS)
  const { time = DEFAULT_CHARGE_TIME.time, timeZone = DEFAULT_CHARGE_TIME.timeZone } = given
  // Any date will do to check that the time and the time zone exist.
  readSetting(name, () => chargeInstant({ date: '2000-01-01', time, timeZone }))
  return { time, timeZone }
}

/** The format of requests: a currency that no request could have is a mistake here. */
const CURRENCY = catalogue.sale.request.fields.currency.format

/**
 * The currencies that an endpoint accepts. Three letters that are not a currency are most likely a typing error, and payments
 * in the intended currency would be refused.
 *
 * @throws TypeError that suggests what was meant
 */
function readCurrencies(currencies: readonly string[] | undefined): ReadonlySet<string> | undefined {
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
