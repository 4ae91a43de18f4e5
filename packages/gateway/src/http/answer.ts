import {
  catalogue,
  describeIssue,
  type FieldIssue,
  GATEWAY_CODES,
  type GatewayCode,
  type Model,
  type OperationKey,
  REPLY_MEDIA_TYPES,
  type ReplyFormat,
  type ReplyValues,
  ServerErrorResponse,
  ValidationErrorResponse,
  writeReply,
} from '@tallystick/core'
import type { GatewayReply } from './exchange.ts'

/** What the gateway has to say, before it is written in one of the two formats. */
export interface Answer {
  readonly httpStatus: number
  readonly model: Model
  readonly values: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
}

/** A reply as a processor gives it. Without a serial number it gets that of the request. */
export type ReplyOf<K extends OperationKey> = Omit<ReplyValues<K>, 'extra'>

export function success<K extends OperationKey>(key: K, values: ReplyOf<K>): Answer {
  return { httpStatus: 200, model: catalogue[key].reply, values }
}

/** The request was refused and nothing was created (interface part 7). */
export function refusal(errorCode: GatewayCode, errorMessage: string, httpStatus = 400): Answer {
  return { httpStatus, model: ValidationErrorResponse, values: { type: 'validation-error', errorMessage, errorCode } }
}

/** Wrong fields, each by both its names with the bound and the remedy. */
export function wrongFields(issues: readonly FieldIssue[]): Answer {
  return refusal(GATEWAY_CODES.invalidRequest, issues.map(describeIssue).join(' '))
}

/** One answer for every reason, so that a stranger learns nothing (interface part 5.2: 403). */
export function badSignature(): Answer {
  const errorMessage = 'The signature of this request is not accepted.'
  const values = { type: 'error', errorMessage, errorCode: GATEWAY_CODES.badSignature }
  return { httpStatus: 403, model: ServerErrorResponse, values }
}

/** The gateway failed. Tells nothing of the inside (interface part 7). */
export function serverError(errorMessage: string): Answer {
  const values = { type: 'error', errorMessage, errorCode: GATEWAY_CODES.internalFailure }
  return { httpStatus: 500, model: ServerErrorResponse, values }
}

/** Writes an answer. In the classic format a refused request is answered with HTTP 200 (gaps part 2.1). */
export function render(answer: Answer, serialNumber: string, format: ReplyFormat): GatewayReply {
  const { httpStatus, model, values, headers = {} } = answer
  const withSerial = { serialNumber, ...values }
  return {
    status: format === 'classic' && httpStatus === 400 ? 200 : httpStatus,
    headers: { 'content-type': REPLY_MEDIA_TYPES[format], 'cache-control': 'no-store', ...headers },
    body: writeReply(model, withSerial, format),
  }
}
