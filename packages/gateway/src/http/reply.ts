import {
  catalogue,
  type Model,
  type OperationKey,
  type Profile,
  type RecordedDiagnosis,
  type ReplyValues,
} from '@tallystick/core'
import {
  AsyncCheckoutFormRedirect,
  AsyncResponse,
  describeIssue,
  type FieldIssue,
  GATEWAY_CODES,
  type GatewayCode,
  type GatewayReply,
  REPLY_MEDIA_TYPES,
  type ReplyFormat,
  ServerErrorResponse,
  ValidationErrorResponse,
  writeReply,
} from '@tallystick/core/internal'

/** An answer before it is written in one of the two formats. */
export interface Answer {
  readonly httpStatus: number
  readonly model: Model
  readonly values: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
  /** Why it is a refusal, for the operator alone: it is not sent. */
  readonly reason?: string
  /** What is wrong with its signature, as a sandbox says in the message. */
  readonly diagnosis?: RecordedDiagnosis | undefined
}

/** A reply as a processor returns it. Without a serial number it gets the request's. */
type ReplyOf<K extends OperationKey> = Omit<ReplyValues<K>, 'extra'>

export function success<K extends OperationKey>(key: K, values: ReplyOf<K>): Answer {
  return { httpStatus: 200, model: catalogue[key].reply, values }
}

interface Acknowledgement {
  readonly serialNumber: string
  readonly clientOrderId: string
  readonly orderId: string
  readonly endpointId: string
}

/** The request was accepted. Its outcome follows by status and callback (gaps part 4). */
export function asyncReply(values: Acknowledgement & { readonly redirectUrl?: string | undefined }): Answer {
  return { httpStatus: 200, model: AsyncResponse, values: { type: 'async-response', ...values } }
}

/** The order was registered. The customer has to go to the page (gaps part 4). */
export function formReply(values: Acknowledgement & { readonly redirectUrl: string }): Answer {
  return { httpStatus: 200, model: AsyncCheckoutFormRedirect, values: { type: 'async-form-response', ...values } }
}

/** The request was refused and nothing was created (interface part 7). */
export function refusal(errorCode: GatewayCode, errorMessage: string, httpStatus = 400): Answer {
  return { httpStatus, model: ValidationErrorResponse, values: { type: 'validation-error', errorMessage, errorCode } }
}

/** Refuses wrong fields, each with both its names, its bound and the remedy. */
export function wrongFields(issues: readonly FieldIssue[]): Answer {
  return refusal(GATEWAY_CODES.invalidRequest, issues.map(describeIssue).join(' '))
}

/** The same answer for every reason, so that a stranger learns nothing (interface part 5.2: 403). A sandbox explains. */
export function badSignature(reason: string, diagnosis?: Diagnosis): Answer {
  const refused = 'The signature of this request is not accepted.'
  if (diagnosis === undefined) return { ...failure(403, GATEWAY_CODES.badSignature, refused), reason }
  const { text, ...found } = diagnosis
  return { ...failure(403, GATEWAY_CODES.badSignature, `${refused} Sandbox: ${text}`), reason, diagnosis: found }
}

/** What is wrong with a signature, and the words for it in the body of a sandbox's 403. */
export interface Diagnosis extends RecordedDiagnosis {
  readonly text: string
}

/** The gateway failed. Reveals nothing about the inside (interface part 7). */
export function serverError(): Answer {
  return failure(500, GATEWAY_CODES.internalFailure, 'The gateway failed; ask for the status of the order.')
}

/** The gateway has too much to do: nothing was written. */
export function overloaded(who = 'The gateway'): Answer {
  const message = `${who} has too much to do; nothing was created. Try again in a second.`
  return { ...failure(503, GATEWAY_CODES.overloaded, message), headers: { 'retry-after': '1' } }
}

/** The card was tried too often in vain: nothing was created. */
export function triedTooOften(afterSeconds: number): Answer {
  const message =
    'This card was tried too often without being approved; nothing was created. Try another card, or later.'
  return { ...refusal(GATEWAY_CODES.tooManyTries, message, 429), headers: { 'retry-after': String(afterSeconds) } }
}

function failure(httpStatus: number, errorCode: GatewayCode, errorMessage: string): Answer {
  return { httpStatus, model: ServerErrorResponse, values: { type: 'error', errorMessage, errorCode } }
}

interface RenderOptions {
  /** The request's. An answer that has one of its own keeps it. */
  readonly serialNumber: string
  /** `undefined`: the caller reads neither format, and gets a refusal in JSON. */
  readonly format: ReplyFormat | undefined
  /** Whether JSON holds ids and codes as numbers (conflict C2). Default `false`. */
  readonly numericIds: boolean | undefined
  /** Says how this gateway spells the fields. */
  readonly profile: Profile
}

/** Writes an answer. In the classic format a refused request is answered with HTTP 200 (gaps part 2.1). */
export function render(answer: Answer, options: RenderOptions): GatewayReply {
  const { serialNumber, format = 'json', numericIds = false, profile } = options
  const { httpStatus, model, values, headers = {} } = answer
  const told = format === 'json' ? withEncodedPage(values) : values
  const body = writeReply(model, { serialNumber, ...told }, format, profile)
  return {
    status: format === 'classic' && httpStatus === 400 ? 200 : httpStatus,
    headers: { ...SAFE_HEADERS, 'content-type': REPLY_MEDIA_TYPES[format], ...headers },
    body: numericIds && format === 'json' ? withNumbers(body, model, profile) : body,
  }
}

/** The page of a 3DS step is URL-encoded in either format (gaps part 4): the classic one encodes every value, JSON none. */
function withEncodedPage(values: Answer['values']): Answer['values'] {
  const { html } = values
  return typeof html === 'string' ? { ...values, html: encodeURIComponent(html) } : values
}

/** What a JSON number can hold exactly: `05` is another code than 5, and beyond 2^53 digits are lost. */
const AS_NUMBER = /^(?:0|[1-9]\d{0,14})$/

/** As gateways of the family do it: the order id of an acknowledgement, and every error code (conflict C2). */
function withNumbers(json: string, model: Model, { wireNames }: Profile): string {
  const fields: Readonly<Record<string, string>> = JSON.parse(json)
  const names = model.name === 'StatusResponse' ? ['errorCode'] : ['errorCode', 'orderId']
  const sent = model.spelling(wireNames).sent
  const numeric = sent.filter(([name]) => names.includes(name)).map(([, wireName]) => wireName)
  return JSON.stringify(fields, (key, value) =>
    numeric.includes(key) && AS_NUMBER.test(value) ? Number(value) : value,
  )
}

/** Loads nothing from anywhere. A page that needs more says so itself. */
export const NOTHING = "default-src 'none'; base-uri 'none'"
export const NO_FRAME = "frame-ancestors 'none'"

/**
 * Headers of every answer. They keep it from being cached, framed, leaked by its address as a referrer, or taken for another
 * type. Answers that are not pages have them too, since a browser may be made to open any address.
 */
export const SAFE_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': `${NOTHING}; ${NO_FRAME}`,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const
