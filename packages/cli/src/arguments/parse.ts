import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { catalogue, type OperationKey, operationKeys, type Pair } from '@tallystick/core'
import { nearestName } from '@tallystick/core/internal'

/** The command line is wrong, or a file that it names. The message says what to do. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Options and operands. @throws UsageError */
export function parse<const Options extends ParseArgsOptionsConfig>(
  command: string,
  args: readonly string[],
  options: Options,
) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    throw new UsageError(`${reasonOf(error, Object.keys(options))}\nSee tallystick ${command} --help`)
  }
}

/** Only Node's first sentence: the rest explains how operands could begin with a hyphen. */
function reasonOf(error: unknown, known: readonly string[]): string {
  const { message } = error as Error
  const strange = /^Unknown option '([^']*)'/.exec(message)?.[1]
  if (strange === undefined) return message.replace(/\. To specify.*/s, '')
  return unknownOption(strange, [...known, 'help'])
}

/** Names the option that was meant, if one is near. */
export function unknownOption(typed: string, known: readonly string[]): string {
  const near = nearestName(typed.replace(/^-+/, ''), known)
  return `there is no option ${typed}${near === undefined ? '' : `: did you mean --${near}?`}`
}

/** @throws UsageError if it is not given */
export function needed(value: string | undefined, option: string, meaning: string): string {
  if (value === undefined || value === '') throw new UsageError(`${option} is missing: ${meaning}`)
  return value
}

/** Names of the library, as a reader of the command line knows them: options, or the interface's own words. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['allowPlainHttp', '--allow-plain-http'],
  ['baseUrl', '--base-url'],
  ['clientOrderId', 'client_orderid'],
  ['controlKey', 'control key'],
  ['endpointGroupId', '--group'],
  ['endpointId', '--endpoint'],
  ['login', '--login'],
  ['orderId', 'orderid'],
  ['privateKey', '--private-key-file'],
  ['proxy', '--proxy'],
])

/** `login` and `proxy` are words too. */
const NAME = /\b[a-z]+[A-Z]\w*|\b\w+\b(?= must\b|\))/g

/** What the library says, with the names that somebody at the command line has typed. */
export function asTyped(message: string): string {
  return message.replaceAll(NAME, (name) => NAMES.get(name) ?? name)
}

/** Hands what the caller gave to a function of the library, which refuses it with a TypeError. @throws UsageError that says why */
export function given<Result>(read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    throw error instanceof TypeError
      ? new UsageError(asTyped(error.message.replace(FUNCTION, '')), { cause: error })
      : error
  }
}

/** The function that refuses it. */
const FUNCTION = /^(?:createPaymentClient|undiciTransport): /

/** An absolute address of http or https. @throws UsageError that names the option */
export function httpAddress(url: string, option: string, example: string): URL {
  if (URL.canParse(url) && /^https?:/i.test(url)) return new URL(url)
  throw new UsageError(`${option} takes an absolute address, such as ${example}`)
}

/** The object that a JSON text holds, or `undefined` if it holds none. */
export function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

/** The operation that a word means: `saleForm`, `sale-form` and `SALEFORM` are one. @throws UsageError */
export function operationOf(word: string): OperationKey {
  const key = operationKeys.find((each) => plain(each) === plain(word) || plain(catalogue[each].name) === plain(word))
  if (key !== undefined) return key
  const near = nearestName(word, operationKeys)
  const hint = near === undefined ? 'see tallystick sign --help' : `did you mean ${near}?`
  throw new UsageError(`there is no operation ${word}: ${hint}`)
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[-_]/g, '')
}

/** `FIELD=VALUE` operands, by their names on the wire. @throws UsageError */
export function pairsOf(operands: readonly string[]): readonly Pair[] {
  const pairs = operands.map(pairOf)
  const names = pairs.map(([name]) => name)
  const twice = names.find((name, index) => names.indexOf(name) < index)
  if (twice !== undefined) throw new UsageError(`${twice} is given twice`)
  return pairs
}

function pairOf(operand: string): Pair {
  const equals = operand.indexOf('=')
  if (equals < 1) throw new UsageError('a field is given as FIELD=VALUE, such as amount=10.42')
  return [operand.slice(0, equals), operand.slice(equals + 1)]
}

/** Seconds since 1970. @throws UsageError that names the option */
export function secondsSince1970(text: string, option: string): number {
  if (/^\d{10}$/.test(text)) return Number(text)
  throw new UsageError(`${option} takes seconds since 1970, such as 1893456000`)
}
