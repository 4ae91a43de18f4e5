import { parseArgs } from 'node:util'
import type { ChaosOptions } from '../chaos/draw-fault.ts'
import { FAULT_NAMES } from '../chaos/faults.ts'
import type { Configuration } from './configuration.ts'
import { ConfigurationError } from './configuration-error.ts'
import { OUTCOME_WORDS, type OutcomeWord } from './written-outcomes.ts'

export const HELP = `tallystick-gateway: a payment gateway with the Server-to-Server interface

Usage
  tallystick-gateway --config gateway.json [options]
  tallystick-gateway --sandbox
  tallystick-gateway check --config gateway.json [options]
  tallystick-gateway resend ORDER_ID --config gateway.json
  tallystick-gateway outcome OPERATION_ID approved|declined|error \\
    --why REASON --config gateway.json
  tallystick-gateway key [FILE]
  tallystick-gateway keys FILE

Commands
  check              names each dangerous setting, and starts nothing; exit code
                     1 if there is one
  resend ORDER_ID    has the running gateway send all callbacks of an order
                     again
  outcome OPERATION_ID STATUS
                     has the running gateway record the outcome of an operation
                     whose outcome is unknown, as the acquirer reports it; run
                     it on the machine of the gateway
  key [FILE]         makes a control key of 256 bits for a merchant, or an
                     operator key, in a file that only its owner may read;
                     without FILE it is printed
  keys FILE          makes a vault key file that only its owner may read; keep a
                     copy apart from the database

Options
  --config FILE      the configuration; its JSON Schema is gateway.schema.json
                     in this package; --sandbox alone needs none, and has a
                     merchant whose keys it prints
  --port PORT        overrides the configuration's port; 0 picks any free port
  --store STORE      overrides the configuration's store: a database file
                     (relative to the configuration's folder), postgres://...,
                     or memory
  --sandbox          for tests: callbacks may go to this machine, a 403 explains
                     itself, and there is a port for tests
  --acquirer simulator
                     outside a sandbox: payments are decided by the CVV, and no
                     money moves
  --chaos FAULT,...  in a sandbox: every order draws one of these faults
  --chaos-seed N     in a sandbox: draws the same faults as the run whose log
                     shows this seed
  --why REASON       of resend and outcome: is recorded with it
  --by NAME          of resend and outcome: who does it; default: the user of
                     this machine
  --help             shows this text
  --version          shows the version of the package

The gateway runs until SIGTERM, SIGINT or SIGHUP. It then answers the requests
that it has accepted, and ends. /healthz and /readyz are on the port of the
interface; /metrics is on a port of its own. The commands resend and outcome go
to that port with the operator key: the variable TALLYSTICK_OPERATOR_KEY, or the
file that the gateway makes beside its configuration (operator.key).
`

export type Command =
  | { readonly name: 'help' | 'version' }
  | { readonly name: 'keys'; readonly file: string }
  | { readonly name: 'key'; readonly file: string | undefined }
  | ({ readonly name: 'resend'; readonly config: string; readonly orderId: string } & Named)
  | ({ readonly name: 'outcome'; readonly config: string } & WrittenOutcome & Named)
  | { readonly name: 'serve' | 'check'; readonly config: string | undefined; readonly overrides: Overrides }

/** The outcome of an operation, as an operator learned it from the acquirer. */
export interface WrittenOutcome {
  readonly operationId: string
  readonly status: OutcomeWord
}

/** Who has it done, and why, if the command line says so. */
export interface Named {
  readonly by: string | undefined
  readonly why: string
}

/** Settings on the command line that override the configuration. */
export interface Overrides {
  readonly port?: number
  readonly store?: string
  readonly sandbox?: true
  readonly acquirer?: 'simulator'
  readonly chaos?: ChaosOptions
}

const OPTIONS = {
  config: { type: 'string' },
  port: { type: 'string' },
  store: { type: 'string' },
  sandbox: { type: 'boolean' },
  acquirer: { type: 'string' },
  chaos: { type: 'string' },
  'chaos-seed': { type: 'string' },
  why: { type: 'string' },
  by: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
} as const

/** @throws ConfigurationError that says what is wrong with the command line */
export function readArguments(args: readonly string[]): Command {
  const { values, positionals } = parse(args)
  if (values.help === true) return { name: 'help' }
  if (values.version === true) return { name: 'version' }
  const [name = 'serve', operand, ...others] = positionals
  const tooMuch = name === 'outcome' ? others[1] : others[0]
  if (tooMuch !== undefined) throw usage(`${shown(tooMuch)} is one argument too many`)
  if (name === 'keys') return { name, file: needed(operand, 'keys takes the file to make') }
  if (name === 'key') return { name, file: operand }
  if (name !== 'serve' && name !== 'check' && name !== 'resend' && name !== 'outcome')
    throw usage(`there is no command ${shown(name)}`)
  if ((name === 'serve' || name === 'check') && operand !== undefined)
    throw usage(`${shown(operand)} is one argument too many`)
  const { config, by, why = '' } = values
  if (config === undefined && values.sandbox === true && (name === 'serve' || name === 'check'))
    return { name, config, overrides: overridesOf(values) }
  if (config === undefined)
    throw usage('--config FILE is missing; --sandbox alone starts a gateway for tests, with a merchant of its own')
  if (name === 'serve' || name === 'check') return { name, config, overrides: overridesOf(values) }
  if (name === 'resend')
    return { name, config, by, why, orderId: orderIdOf(needed(operand, 'resend takes the id of an order')) }
  const outcome = outcomeOf(operand, others[0])
  if (why.trim() === '') throw usage('--why REASON is missing: it is recorded who decided about money, and why')
  return { name, config, by, why, ...outcome }
}

/** Order ids of this gateway have 15 digits (gaps part 13). */
function orderIdOf(operand: string): string {
  if (!/^\d{15}$/.test(operand))
    throw usage(`resend takes the id of an order, which has 15 digits, not ${shown(operand)}`)
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
  const { port, store, sandbox, acquirer } = values
  const chaos = chaosOf(values)
  if (port !== undefined && (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)) {
    throw usage('--port takes a number from 0 to 65535')
  }
  if (store === '') throw usage('--store takes a database file, postgres://..., or memory')
  if (acquirer !== undefined && acquirer !== 'simulator')
    throw usage('--acquirer takes simulator: a bank of your own needs a program')
  return {
    ...(port === undefined ? {} : { port: Number(port) }),
    ...(store === undefined ? {} : { store }),
    ...(sandbox === true ? { sandbox } : {}),
    ...(acquirer === undefined ? {} : { acquirer }),
    ...(chaos === undefined ? {} : { chaos }),
  }
}

function chaosOf({ chaos, 'chaos-seed': seed }: Values): ChaosOptions | undefined {
  if (seed !== undefined && !/^\d{1,15}$/.test(seed)) throw usage('--chaos-seed takes a whole number')
  const faults = chaos?.split(',').map((name) => {
    const fault = FAULT_NAMES.find((each) => each === name.trim())
    if (fault === undefined) throw usage(`--chaos: there is no fault ${name}; there are ${FAULT_NAMES.join(', ')}`)
    return fault
  })
  if (faults === undefined && seed === undefined) return undefined
  return { ...(faults === undefined ? {} : { faults }), ...(seed === undefined ? {} : { seed: Number(seed) }) }
}

/** The configuration with what the command line overrides. */
export function withOverrides(configuration: Configuration, overrides: Overrides): Configuration {
  const chaos = overrides.chaos === undefined ? configuration.chaos : { ...configuration.chaos, ...overrides.chaos }
  return { ...configuration, ...overrides, chaos: chaos && { ...chaos, faults: chaos.faults && [...chaos.faults] } }
}

function usage(problem: string): ConfigurationError {
  return new ConfigurationError(`${problem}\nSee tallystick-gateway --help`)
}
