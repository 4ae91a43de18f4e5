import { errorUrl } from '@tallystick/core/internal'
import type { CallbackEvent, FaultOptions } from '@tallystick/gateway'

const FAILED = "the shop's handler failed: what did it throw?"
const WENT_AWAY = 'did the shop stop, or its handler break off?'
const NO_SUCH_NAME = 'is the name of the host spelt right?'

/** Answers of a shop that is wired wrongly or fails, with what to check. Other answers may well be intended by a test. */
const ADVICE: Readonly<Record<string, string>> = {
  301: 'a gateway follows no redirect: give the address that it leads to',
  302: 'a gateway follows no redirect: does the route require a login?',
  307: 'a gateway follows no redirect: give the address that it leads to',
  308: 'a gateway follows no redirect: give the address that it leads to',
  400: 'does the route get the query unchanged?',
  401: 'a gateway has no login at the shop: leave the route open, its control is verified',
  403: 'does the shop have the controlKey of gateway.merchant, and does nothing else guard the route?',
  404: 'is the callback route mounted at this path?',
  405: 'callbacks come by GET: does the route accept it?',
  500: FAILED,
  502: 'the shop behind the proxy failed or is unreachable',
  503: FAILED,
  504: 'the shop behind the proxy takes too long',
  ECONNREFUSED: 'does the shop listen there?',
  ECONNRESET: WENT_AWAY,
  EPIPE: WENT_AWAY,
  UND_ERR_SOCKET: WENT_AWAY,
  ENOTFOUND: NO_SUCH_NAME,
  EAI_AGAIN: NO_SUCH_NAME,
  TIMED_OUT: 'a shop has 15 seconds: what does its handler wait for?',
  'no answer': FAILED,
  'address not allowed': 'without sandbox: true a gateway only calls public addresses',
}

/** The codes of OpenSSL and Node for certificates and protocols. */
const TLS = /^(?:EPROTO|ERR_SSL_\w+|ERR_TLS_\w+|CERT_\w+|UNABLE_TO_\w+|(?=\w*SELF_SIGNED_CERT)\w+|HOSTNAME_MISMATCH)$/

function adviceOn(answer: string): string | undefined {
  return TLS.test(answer)
    ? 'does the shop speak TLS there, with a certificate that this process trusts?'
    : ADVICE[answer]
}

/**
 * Warns of callbacks that a shop refuses or at which it fails. Otherwise a test would only wait in vain, because a framework may
 * well report no error there.
 */
export function warnOfRefused(): (called: CallbackEvent) => void {
  const told = new Set<string>()
  return ({ address, answer, orderId }) => {
    const [code = answer, said] = answer.split(': ') // of a certificate the gateway says itself what is wrong
    const advice = said ?? adviceOn(code)
    const what = `${answer} ${address}`
    if (advice === undefined || told.has(what)) return
    told.add(what)
    const became = /^\d+$/.test(answer) ? `was answered ${answer}` : `could not be delivered: ${code}`
    const refused = `The callback of order ${orderId} to ${address} ${became} (${advice})`
    process.emitWarning(`${refused}. Give startGateway an onCallback to handle this yourself.`, {
      type: 'TestGatewayWarning',
      code: 'CALLBACK_REFUSED',
      detail: errorUrl('testing', 'CALLBACK_REFUSED'),
    })
  }
}

/** What undici calls between two requests of a connection. */
const NEEDED = ['queueMicrotask', 'setImmediate'] as const

/** As they were before any test: the fakes of `node:test` show no sign of what they are. */
const FIRST = { queueMicrotask: globalThis.queueMicrotask, setImmediate: globalThis.setImmediate }

/** Warns if requests over a socket may never arrive, and clients never close, because the fake of a timer waits for the test. */
export function warnOfFakedTimers(): void {
  const faked = NEEDED.filter(isFaked)
  if (faked.length === 0) return
  process.emitWarning(
    `${faked.join(' and ')} ${faked.length > 1 ? 'are' : 'is'} faked, so requests over a socket may hang, and so may close: ` +
      'fake only what the test needs, such as Date and setTimeout, or give startGateway socket: false',
    { type: 'TestGatewayWarning', code: 'TIMERS_FAKED', detail: errorUrl('testing', 'TIMERS_FAKED') },
  )
}

/** The fakes of jest and of vitest have their clock as a property, also those that were there before this file. */
function isFaked(name: (typeof NEEDED)[number]): boolean {
  const timer: object | undefined = globalThis[name]
  return timer !== undefined && (timer !== FIRST[name] || 'clock' in timer)
}

/** Prints a seed that was made up, so that a failed run can be replayed. */
export function tellSeed(seed: number | undefined, faults: FaultOptions | undefined): void {
  if (seed === undefined || faults?.seed !== undefined) return
  const replays = `faults: { seed: ${seed} } replays this run, for the same client order ids`
  process.emitWarning(`Orders draw faults by the seed ${seed}: ${replays}.`, {
    type: 'TestGatewayWarning',
    code: 'FAULT_SEED',
    detail: errorUrl('testing', 'FAULT_SEED'),
  })
}
