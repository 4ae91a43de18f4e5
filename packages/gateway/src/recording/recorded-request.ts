import { maskCardNumbers, type NewEvent, type OAuthMethod, type Pair, type RecordedDiagnosis } from '@tallystick/core'
import { type GatewayReply, redactSecrets } from '@tallystick/core/internal'
import type { Answer } from '../http/reply.ts'
import { formPairs, type PageVisit, type ReadRequest, type RequestTrace, type TracedRequest } from '../http/request.ts'
import type { EventOf, RecordingContext } from './context.ts'
import { lengthOf, type Masking, type Secrets, shownUrl } from './masking.ts'

/** The headers that say how a request is to be read. */
const HEADERS = ['accept', 'authorization', 'content-type', 'user-agent'] as const

/** One request, from its first byte to its answer. */
export class RecordedRequest implements RequestTrace {
  readonly #request: TracedRequest
  readonly #context: RecordingContext
  readonly #startedAt: number
  #requestId: number | undefined
  #asked: ReadRequest | undefined
  #page: PageVisit | undefined
  #verifiedBy: EventOf<'reply'>['verifiedBy']
  #login: string | undefined
  #serialNumber: string | undefined
  #answer: Answer | undefined
  #fault: string | undefined

  constructor(request: TracedRequest, context: RecordingContext) {
    this.#request = request
    this.#context = context
    this.#startedAt = context.clock.now()
  }

  read(asked: ReadRequest | undefined): void {
    if (this.#requestId !== undefined) return
    this.#asked = asked
    this.#requestId = this.#context.recording.recordLater(() => this.#requestEvent())
  }

  verified(by: OAuthMethod | 'control', login: string): void {
    this.#verifiedBy = by
    this.#login = login
  }

  visited(visit: PageVisit): void {
    this.#page = visit
  }

  answered(serialNumber: string, answer: Answer, claimedLogin: string | undefined): void {
    this.#serialNumber = serialNumber
    this.#answer = answer
    this.#login ??= claimedLogin
  }

  struck(fault: string): void {
    this.#fault = fault
  }

  ended({ status }: GatewayReply): void {
    const page = this.#page
    if (page === undefined) this.read(undefined)
    const { recording, clock } = this.#context
    const at = clock.now()
    recording.recordLater(() => (page === undefined ? this.#replyEvent(at, status) : this.#pageEvent(at, status, page)))
  }

  #requestEvent(): NewEvent {
    const { masking, secrets } = this.#context
    const { method, url, peer, headers, body } = this.#request
    return {
      half: 'gateway',
      type: 'request',
      at: this.#startedAt,
      method,
      path: masking.path(url, secrets),
      peer,
      headers: shownHeaders(headers, masking, secrets),
      form: this.#asked && masking.form(body, this.#asked.pairs, this.#secrets(), this.#asked.key),
      bytes: Buffer.byteLength(body),
    }
  }

  #replyEvent(at: number, httpStatus: number): NewEvent {
    const { masking } = this.#context
    const { values = {}, reason, diagnosis } = this.#answer ?? {}
    const { clientOrderId, orderId, errorCode, errorMessage } = values
    const secrets = this.#secrets()
    const text = (value: unknown) => (typeof value === 'string' ? masking.text(value, secrets) : undefined)
    const isRefused = (this.#answer?.httpStatus ?? httpStatus) >= 400
    return {
      half: 'gateway',
      type: 'reply',
      at,
      request: this.#requestId ?? 0,
      serialNumber: this.#serialNumber,
      operation: this.#asked?.key,
      endpointId: text(this.#asked?.endpoint.id),
      login: text(this.#login),
      clientOrderId: text(clientOrderId),
      orderId: typeof orderId === 'string' ? orderId : undefined,
      verifiedBy: this.#verifiedBy,
      refusal: isRefused
        ? {
            reason: text(reason) ?? text(errorMessage) ?? '',
            errorCode: text(errorCode),
            doctor: diagnosis && shownDiagnosis(diagnosis),
          }
        : undefined,
      httpStatus,
      values: shownValues(values, masking, secrets),
      fault: this.#fault,
      milliseconds: at - this.#startedAt,
    }
  }

  #pageEvent(at: number, httpStatus: number, { page, orderId, shown, sentOnTo }: PageVisit): NewEvent {
    const { masking, secrets } = this.#context
    const { method, body } = this.#request
    const pairs = body === '' ? undefined : formOf(body)
    return {
      half: 'gateway',
      type: 'page',
      at,
      method,
      page,
      orderId,
      form: pairs && masking.form(body, pairs, secrets),
      httpStatus,
      shown,
      sentOnTo,
      milliseconds: at - this.#startedAt,
    }
  }

  /** The key that the request may hold by mistake: that of the merchant whom it is for, or any if nobody knows who that is. */
  #secrets(): Secrets {
    const { merchants, secrets, secretsOf } = this.#context
    const target = this.#asked && merchants.find(this.#asked)
    return target === undefined ? secrets : secretsOf(target.merchant.controlKey.reveal())
  }
}

const NAMES_SECRET = /cv[vc]|control[-_]?key|password|secret/i

/** The doctor hides the card, the CVV and the key of the request. A signed text may also quote another one. */
function shownDiagnosis(diagnosis: RecordedDiagnosis): RecordedDiagnosis {
  const { expected, received } = diagnosis
  const shown = (text: string) => maskCardNumbers(NAMES_SECRET.test(text) ? redactSecrets(text) : text)
  return { ...diagnosis, expected: expected && shown(expected), received: received && shown(received) }
}

/** What is no form cannot be masked by its names. */
function formOf(body: string): readonly Pair[] | undefined {
  try {
    return formPairs(body)
  } catch {
    return undefined
  }
}

function shownHeaders(headers: TracedRequest['headers'], masking: Masking, secrets: Secrets) {
  const shown: Record<string, string> = {}
  for (const name of HEADERS) {
    const given = headers[name]
    if (given === undefined) continue
    const text = typeof given === 'string' ? given : given.join(', ')
    // Any other scheme than OAuth sends the secret itself, and without a scheme it may be all there is.
    if (name === 'authorization' && !/^oauth /i.test(text))
      shown[name] = text.replace(/^(basic |bearer )?.*/is, '$1***')
    else shown[name] = masking.header(text, secrets)
  }
  return shown
}

/** Those that the event has in fields of its own. */
const OWN_FIELDS: ReadonlySet<string> = new Set(['clientOrderId', 'orderId', 'serialNumber', 'endpointId'])

/** Texts alone. */
function shownValues(values: Answer['values'], masking: Masking, secrets: Secrets): Record<string, string> {
  const shown: Record<string, string> = {}
  for (const name in values) {
    const value = values[name]
    if (typeof value !== 'string' || OWN_FIELDS.has(name)) continue
    if (/^https?:/i.test(value)) shown[name] = masking.text(shownUrl(value), secrets)
    else shown[name] = name === 'html' ? lengthOf(value) : masking.text(value, secrets)
  }
  return shown
}
