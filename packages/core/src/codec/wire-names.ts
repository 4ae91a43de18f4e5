import { MalformedFormError } from '../errors/payment-error.ts'
import { isBlank } from '../models/extra.ts'
import type { Spelling } from '../models/field.ts'
import type { Model } from '../models/model.ts'
import type { Profile } from '../profile/profile.ts'
import { type Pair, singleValues } from './form.ts'

/** The texts of a model by its own names, and undocumented ones by their wire names. */
interface NamedTexts {
  readonly known: Readonly<Record<string, string>>
  readonly extra: ReadonlyMap<string, string>
}

/** The fields of replies and callbacks that decide anything. All others are labels: none of them costs a whole message. */
const DECIDING: ReadonlySet<string> = new Set([
  'type',
  'status',
  'control',
  'orderId',
  'clientOrderId',
  'amount',
  'initialAmount',
  'currency',
  'transactionType',
  'orderStage',
  'cardRefId',
  'recurringPaymentId',
  'serialNumber',
  'byRequestSn',
])

/** What a gateway says of an error may mean that there is no such order. It costs no message, but nobody may read half of it. */
const SAID: ReadonlySet<string> = new Set(['errorCode', 'errorMessage'])

/** Whether a field of the model decides anything, by its name on the wire. */
export function decidesIn(model: Model, wireName: string, profile?: Profile): boolean {
  return DECIDING.has(model.spelling(profile?.wireNames).read.get(wireName) ?? '')
}

/**
 * Sorts what arrived by the names of the model. A field may come under its wire name or an alias; under two of them
 * only with the same value. A blank value counts as absent (gaps part 2.4).
 *
 * @throws MalformedFormError `repeated-name`
 */
export function nameTexts(model: Model, pairs: readonly Pair[], profile?: Profile): NamedTexts {
  const spelling = model.spelling(profile?.wireNames)
  return sortTexts(spelling, pairs) ?? mergeTexts(spelling.read, singleValues(pairs), () => true)
}

/** `undefined` if a name or a field comes twice. */
function sortTexts(spelling: Spelling, pairs: readonly Pair[]): NamedTexts | undefined {
  const nameOf = nameFinder(spelling)
  const known: Record<string, string> = {}
  let extra: Map<string, string> | undefined
  for (const [wireName, text] of pairs) {
    const name = nameOf(wireName)
    if (name === undefined) {
      if (extra?.has(wireName)) return undefined
      extra ??= new Map()
      extra.set(wireName, text)
    } else if (known[name] === undefined) known[name] = text
    else return undefined
  }
  return { known, extra: extra ?? NO_EXTRA }
}

const NO_EXTRA: ReadonlyMap<string, string> = new Map()

/** The same for a form that gives a field twice, as callbacks do with the merchant's order id. */
function mergeTexts(
  names: ReadonlyMap<string, string>,
  pairs: Iterable<Pair>,
  mustAgree: (name: string) => boolean,
): NamedTexts {
  const known: Record<string, string> = {}
  const extra = new Map<string, string>()
  for (const [wireName, text] of pairs) {
    const name = names.get(wireName)
    if (name === undefined) extra.set(wireName, extra.get(wireName) ?? text)
    else if (isBlank(known[name]) || known[name] === text) known[name] = text
    else if (!isBlank(text) && mustAgree(name)) throw repeatedUnderAlias(name, wireName)
    else if (!isBlank(text) && SAID.has(name)) known[name] = `${known[name]}; ${text}`
  }
  return { known, extra }
}

/**
 * The same for a message of the other side. Of a label that comes twice the first value is kept, of an error all, and characters that no text
 * can have, which databases and encoders refuse, become U+FFFD.
 *
 * @throws MalformedFormError `repeated-name` if a field that decides comes twice
 */
function openTexts(model: Model, pairs: readonly Pair[], profile?: Profile): NamedTexts {
  const spelling = model.spelling(profile?.wireNames)
  const decides = (name: string | undefined) => name !== undefined && DECIDING.has(name)
  const texts = pairs.every(isSound)
    ? pairs
    : pairs.map(([name, text]): Pair => [soundText(name), decides(spelling.read.get(name)) ? text : soundText(text)])
  const sorted = sortTexts(spelling, texts)
  if (sorted !== undefined) return sorted
  singleValues(texts.filter(([name]) => decides(spelling.read.get(name))))
  return mergeTexts(spelling.read, texts, decides)
}

function isSound([name, text]: Pair): boolean {
  return name.isWellFormed() && text.isWellFormed() && !name.includes('\0') && !text.includes('\0')
}

function soundText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\ufffd')
}

/** What came from the other side in one record, for `parseModel`. */
export function openValuesOf(
  model: Model,
  pairs: readonly Pair[],
  profile?: Profile,
): Readonly<Record<string, unknown>> {
  return inOneRecord(openTexts(model, pairs, profile))
}

/** The same in one record, for `parseModel`. */
export function valuesOf(model: Model, pairs: readonly Pair[], profile?: Profile): Readonly<Record<string, unknown>> {
  return inOneRecord(nameTexts(model, pairs, profile))
}

function inOneRecord({ known, extra }: NamedTexts): Readonly<Record<string, unknown>> {
  return extra.size > 0 ? { ...known, extra: Object.fromEntries(extra) } : known
}

function repeatedUnderAlias(name: string, wireName: string): MalformedFormError {
  return new MalformedFormError(
    'repeated-name',
    `The form gives ${name} twice with different values, once as ${wireName}; send it once.`,
  )
}

/** How many absent fields in a row are skipped before the name is looked up. */
const MOST_PASSED_OVER = 8

/**
 * Finds the model's names for the wire names of one form, in turn, as `read.get` does. Most senders keep the order of the
 * model: comparing with the next names takes a quarter of the time of looking up a text that was just read.
 */
export function nameFinder({ inOrder, read }: Spelling): (wireName: string) => string | undefined {
  let next = 0
  return (wireName) => {
    for (let at = next; at <= next + MOST_PASSED_OVER; at++) {
      const field = inOrder[at]
      if (field === undefined) break
      if (field[1] !== wireName) continue
      next = at + 1
      return field[0]
    }
    return read.get(wireName)
  }
}
