import { operationKeys } from '@tallystick/core'
import { nearestName, STATUSES, suggestName } from '@tallystick/core/internal'

type Given = Readonly<Record<string, unknown>>

/**
 * A misspelt field would leave its default in force, and the test would be about something else.
 *
 * @param where the function that got the fields: `rejected`
 * @throws TypeError that names the field which may have been meant
 */
export function requireFields(where: string, given: unknown, known: readonly string[]): Given {
  if (!isFields(given)) {
    const what = Array.isArray(given) ? 'a list' : given === null ? 'null' : typeof given
    throw new TypeError(`${where}: the fields must be an object, not ${what}: is the name of the variable spelt right?`)
  }
  for (const name of Object.keys(given)) {
    if (!known.includes(name)) throw new TypeError(`${where}: there is no field ${name}; ${suggestName(name, known)}`)
  }
  return given
}

/**
 * Requires fields of a reply, all of which are texts. A field that is `undefined` is left out.
 *
 * @throws TypeError that names the field
 */
export function requireTexts(where: string, given: unknown, known: readonly string[]): void {
  for (const [name, value] of Object.entries(requireFields(where, given, known))) {
    if (name === 'extra') requireExtra(where, value)
    else if (value !== undefined && typeof value !== 'string') throw new TypeError(`${where}: ${name} must be a text`)
    else if (name === 'status' && value !== undefined) requireStatus(where, value)
  }
}

/** @throws TypeError if the undocumented fields are not texts by their names */
export function requireExtra(where: string, value: unknown): void {
  if (value === undefined || (isFields(value) && Object.values(value).every((one) => typeof one === 'string'))) return
  throw new TypeError(`${where}: extra must be an object of texts by their wire names`)
}

/** An unknown status may be that of some gateway, unless it looks like a misspelt known one. */
function requireStatus(where: string, status: string): void {
  const meant = STATUSES.find((known) => isSlipOf(status, known))
  if (meant === undefined) return
  const onPurpose = `{ extra: { status: '${status}' } }`
  throw new TypeError(`${where}: status: did you mean ${meant}? A gateway that spells it so: ${onPurpose}`)
}

/** Whether two texts differ within two neighbouring letters: one is wrong, missing or extra, or two are swapped. */
function isSlipOf(given: string, known: string): boolean {
  const [one, other] = [given.split(''), known.split('')]
  const begin = commonBeginning(one, other)
  const end = commonBeginning(one.slice(begin).toReversed(), other.slice(begin).toReversed())
  return given !== known && Math.max(given.length, known.length) - begin - end <= 2
}

function commonBeginning(one: readonly string[], other: readonly string[]): number {
  const firstDifference = one.findIndex((letter, index) => letter !== other[index])
  return firstDifference === -1 ? one.length : firstDifference
}

function isFields(value: unknown): value is Given {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Test runners, promises and printers look for these names in every object. A table gives `undefined`, as any object does. */
const ASKED_OF_ANYTHING: ReadonlySet<string> = new Set(['then', 'toJSON', 'asymmetricMatch', 'nodeType', 'tagName'])

/** Whether a test may have written the name. */
export function isWritten(name: string | symbol): name is string {
  return typeof name === 'string' && /^[a-z]\w*$/i.test(name) && !ASKED_OF_ANYTHING.has(name) && !(name in {})
}

/**
 * A table that throws for unknown names: in a program without types a misspelt one would be `undefined`, which a spread ignores.
 * Otherwise it has the values, keys and types of the given table.
 *
 * @param where the name of the table: `cards`
 * @throws TypeError if an unknown name is read, with the one that may have been meant
 */
export function namedTable<const Table extends object>(where: string, table: Table): Table {
  return new Proxy(table, {
    get: (_target, name) => {
      if (!Object.hasOwn(table, name) && isWritten(name)) {
        throw new TypeError(`${where}: there is no ${name}; ${suggestion(name, Object.keys(table))}`)
      }
      return Reflect.get(table, name)
    },
  })
}

/** The nearest name, or else those with a similar beginning: `looseReply` is nearly the beginning of two faults. */
function suggestion(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known)
  const meant =
    nearest === undefined ? known.filter((one) => nearestName(name, [one.slice(0, name.length)])) : [nearest]
  return meant.length === 0 ? `there are ${known.join(', ')}` : `did you mean ${meant.join(' or ')}?`
}

/**
 * A program without types may leave it out. Then a gateway would show any order, and the test would be about that one.
 *
 * @throws TypeError
 */
export function requireClientOrderId(where: string, clientOrderId: string): void {
  if (typeof clientOrderId === 'string' && clientOrderId !== '') return
  const given = clientOrderId === '' ? 'an empty one' : String(clientOrderId)
  throw new TypeError(`${where}: the client order id must be a text, not ${given}`)
}

/**
 * A program without types may name anything, and nothing would ever meet an answer or a fault for an unknown operation.
 *
 * @throws TypeError that names the operation which may have been meant
 */
export function requireOperation(where: string, operation: string): void {
  if (operationKeys.some((key) => key === operation)) return
  throw new TypeError(`${where}: there is no operation ${operation}; ${suggestName(String(operation), operationKeys)}`)
}
