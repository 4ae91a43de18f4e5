import { regexes } from 'zod/v4/core'
import { isDay } from '../schedules/calendar.ts'
import { Cvv, Payload } from '../sensitive/masked.ts'
import { Pan } from '../sensitive/pan.ts'
import { type Format, format, usualText } from './format.ts'
import * as z from './schemas.ts'

/** Whether a text has so many characters, as JSON Schema counts them: two units of UTF-16 for one character count once. */
function hasLength(text: string, min: number, max: number): boolean {
  const { length } = text
  // A very long text need not be counted.
  if (length > 2 * max) return false
  const characters = length - (text.match(PAIR)?.length ?? 0)
  return characters >= min && characters <= max
}

/** Two units of UTF-16 that are one character. */
const PAIR = /[\ud800-\udbff][\udc00-\udfff]/g

const textOrNumber = () => z.union(z.transform(z.number(), String), z.string())

/** Any text of 1 to `max` characters. Leading and trailing white space is dropped (gaps part 2.4). */
export function text(
  max: number,
  remedy = `Supply it as a text and shorten it to ${max} characters.`,
): Format<string, string> {
  return format(() => z.trimmed((each) => hasLength(each, 1, max) && each.isWellFormed()), {
    usual: usualText({ minLength: 1, maxLength: max, pattern: /^[!-~]+(?: [!-~]+)*$/ }),
    wire: { type: 'string', minLength: 1, maxLength: max },
    bound: `text of 1 to ${max} characters`,
    remedy,
  })
}

/**
 * A name that is printed: on pages, in logs and in messages, and compared by people. So it has nothing that does not show or that
 * turns the text around it: control characters, zero-width and direction marks, line separators. Letters of any script are fine.
 */
export function name(max: number): Format<string, string> {
  return format(() => z.trimmed((each) => hasLength(each, 1, max) && each.isWellFormed() && !hidesCharacters(each)), {
    usual: usualText({ minLength: 1, maxLength: max, pattern: /^[!-~]+(?: [!-~]+)*$/ }),
    wire: { type: 'string', minLength: 1, maxLength: max },
    bound: `text of 1 to ${max} characters, all printable`,
    remedy: `Take out tabs, line breaks, zero-width and direction marks; if it is longer, shorten it to ${max} characters.`,
  })
}

let hidden: RegExp | undefined

/** Whether a text has characters that do not show or that turn the text around them. Made at first use: see `inAscii`. */
export function hidesCharacters(text: string): boolean {
  hidden ??= /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{DI}]/u
  return hidden.test(text)
}

/**
 * A text of a fixed shape. `bound` and `remedy` say in words what `pattern` says; `usual` is a part of it, without characters
 * beyond ASCII and white space at the ends.
 */
function shaped(
  pattern: RegExp,
  sizes: { minLength?: number; maxLength?: number },
  words: { bound: string; remedy: string },
  usual = pattern,
): Format<string, string> {
  const { minLength = 1, maxLength = 65_536 } = sizes
  const isRight = (each: string) => hasLength(each, minLength, maxLength) && pattern.test(each) && each.isWellFormed()
  return format(() => z.trimmed(isRight), {
    usual: usualText({ minLength, maxLength, pattern: usual }),
    wire: { type: 'string', pattern: pattern.source, ...sizes },
    ...words,
  })
}

/** Decimal digits, `min` to `max` of them. */
export function digits(min: number, max: number): Format<string, string> {
  const count = min === max ? `${min}` : `${min} to ${max}`
  return shaped(
    /^\d+$/,
    { minLength: min, maxLength: max },
    { bound: `${count} digits`, remedy: 'Send digits alone, without spaces or signs.' },
  )
}

/** An id that a gateway made: text of at most `max` characters. */
export function id(max: number): Format<string, string> {
  return shaped(
    /^[\w-]+$/,
    { maxLength: max },
    {
      bound: `an id of at most ${max} letters, digits, - or _`,
      remedy: 'Send the id as the gateway gave it, kept as text.',
    },
  )
}

const DECIMAL = '(?:0|[1-9]\\d*)(?:\\.\\d{1,4})?'
const ONE_DECIMAL = new RegExp(`^${DECIMAL}$`)
const LONGEST_AMOUNT = 10

function isAmount(text: string): boolean {
  return text.length <= LONGEST_AMOUNT && ONE_DECIMAL.test(text) && /[1-9]/.test(text)
}

/** An amount as text in major units: `'10.42'`. Any text; its name is what the compiler says to a caller with a number. */
export type AmountText = string & Record<never, never>

/** A positive decimal amount in major units with a dot. How many decimals it may have depends on the currency. */
export const amount: Format<AmountText, AmountText> = format(() => z.trimmed(isAmount), {
  // If the first digit is not 0, it is above zero.
  usual: usualText({ minLength: 1, maxLength: LONGEST_AMOUNT, pattern: /^[1-9]\d*(?:\.\d{1,4})?$/ }),
  wire: { type: 'string', maxLength: LONGEST_AMOUNT, pattern: ONE_DECIMAL.source, format: 'decimal' },
  bound: 'a decimal text above zero in major units, such as "10.42", of at most 10 characters',
  remedy: 'Send it as text with a dot, without sign, leading zeros or grouping; never as a number.',
})

const LONGEST_LIST = 128

/** Amounts separated by commas, to be tried or charged in turn: each in the format of a single one. */
export const amountList: Format<string, string> = format(
  () => z.trimmed((list) => list.length <= LONGEST_LIST && amountsIn(list).every(isAmount)),
  {
    wire: { type: 'string', maxLength: LONGEST_LIST, pattern: `^${DECIMAL}(?:,${DECIMAL})*$` },
    bound:
      'decimal texts above zero in major units, separated by commas, such as "10.00,5.00", each of at most 10 characters',
    remedy: 'Leave out spaces, signs and leading zeros.',
  },
)

/** The amounts of a list, or the single one. */
export function amountsIn(text: string): readonly string[] {
  return text.split(',')
}

/** The currency of money: `XXX` is ISO 4217's code for none, and replies leave out money that has it. */
export const currency: Format<string, string> = shaped(
  /^(?!XXX)[A-Z]{3}$/,
  { minLength: 3, maxLength: 3 },
  {
    bound: 'three capital letters (ISO 4217), such as "EUR"',
    remedy: 'Send the alphabetic code in capitals, neither a name nor a sign; "XXX" stands for no currency.',
  },
)

export const country: Format<string, string> = shaped(
  /^[A-Z]{2}$/,
  { minLength: 2, maxLength: 2 },
  {
    bound: 'two capital letters (ISO 3166-1 alpha-2), such as "DE"',
    remedy: 'Send the two-letter code in capitals, not the name of the country.',
  },
)

export function email(max: number): Format<string, string> {
  return shaped(
    /^[^\s@]+@[^\s@]+$/,
    { minLength: 3, maxLength: max },
    { bound: `an e-mail address of at most ${max} characters`, remedy: 'Send one address, such as "a@example.com".' },
    /^[!-?A-~]+@[!-?A-~]+$/,
  )
}

export const phone: Format<string, string> = shaped(
  /^[-0-9+() ]+$/,
  { minLength: 6, maxLength: 15 },
  {
    bound: '6 to 15 digits, which may be grouped by + - ( ) or spaces',
    remedy: 'Send one number, such as "+12345678900".',
  },
  /^[-0-9+()]+$/,
)

const LONGEST_IP = 45

export const ipAddress: Format<string, string> = format(
  () =>
    z.pipe(
      z.trimmed((each) => each.length <= LONGEST_IP),
      z.union(z.ipv4(), z.ipv6()),
    ),
  {
    usual: usualText({ minLength: 7, maxLength: 15, pattern: regexes.ipv4 }),
    wire: { type: 'string', minLength: 2, maxLength: LONGEST_IP },
    bound: 'an IPv4 or IPv6 address',
    remedy: "Send the customer's address, without a port.",
  },
)

/** An absolute web address. */
export function webAddress(max: number): Format<string, string> {
  return shaped(
    // One character of a host, then anything: a second repetition over the same characters would take quadratic time.
    /^https?:\/\/[^\s/?#]\S*$/i,
    { maxLength: max },
    {
      bound: `an absolute http or https address of at most ${max} characters`,
      remedy: 'Send it with scheme and host.',
    },
    /^https?:\/\/[0-9a-z][!-~]*$/i,
  )
}

/** A yes or no that travels as `true` or `false`. */
export const flag: Format<boolean | 'true' | 'false', boolean> = format(
  () =>
    z.union(
      z.boolean(),
      z.transform(z.literals(['true', 'false'] as const), (value) => value === 'true'),
    ),
  {
    usual: (value) =>
      typeof value === 'boolean' ? value : value === 'true' || (value === 'false' ? false : undefined),
    wire: { type: 'string', enum: ['true', 'false'] },
    bound: 'true or false',
    remedy: 'Send one of the two.',
  },
)

/** One of the texts given, and no other. */
export function oneOf<const Values extends readonly [string, ...string[]]>(
  ...values: Values
): Format<Values[number], Values[number]> {
  return format(() => z.literals(values), {
    usual: (value) => values.find((each) => each === value),
    wire: { type: 'string', enum: values },
    bound: `one of ${values.map((value) => `"${value}"`).join(', ')}`,
    remedy: 'Send one of these, spelled so.',
  })
}

/** A whole number from `min` to `max`; the model keeps its decimal text. */
export function wholeNumber(
  min: number,
  max: number,
  { width = 1, remedy = 'Send digits alone.' } = {},
): Format<string | number, string> {
  const fits = (value: string) => /^-?\d{1,9}$/.test(value) && Number(value) >= min && Number(value) <= max
  const kept = (value: string) => String(Number(value)).padStart(width, '0')
  return format(() => z.transform(z.pipe(textOrNumber(), z.trimmed(fits)), kept), {
    usual: (value) => (typeof value === 'string' && fits(value) ? kept(value) : undefined),
    wire: { type: 'string', pattern: '^-?\\d{1,9}$' },
    bound: `a whole number from ${min} to ${max}`,
    remedy,
  })
}

/** `1` to `12`; kept with two digits. */
export const expiryMonth: Format<string | number, string> = wholeNumber(1, 12, {
  width: 2,
  remedy: 'Send the month that is printed on the card, such as "04".',
})

/** Four digits, or the last two (which the family's older clients send); kept with four. */
export const expiryYear: Format<string | number, string> = format(
  () =>
    z.transform(
      z.pipe(
        textOrNumber(),
        z.trimmed((each) => /^(?:20)?\d{2}$/.test(each)),
      ),
      (value) => value.slice(-2).padStart(4, '20'),
    ),
  {
    usual: usualText({ minLength: 4, maxLength: 4, pattern: /^20\d{2}$/ }),
    wire: { type: 'string', pattern: '^(?:20)?\\d{2}$' },
    bound: 'a year of four digits (or its last two) from 2000 to 2099',
    remedy: 'Send the year that is printed on the card, such as "2030".',
  },
)

/** A calendar day as `YYYYMMDD`. */
export const birthday: Format<string, string> = shaped(
  /^\d{4}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/,
  { minLength: 8, maxLength: 8 },
  { bound: 'a day as YYYYMMDD', remedy: 'Send eight digits, such as "19801231".' },
)

/** A calendar day as `YYYY-MM-DD` from which charges can be calculated. */
export const day: Format<string, string> = format(() => z.trimmed(isDay), {
  wire: { type: 'string', format: 'date' },
  bound: 'a day of the calendar from 1970 on as YYYY-MM-DD',
  remedy: 'Send a day that exists, such as "2030-01-31".',
})

/** Card data: an object of its class, or the digits to make one of. */
function cardData<Kept extends Pan | Cvv | Payload>(
  Class: new (digits: string) => Kept,
  isRight: (text: string) => boolean,
  words: Pick<Format, 'wire' | 'bound' | 'remedy'>,
): Format<string | Kept, Kept> {
  return format(
    () =>
      z.union(
        z.custom<Kept>((value) => value instanceof Class),
        z.transform(z.trimmed(isRight), (digits) => new Class(digits)),
      ),
    {
      usual: (value) => {
        if (value instanceof Class) return value
        return typeof value === 'string' && isRight(value) ? new Class(value) : undefined
      },
      ...words,
    },
  )
}

/** A card number: a `Pan`, or its digits. */
export const pan: Format<string | Pan, Pan> = cardData(Pan, (text) => Pan.isPan(text), {
  wire: { type: 'string', minLength: 12, maxLength: 19, pattern: '^\\d+$' },
  bound: '12 to 19 digits that pass the Luhn check',
  remedy: 'Send the digits without spaces, and check that none was mistyped.',
})

/** A card verification value: a `Cvv`, or its digits. */
export const cvv: Format<string | Cvv, Cvv> = cardData(Cvv, (text) => Cvv.isCvv(text), {
  wire: { type: 'string', minLength: 3, maxLength: 4, pattern: '^\\d+$' },
  bound: '3 or 4 digits',
  remedy: 'Send the code as printed on the card.',
})

const LONGEST_PAYLOAD = 65_536

/** Rows of comma-separated values, which may hold card data: a `Payload`, or its text. */
export const payload: Format<string | Payload, Payload> = cardData(
  Payload,
  (text) => text !== '' && text === text.trim() && text.length <= LONGEST_PAYLOAD && text.isWellFormed(),
  {
    wire: { type: 'string', minLength: 1, maxLength: LONGEST_PAYLOAD },
    bound: `rows of comma-separated values of at most ${LONGEST_PAYLOAD} characters`,
    remedy: 'Make it with recurringRows, or write a header and a line for each recurring payment.',
  },
)
