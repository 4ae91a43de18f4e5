import { type OperationKey, operationKeys, type ReplyValues } from '@tallystick/core'
import type { GatewayAnswer, RequestValues } from '@tallystick/core/internal'
import { fieldsOf } from '../fixtures/reply-values.ts'
import { requireTexts } from '../options/check-fields.ts'

/** The gateway accepts the request, and replies with this. */
export interface AcceptedAnswer<K extends OperationKey> {
  readonly answers: 'accepted'
  /** The fields that the test sets, by the names of the reply's model. */
  readonly reply: Partial<ReplyValues<K>>
}

/** The gateway refuses the request or its signature, or fails; or there is no reply, or no connection. */
export interface FailedAnswer {
  readonly answers: 'rejected' | 'signatureRefused' | 'gatewayFailed' | 'unknown' | 'notSent'
  /** What the gateway says about it. */
  readonly told: GatewayAnswer
}

/** How a gateway answers one request: what `accepted()`, `rejected()` and the like return. */
export type Answer<K extends OperationKey> = AcceptedAnswer<K> | FailedAnswer

/** An answer, or a function that makes one from the request. */
export type ScriptedAnswer<K extends OperationKey> = Answer<K> | ((request: RequestValues<K>) => Answer<K>)

/**
 * The operation is accepted, or a read gives its reply. Name only the fields that your test is about; the ids are those of the
 * request.
 *
 * @throws TypeError for a field that no reply has, or a value that is no text. `answer` finds a field of another operation
 */
export function accepted<K extends OperationKey>(reply: Partial<ReplyValues<K>> = {}): AcceptedAnswer<K> {
  requireTexts('accepted', reply, [...new Set(operationKeys.flatMap(fieldsOf))])
  return { answers: 'accepted', reply }
}

/** What a gateway may say about a failure. */
export type Told = Pick<GatewayAnswer, 'errorMessage' | 'errorCode'>

/**
 * The gateway refuses the request, and nothing was created. A read throws a `RejectedError`.
 *
 * @throws TypeError for anything but these two texts
 */
export function rejected(told: Told = {}): FailedAnswer {
  return failed('rejected', told)
}

/** The gateway refuses the signature: `rejected` with an `AuthRejectedError`. A read throws that error. */
export function signatureRefused(told: Told = {}): FailedAnswer {
  return failed('signatureRefused', told)
}

/** The gateway fails with a message of its own: `unknown` with a `GatewayError`. A read throws that error. */
export function gatewayFailed(told: Told = {}): FailedAnswer {
  return failed('gatewayFailed', told)
}

function failed(answers: FailedAnswer['answers'], told: Told): FailedAnswer {
  requireTexts(answers, told, ['errorMessage', 'errorCode'])
  return { answers, told }
}

/** No reply comes: `unknown`, whose `resolve()` checks the status. A read throws a `NoReplyError`. */
export function unknown(): FailedAnswer {
  return { answers: 'unknown', told: {} }
}

/** There is no connection: `notSent`. A read throws a `NotSentError`. */
export function notSent(): FailedAnswer {
  return { answers: 'notSent', told: {} }
}
