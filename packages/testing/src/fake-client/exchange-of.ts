import type { Exchange } from '@tallystick/client'
import { catalogue, type Model, type OperationKey, type ReplyValues, type RequestValues } from '@tallystick/core'
import { type RefusalKind, type ReplyFixture, refusalFixture, replyFixture } from '../fixtures/reply-fixture.ts'
import type { AcceptedAnswer, Answer, FailedAnswer } from './answers.ts'

/** What a transport would have seen if the gateway had answered like this. */
export function exchangeOf<K extends OperationKey>(key: K, request: RequestValues<K>, answer: Answer<K>): Exchange {
  return answer.answers === 'accepted' ? acceptance(key, request, answer) : FAILURES[answer.answers](answer.told)
}

const FAILURES: { readonly [Kind in FailedAnswer['answers']]: (told: FailedAnswer['told']) => Exchange } = {
  rejected: (told) => refusal('validation-error', told),
  gatewayFailed: (told) => refusal('error', told),
  signatureRefused: (told) => ({ ...replied(refusalFixture('error', 'json', given(told))), httpStatus: 403 }),
  unknown: () => ({ kind: 'lost', seen: 'the fake client was told to give no reply' }),
  notSent: () => ({ kind: 'not-sent', seen: 'the fake client was told to have no connection' }),
}

export function refusal(kind: RefusalKind, told: FailedAnswer['told']): Exchange & { readonly kind: 'replied' } {
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
