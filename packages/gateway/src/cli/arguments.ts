import { parseArgs } from 'node:util'
import { GATEWAY_CODES, suggestName } from '@tallystick/core/internal'
import { FAULT_NAMES, type FaultOptions } from '../faults/faults.ts'
import type { FinalDecision } from '../processing/record-outcome.ts'
import type { Configuration } from './configuration.ts'
import { ConfigurationError } from './read-configuration.ts'
import { ORDER_FILTERS, PAGE_FILTERS } from './readings.ts'

export type Command =
  | { readonly name: 'help' | 'version' }
  | { readonly name: 'keys'; readonly file: string }
  | { readonly name: 'key'; readonly file: string | undefined }
  | ({ readonly name: 'resend'; readonly id: string } & Reach & Named)
  | ({ readonly name: 'outcome' } & WrittenOutcome & Reach & Named)
  | ({ readonly name: 'order'; readonly id: string } & Inspecting)
  | ({ readonly name: 'orders' | 'callbacks' } & Inspecting)
  | { readonly name: 'serve' | 'check'; readonly config: string | undefined; readonly overrides: Overrides }

/** How a command finds the running gateway: one of these is there. */
export interface Reach {
  readonly config: string | undefined
  readonly url: string | undefined
}

/** What is read of the running gateway. */
export interface Inspecting extends Reach {
  /** By their names; the gateway checks the values. */
  readonly filters: Readonly<Record<string, string>>
  readonly json: boolean
}

/** The outcome of an operation, as an operator learned it from the acquirer. */
interface WrittenOutcome {
  readonly operationId: string
  readonly status: OutcomeWord
}

/** Who has it done, and why, if the command line says so. */
export interface Named {
  readonly by: string | undefined
  readonly why: string
}

/** Settings on the command line that override the configuration. */
interface Overrides {
  readonly port?: number
  readonly host?: string
  readonly store?: string
  readonly sandbox?: true
  readonly acquirer?: 'simulator'
  readonly faults?: FaultOptions
}

const OPTIONS = {
  config: { type: 'string' },
  port: { type: 'string' },
  host: { type: 'string' },
  store: { type: 'string' },
  sandbox: { type: 'boolean' },
  acquirer: { type: 'string' },
  faults: { type: 'string' },
  'fault-seed': { type: 'string' },
  why: { type: 'string' },
  by: { type: 'string' },
  url: { type: 'string' },
  json: { type: 'boolean' },
  'given-up': { type: 'boolean' },
  status: { type: 'string' },
  endpoint: { type: 'string' },
  'client-order-id': { type: 'string' },
  login: { type: 'string' },
  since: { type: 'string' },
  until: { type: 'string' },
  limit: { type: 'string' },
  cursor: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
} as const

/** @throws ConfigurationError that says what is wrong with the command line */
export function readArguments(args: readonly string[]): Command {
  const { values, positionals } = parse(args)
  if (values.help === true) return { name: 'help' }
  if (values.version === true) return { name: 'version' }
  const [name = 'serve', operand, ...others] = positionals
  if (!isOneOf(NAMES, name)) throw usage(`there is no command ${shown(name)}: ${suggestName(name, NAMES)}`)
  const tooMuch = name === 'outcome' ? others[1] : others[0]
  if (tooMuch !== undefined) throw usage(`${shown(tooMuch)} is one argument too many`)
  requireOwnOptions(name, values)
  if (name === 'keys') return { name, file: needed(operand, 'keys takes the file to make') }
  if (name === 'key') return { name, file: operand }
  if (operand !== undefined && !TAKE_OPERAND.includes(name)) throw usage(`${shown(operand)} is one argument too many`)
  const { config, url, by, why = '' } = values
  if (name === 'serve' || name === 'check') {
    if (config === undefined && values.sandbox !== true) throw usage(CONFIG_MISSING)
    return { name, config, overrides: overridesOf(values) }
  }
  if (config === undefined && url === undefined)
    throw usage('--config FILE is missing: the configuration says where the gateway is, or --url does')
  const reach = { config, url: url === undefined ? undefined : originOf(url) }
  if (name === 'resend') return { name, ...reach, by, why, id: callbackIdOf(needed(operand, RESEND_TAKES)) }
  if (name === 'outcome') {
    const outcome = outcomeOf(operand, others[0])
    if (why.trim() === '') throw usage('--why REASON is missing: it is recorded who decided about money, and why')
    return { name, ...reach, by, why, ...outcome }
  }
  const given = [...ORDER_FILTERS].flatMap((filter) => {
    const value = values[filter]
    return value === undefined ? [] : [[filter, value] as const]
  })
  const reading = { ...reach, filters: Object.fromEntries(given), json: values.json === true }
  if (name === 'order') return { name, ...reading, id: needed(operand, 'order takes the id of an order') }
  if (name === 'callbacks' && values['given-up'] !== true)
    throw usage('callbacks takes --given-up: order ID shows those of one order')
  return { name, ...reading }
}

const NAMES = ['serve', 'check', 'resend', 'outcome', 'orders', 'order', 'callbacks', 'key', 'keys'] as const
const TAKE_OPERAND: readonly string[] = ['resend', 'outcome', 'order']

const CONFIG_MISSING =
  '--config FILE is missing; --sandbox alone starts a gateway for tests, with a merchant of its own'

/** Options that only some commands have: elsewhere they would silently do nothing. */
const READ_BY: Readonly<Record<string, readonly string[]>> = {
  url: ['resend', 'outcome', 'orders', 'order', 'callbacks'],
  json: ['orders', 'order', 'callbacks'],
  'given-up': ['callbacks'],
  ...Object.fromEntries(ORDER_FILTERS.map((filter) => [filter, ['orders']])),
  ...Object.fromEntries(PAGE_FILTERS.map((filter) => [filter, ['orders', 'callbacks']])),
  login: ['orders', 'order', 'callbacks'],
  endpoint: ['orders', 'order'],
}

function requireOwnOptions(name: string, values: Values): void {
  for (const option of Object.keys(values)) {
    const takers = READ_BY[option]
    if (takers !== undefined && !takers.includes(name)) throw usage(`--${option} is an option of ${takers.join(', ')}`)
  }
}

function isOneOf<Name extends string>(names: readonly Name[], name: string): name is Name {
  return names.some((each) => each === name)
}

/** Only the address: a path or a password in it would silently be left out. */
function originOf(text: string): string {
  const url = URL.parse(text)
  const isPlain = url?.href === `${url?.origin}/` && (url.protocol === 'http:' || url.protocol === 'https:')
  if (!isPlain) throw usage('--url takes an address such as http://127.0.0.1:9464')
  return url.origin
}

const RESEND_TAKES = 'resend takes the id of an order, which has 15 digits, or of a callback'

/** Order ids of this gateway have 15 digits (gaps part 13). */
function callbackIdOf(operand: string): string {
  if (!/^\d{15}(-\d{1,9})?$/.test(operand)) throw usage(`${RESEND_TAKES}, not ${shown(operand)}`)
  return operand
}

function outcomeOf(operationId = '', word = ''): WrittenOutcome {
  const status = OUTCOME_WORDS.find((each) => each === word)
  if (/^\d{15}-\d{1,9}$/.test(operationId) && status !== undefined) return { operationId, status }
  throw usage(`outcome takes the id of an operation, such as 123456789012345-1, and one of ${OUTCOME_WORDS.join(', ')}`)
}

function needed(operand: string | undefined, message: string): string {
  if (operand === undefined) throw usage(message)
  return operand
}

/** An address may hold a password, so no message shows it. */
function shown(word = ''): string {
  return word.includes('://') ? 'an address' : word
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true })
  } catch (error) {
    throw usage((error as Error).message)
  }
}

type Values = ReturnType<typeof parse>['values']

function overridesOf(values: Values): Overrides {
  const { port, host, store, sandbox, acquirer } = values
  const faults = faultOptionsOf(values)
  if (port !== undefined && (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)) {
    throw usage('--port takes a number from 0 to 65535')
  }
  if (host === '') throw usage('--host takes an address of this machine; 0.0.0.0 stands for all')
  if (store === '') throw usage('--store takes a database file, postgres://..., or memory')
  if (acquirer !== undefined && acquirer !== 'simulator')
    throw usage('--acquirer takes simulator: a bank of your own needs a program')
  return {
    ...(port === undefined ? {} : { port: Number(port) }),
    ...(host === undefined ? {} : { host }),
    ...(store === undefined ? {} : { store }),
    ...(sandbox === true ? { sandbox } : {}),
    ...(acquirer === undefined ? {} : { acquirer }),
    ...(faults === undefined ? {} : { faults }),
  }
}

function faultOptionsOf({ faults: names, 'fault-seed': seed }: Values): FaultOptions | undefined {
  if (seed !== undefined && !/^\d{1,15}$/.test(seed)) throw usage('--fault-seed takes a whole number')
  const only = names?.split(',').map((name) => {
    const fault = FAULT_NAMES.find((each) => each === name.trim())
    if (fault === undefined) throw usage(`--faults: there is no fault ${name}; there are ${FAULT_NAMES.join(', ')}`)
    return fault
  })
  if (only === undefined && seed === undefined) return undefined
  return { ...(only === undefined ? {} : { only }), ...(seed === undefined ? {} : { seed: Number(seed) }) }
}

/** The configuration with what the command line overrides. */
export function withOverrides(configuration: Configuration, overrides: Overrides): Configuration {
  const faults =
    overrides.faults === undefined ? configuration.faults : { ...configuration.faults, ...overrides.faults }
  return { ...configuration, ...overrides, faults: faults && { ...faults, only: faults.only && [...faults.only] } }
}

function usage(problem: string): ConfigurationError {
  return new ConfigurationError(`${problem}\nSee tallystick-gateway --help`)
}

/**
 * What the command `outcome` writes for each word. An acquirer tells the operator whether money moved, but seldom a code, so a
 * decline has the general one of ISO 8583, as the simulator's does.
 */
export const WRITTEN_OUTCOMES = {
  approved: { status: 'approved', approvalCode: '', processorTxId: '' },
  declined: { status: 'declined', errorCode: '100', errorMessage: 'Do not honour' },
  error: {
    status: 'error',
    errorCode: GATEWAY_CODES.internalFailure,
    errorMessage: 'The operation was not carried out.',
  },
} as const satisfies Readonly<Record<string, FinalDecision>>

type OutcomeWord = keyof typeof WRITTEN_OUTCOMES

export const OUTCOME_WORDS = Object.keys(WRITTEN_OUTCOMES) as readonly OutcomeWord[]
