import { AsyncLocalStorage } from 'node:async_hooks'
import type { Exchange, OutgoingRequest, Transport } from '@tallystick/client'
import type { TransportOptions } from '@tallystick/client/internal'
import {
  catalogue,
  decodeRequest,
  type Model,
  type OperationKey,
  type Profile,
  parseForm,
  type ReplyValues,
} from '@tallystick/core'
import { matchPath, type RequestValues } from '@tallystick/core/internal'
import { type RefusalKind, type ReplyFixture, refusalFixture, replyFixture } from '../fixtures/reply-fixture.ts'
import { notBegun } from '../not-begun.ts'
import type { AcceptedAnswer, Answer, FailedAnswer } from './answers.ts'
import type { FakeCall, Script } from './script.ts'

/** What happened during one call of the code under test. */
interface Watch {
  /** Why the test has no answer: there is none, or its function failed. */
  failed?: { readonly error: unknown }
}

/**
 * Answers from the script instead of a gateway. The client that uses it is the real one: it checks, signs and encodes what it
 * sends, and judges what it reads.
 */
export class ScriptedTransport implements Transport {
  readonly calls: FakeCall[] = []
  readonly #script: Script
  readonly #profile: Profile
  readonly #watches = new AsyncLocalStorage<Watch>()
  /** Orders whose operation was refused: the client confirms a refusal by one status check before it believes it. */
  readonly #refused = new Set<string>()
  #isClosed = false

  constructor(script: Script, profile: Profile) {
    this.#script = script
    this.#profile = profile
  }

  /** Runs a call. If an answer was missing, the call fails with that, whatever the client made of it. */
  async watch<T>(call: () => Promise<T>): Promise<T> {
    const watch: Watch = {}
    const ended = await this.#watches.run(watch, call).then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    )
    if (watch.failed !== undefined) throw watch.failed.error
    if ('error' in ended) throw ended.error
    return ended.value
  }

  async send({ url, body }: OutgoingRequest, { signal }: TransportOptions): Promise<Exchange> {
    const ended = notBegun(this.#isClosed, signal)
    if (ended !== undefined) return ended
    const key = this.#operationOf(url)
    const request = this.#requestOf(key, body)
    if (this.#confirms(key, request)) return refusal('validation-error', { errorMessage: 'There is no such order' })
    return this.#answer(key, request)
  }

  async close(): Promise<void> {
    this.#isClosed = true
  }

  #answer<K extends OperationKey>(key: K, request: RequestValues<K>): Exchange {
    const watch = this.#watches.getStore()
    if (watch?.failed !== undefined) return END
    this.calls.push({ operation: key, request } as FakeCall)
    try {
      return this.#answerTo(key, request)
    } catch (error) {
      if (watch !== undefined) watch.failed = { error }
      return END
    }
  }

  #answerTo<K extends OperationKey>(key: K, request: RequestValues<K>): Exchange {
    const answer = this.#script.take(key, request)
    if (answer === undefined) {
      this.#script.noteMissing(key)
      throw new MissingAnswerError(key)
    }
    const { effect } = catalogue[key]
    const isRefusal = answer.answers === 'rejected' || answer.answers === 'signatureRefused'
    if (isRefusal && effect === 'moves-money' && !('orderId' in request)) this.#refused.add(orderOf(request))
    return exchangeOf(key, request, answer)
  }

  #confirms(key: OperationKey, request: RequestValues<OperationKey>): boolean {
    return key === 'status' && this.#refused.delete(orderOf(request))
  }

  #operationOf(url: string): OperationKey {
    const route = matchPath(url.slice(this.#profile.baseUrl.length))
    if (route === undefined) throw new Error(`The client called ${url}, which is the address of no operation`)
    return route.key
  }

  #requestOf<K extends OperationKey>(key: K, body: string): RequestValues<K> {
    const read = decodeRequest(key, parseForm(body), this.#profile)
    if (!read.ok) throw new Error(`The client sent a ${key} that cannot be read`)
    return read.value
  }
}

/** Ends every method of the client at once: neither waiting nor asking again can fix a refused signature. */
const END: Exchange = { kind: 'replied', httpStatus: 403, mediaType: 'text/plain', body: '' }

function orderOf(request: object): string {
  return 'clientOrderId' in request ? String(request.clientOrderId) : ''
}

/** What a transport would have seen if the gateway had answered like this. */
function exchangeOf<K extends OperationKey>(key: K, request: RequestValues<K>, answer: Answer<K>): Exchange {
  return answer.answers === 'accepted' ? acceptance(key, request, answer) : FAILURES[answer.answers](answer.told)
}

const FAILURES: { readonly [Kind in FailedAnswer['answers']]: (told: FailedAnswer['told']) => Exchange } = {
  rejected: (told) => refusal('validation-error', told),
  gatewayFailed: (told) => refusal('error', told),
  signatureRefused: (told) => ({ ...replied(refusalFixture('error', 'json', given(told))), httpStatus: 403 }),
  unknown: () => ({ kind: 'lost', seen: 'the fake client was told to give no reply' }),
  notSent: () => ({ kind: 'not-sent', seen: 'the fake client was told to have no connection' }),
}

function refusal(kind: RefusalKind, told: FailedAnswer['told']): Exchange & { readonly kind: 'replied' } {
  return replied(refusalFixture(kind, 'json', given(told)))
}

function replied(fixture: ReplyFixture): Exchange & { readonly kind: 'replied' } {
  return { kind: 'replied', ...fixture }
}

function given(told: FailedAnswer['told']): Partial<FailedAnswer['told']> {
  return Object.fromEntries(Object.entries(told).filter(([, value]) => value !== undefined))
}

/** The reply names the order of the request, because the client accepts no other reply. */
function acceptance<K extends OperationKey>(key: K, request: RequestValues<K>, { reply }: AcceptedAnswer<K>): Exchange {
  const { fields }: Model = catalogue[key].reply
  const ids = Object.entries(request).filter(([name]) => NAMES.has(name) && name in fields)
  const changes = { ...Object.fromEntries(ids), ...reply } as Partial<ReplyValues<K>>
  return replied(replyFixture(key, 'json', changes))
}

const NAMES: ReadonlySet<string> = new Set(['clientOrderId', 'orderId', 'cardRefId'])

/** The code called an operation for which the test scripted no answer. Nothing was sent anywhere. */
export class MissingAnswerError extends Error {
  override readonly name = 'MissingAnswerError'
  readonly operation: OperationKey

  constructor(operation: OperationKey) {
    super(
      `${operation} was called, and this fake client has no answer left for it. Write ` +
        `fake.answer('${operation}', accepted()) before the call, or rejected(), unknown() or notSent() instead; ` +
        `fake.always('${operation}', accepted()) answers every call.`,
    )
    this.operation = operation
  }
}
