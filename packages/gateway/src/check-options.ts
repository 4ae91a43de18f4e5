import type { GatewayOptions } from './options.ts'

/** What is wrong with a value, completing "the option must be ...". `undefined`: nothing. */
type Check = (value: unknown) => string | undefined

const text = kind('a text', (value) => typeof value === 'string')
const list = kind('a list', (value) => Array.isArray(value))
const flag = kind('true or false', (value) => typeof value === 'boolean')
const listener = kind('a function', (value) => typeof value === 'function')
const record = kind('an object', isRecord)
const count = kind('a whole number from 1 on', (value) => Number.isSafeInteger(value) && Number(value) >= 1)

/** Every option with its kind. What is in it is checked where it is read. */
const CHECKS: Readonly<Record<keyof GatewayOptions, Check>> = {
  publicUrl: text,
  merchants: list,
  store: withMethods('a store, such as sqliteStore(file)', 'commit', 'orderById', 'reset', 'close'),
  vaultKeys: kind('what readVaultKeys(text) gives', (value) => isRecord(value) && value['wrapping'] instanceof Map),
  acquirer: withMethods('an acquirer', 'prepare', 'execute', 'authenticate', 'lookup'),
  clock: withMethods('a clock, such as virtualClock()', 'now', 'schedule'),
  ids: withMethods('a source of ids', 'orderId', 'serialNumber', 'pageToken'),
  sendCallback: listener,
  replyFormat: kind("'json' or 'classic'", (value) => value === 'json' || value === 'classic'),
  sandbox: flag,
  chaos: record,
  allowRepeats: flag,
  numericIds: flag,
  maxConcurrentRequests: count,
  profile: record,
  onAnswer: listener,
  onError: listener,
}

const NAMES = Object.keys(CHECKS) as readonly (keyof GatewayOptions)[]

/** These have no default. */
const REQUIRED: readonly string[] = ['publicUrl', 'merchants']

/**
 * A program without types may hand over anything, and a misspelled option would leave its default in force.
 *
 * @throws TypeError that names the option
 */
export function checkOptions(options: GatewayOptions): void {
  if (!isRecord(options)) throw new TypeError('createGateway takes an object of options')
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(CHECKS, name))
  if (unknown !== undefined) throw new TypeError(`${unknown}: there is no such option; there are ${NAMES.join(', ')}`)
  for (const name of NAMES) {
    const isLeftOut = options[name] === undefined && !REQUIRED.includes(name)
    const wanted = isLeftOut ? undefined : CHECKS[name](options[name])
    if (wanted !== undefined) throw new TypeError(`${name}: must be ${wanted}`)
  }
  if (options.chaos !== undefined && options.sandbox !== true) {
    throw new TypeError('chaos: faults are for a sandbox alone; say sandbox: true as well')
  }
  if (options.store?.durable === true && options.vaultKeys === undefined) throw new TypeError(KEYS_MISSING)
}

/** Cards that are sealed under keys of the process would never open again. */
const KEYS_MISSING =
  'vaultKeys: the store outlives the process, so the keys of its cards have to as well; make a key file with ' +
  '`tallystick-gateway keys FILE`, keep it apart from the store, and give readVaultKeys(text)'

function kind(wanted: string, isRight: (value: unknown) => boolean): Check {
  return (value) => (isRight(value) ? undefined : wanted)
}

function withMethods(what: string, ...methods: readonly string[]): Check {
  const isRight = (value: unknown) => isRecord(value) && methods.every((name) => typeof value[name] === 'function')
  return kind(`${what}: an object with ${methods.join(', ')}`, isRight)
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
