import { type Pair, serializeForm } from '@tallystick/core'
import { CallbackNotice } from '@tallystick/core/internal'
import { signControl } from '@tallystick/signing'
import { controlKey } from '../arguments/keys.ts'
import { httpAddress, needed, pairsOf, UsageError } from '../arguments/parse.ts'
import { strangeName } from '../sign/sign.ts'
import type { Answer, World } from '../world.ts'
import type { TriggerEvent } from './trigger-event.ts'

/** A burst, not a load test. */
const MOST_TIMES = 100

export const callback: TriggerEvent = {
  name: 'callback',
  usage: 'callback FIELD=VALUE...',
  meaning: 'sends a signed callback to a shop; status is approved unless it is given',
  options: ['url', 'key-file', 'times', 'forged'],
  run: async (operands, values, world) => {
    const url = addressOf(needed(values.url, '--url', "the shop's address for callbacks"))
    const isForged = values.forged === true
    const key = isForged ? world.nonce() : controlKey(values, world)
    const pairs = pairsOf(operands)
    requireKnown(pairs, world)
    const address = `${url}${url.includes('?') ? '&' : '?'}${signedQuery(pairs, key)}`
    const times = timesOf(values.times)
    world.print(`GET ${address}\n`)
    const answers = await Promise.all(Array.from({ length: times }, () => world.send({ method: 'GET', url: address })))
    for (const answer of answers) world.print(`${shown(answer)}\n`)
    if (answers.every(isForged ? isRefused : isTaken)) return 0
    world.warn(isForged ? wrongWithForged(answers) : 'a callback must be answered with 200')
    return 1
  },
}

/** What it does not know is sent all the same: gateways send other fields too. @throws UsageError for a control */
function requireKnown(pairs: readonly Pair[], { warn }: World): void {
  const { read } = CallbackNotice.spelling()
  for (const [name] of pairs) {
    if (name === 'control') throw new UsageError('control is made by this command: --forged makes a wrong one')
    if (!read.has(name)) warn(strangeName(name, 'callbacks', [...read.keys()]))
  }
}

/** The query of a callback as a gateway sends it: the shop's order id goes under both of its names (gaps part 6). */
function signedQuery(given: readonly Pair[], key: string): string {
  const fields = new Map<string, string>([['status', 'approved'], ...given])
  const clientOrderId = needed(fields.get('client_orderid'), 'client_orderid', "the shop's own id of the order")
  const orderId = needed(fields.get('orderid'), 'orderid', "the gateway's id of the order, such as 150000000000017")
  const terms = [fields.get('status') ?? '', orderId, clientOrderId]
  const signed = new Map([['merchant_order', clientOrderId], ...fields, ['control', signControl({ terms, key })]])
  return serializeForm([...signed])
}

function addressOf(url: string): string {
  return httpAddress(url, '--url', 'http://localhost:3000/callbacks').href.replace(/#.*/s, '')
}

function timesOf(times = '1'): number {
  if (/^\d{1,3}$/.test(times) && Number(times) >= 1 && Number(times) <= MOST_TIMES) return Number(times)
  throw new UsageError(`--times takes a number from 1 to ${MOST_TIMES}`)
}

function isTaken(answer: Answer): boolean {
  return 'status' in answer && answer.status === 200
}

/** These say that there is nothing for callbacks, that a proxy wants a login, or that there were too many requests. */
const NO_VERDICT: ReadonlySet<number> = new Set([404, 405, 407, 408, 425, 429])

/** An address where nobody answers, or where another than the shop does, has refused nothing. Nor has a shop that failed. */
function isRefused(answer: Answer): boolean {
  return 'status' in answer && answer.status >= 400 && answer.status < 500 && !NO_VERDICT.has(answer.status)
}

function wrongWithForged(answers: readonly Answer[]): string {
  const [failure] = answers.flatMap((answer) => ('status' in answer && answer.status >= 500 ? answer.status : []))
  return failure === undefined
    ? 'a forged callback must be refused'
    : `the shop failed with ${failure}: a forged callback must be refused, with a 4xx such as 403`
}

const MOST_SHOWN = 200

function shown(answer: Answer): string {
  if ('failure' in answer) return `no answer: ${answer.failure}`
  const { status, statusText, milliseconds, body } = answer
  const text = body.trim().slice(0, MOST_SHOWN)
  return `${status} ${statusText} after ${milliseconds} ms${text === '' ? '' : `: ${text}`}`
}
