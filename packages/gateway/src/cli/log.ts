import { inspect } from 'node:util'
import { redact } from '@tallystick/core'
import { type DestinationStream, type Logger, pino } from 'pino'
import type { CallbackEvent, DecisionEvent, RequestEvent } from '../events.ts'
import type { LimitEvent } from '../http/concurrency-limit.ts'
import type { RefusedRequest } from '../http/reject.ts'
import { shownPath } from '../http/request.ts'
import type { OperatorRecord } from '../store/operator-record.ts'

/**
 * One JSON line for each event. It names requests by their serial number and orders by their id. An error may be an
 * acquirer's, whose text quotes a request: it is redacted before it is written.
 */
export interface Log {
  answered(answered: RequestEvent): void
  called(called: CallbackEvent): void
  decided(decided: DecisionEvent): void
  recorded(record: OperatorRecord): void
  /** Without method and path if they could not be read. */
  refused(refused: Partial<RefusedRequest> & Pick<RefusedRequest, 'status' | 'reason'>): void
  /** At most one line a minute for each limit and merchant. */
  limited(reached: LimitEvent, now: number): void
  failed(error: unknown, serialNumber?: string): void
  info(message: string, facts?: Readonly<Record<string, string | number>>): void
  warn(message: string): void
}

/** Fields that are never written, at any depth below: the gateway logs none of them, and no later change may. */
const NEVER = [
  'pan',
  'cardNumber',
  'credit_card_number',
  'cvv',
  'cvv2',
  'controlKey',
  'control',
  'authorization',
  'body',
]
const REDACTED = NEVER.flatMap((name) => [name, `*.${name}`, `*.*.${name}`])

const LIMIT_LINES_EVERY_MS = 60_000

export function log(level: string, destination: DestinationStream): Log {
  const logger: Logger = pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, redact: { paths: REDACTED, remove: true } },
    { write: (line) => destination.write(shown(line)) },
  )
  const limitedAt = new Map<string, number>()
  return {
    answered: ({ serialNumber, operation, httpStatus, errorCode, orderId, milliseconds, refused }) => {
      const facts = { requestId: serialNumber, operation, httpStatus, errorCode, orderId, milliseconds }
      logger.info(refused === undefined ? facts : { ...facts, ...inOneLine({ ...refused }) }, 'answered')
    },
    decided: ({ serialNumber, clientOrderId, ...facts }) =>
      logger.info({ requestId: serialNumber, ...facts, ...inOneLine({ clientOrderId }) }, 'decided'),
    called: ({ serialNumber, state, dueAt, ...facts }) => {
      const again = dueAt === undefined ? {} : { again: new Date(dueAt).toISOString() }
      logger[state === 'acknowledged' ? 'info' : 'warn'](
        { requestId: serialNumber, ...facts, state, ...again },
        'called back',
      )
    },
    recorded: ({ at, ...facts }) => logger.warn({ ...facts, at: new Date(at).toISOString() }, 'operator'),
    refused: ({ status, path, ...facts }) => {
      const shown = path === undefined ? {} : { path: shownPath(path) }
      logger.warn({ httpStatus: status, ...inOneLine({ ...facts, ...shown }) }, 'refused')
    },
    limited: (reached, now) => {
      const { limit, login = '' } = reached
      const last = limitedAt.get(`${limit} ${login}`)
      if (last !== undefined && Math.abs(now - last) < LIMIT_LINES_EVERY_MS) return
      limitedAt.set(`${limit} ${login}`, now)
      logger.warn(reached, 'limit reached')
    },
    failed: (error, serialNumber) => logger.error({ requestId: serialNumber, error: describe(error) }, 'failed'),
    info: (message, facts = {}) => logger.info(facts, message),
    warn: (message) => logger.warn(message),
  }
}

/** Written at whatever level: a log with a gap must say so. */
export function lostLine(lost: number, at: number): string {
  return `${JSON.stringify({ level: 40, time: new Date(at).toISOString(), lost, msg: 'lines of the log were lost' })}\n`
}

/** The longest text of a stranger that is logged. */
const MOST_CHARACTERS = 300

/** What strangers wrote, without cards, and without what would end a line or turn its direction in a terminal. */
function inOneLine(facts: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const given = Object.entries(facts).flatMap(([name, text]) => (text === undefined ? [] : [[name, text] as const]))
  return Object.fromEntries(given.map(([name, text]) => [name, escaped(redact(text).slice(0, MOST_CHARACTERS))]))
}

function escaped(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/**
 * A line as a terminal shows it, whatever it quotes: JSON escapes control characters alone. Direction marks would turn the rest of
 * the line around, and what does not show could pass for something else.
 */
function shown(line: string): string {
  return line.replace(NOT_SHOWN, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  )
}

const NOT_SHOWN = /[\p{Cf}\p{Zl}\p{Zp}\p{DI}\u007f-\u009f]/gu

/** The error with its stack and its causes, as text. */
function describe(error: unknown): string {
  return redact(inspect(error instanceof Error ? withoutRows(error) : error, { depth: 4 }))
}

/**
 * Fields that a database driver adds to an error. They hold whole rows, with payers and the tokens of their pages, and the
 * connection with its secrets.
 */
const OF_DATABASES = ['detail', 'where', 'internalQuery', 'client']

/** A copy for the log, with its causes. The error itself is unchanged for others that hold it. */
function withoutRows(error: Error): Error {
  const own = Object.getOwnPropertyDescriptors(error)
  const kept = Object.entries(own).filter(([name]) => !OF_DATABASES.includes(name) && name !== 'cause')
  const copy: Error = Object.create(Object.getPrototypeOf(error), Object.fromEntries(kept))
  return error.cause instanceof Error ? Object.assign(copy, { cause: withoutRows(error.cause) }) : copy
}
