import {
  type AmountText,
  type AuthRejectedError,
  type GatewayError,
  type InvalidInputError,
  isPaymentError,
  type NoReplyError,
  type NotSentError,
  type OperationKey,
  type PaymentError,
  type RejectedError,
  type ReplyValues,
  type RequestInput,
} from '@tallystick/core'
import type { FieldIssue } from '@tallystick/core/internal'
import { describe, expectTypeOf, test } from 'vitest'
import type {
  CallOptions,
  createCallbackHandler,
  Inbound,
  OperationResult,
  PaymentClient,
  PaymentClientOptions,
  PaymentOutcome,
  ResultOf,
  StoredCard,
  UndiciTransportOptions,
  Unknown,
} from '../src/index.ts'
import type { CallbackHandlerOptions, InboxHandlerOptions } from '../src/internal.ts'
import type { OperationMethods } from '../src/methods.ts'
import type { ResolveOptions, WaitOptions } from '../src/result.ts'
import type { AuthenticateOptions } from '../src/three-ds/three-ds.ts'

type Outcome<K extends OperationKey, O extends string> = Extract<OperationResult<K>, { outcome: O }>

test('The methods are those of the operations', () => {
  expectTypeOf<keyof OperationMethods>().toEqualTypeOf<OperationKey>()
})

describe('The result types', () => {
  test('give a money operation four outcomes', () => {
    expectTypeOf<Awaited<ReturnType<PaymentClient['sale']>>>().toEqualTypeOf<OperationResult<'sale'>>()
    expectTypeOf<OperationResult<'sale'>['outcome']>().toEqualTypeOf<'accepted' | 'rejected' | 'notSent' | 'unknown'>()
    expectTypeOf<Outcome<'sale', 'accepted'>['reply']>().toEqualTypeOf<ReplyValues<'sale'>>()
    expectTypeOf<RejectedError>().toExtend<Outcome<'sale', 'rejected'>['error']>()
    expectTypeOf<Outcome<'sale', 'notSent'>['error']>().toEqualTypeOf<InvalidInputError | NotSentError>()
    expectTypeOf<Outcome<'sale', 'unknown'>['error']>().toEqualTypeOf<NoReplyError | GatewayError>()
  })

  test('let nobody read a reply before checking the outcome', () => {
    expectTypeOf<OperationResult<'sale'>>().not.toHaveProperty('reply')
    expectTypeOf<OperationResult<'sale'>>().not.toHaveProperty('resolve')
    expectTypeOf<Outcome<'sale', 'unknown'>>().not.toHaveProperty('reply')
  })

  test('have an error that is there or undefined', () => {
    expectTypeOf<OperationResult<'sale'>['error']>().toEqualTypeOf<
      RejectedError | AuthRejectedError | InvalidInputError | NotSentError | NoReplyError | GatewayError | undefined
    >()
    expectTypeOf<Outcome<'sale', 'accepted'>['error']>().toEqualTypeOf<undefined>()
  })

  test('give a read its reply', () => {
    expectTypeOf<ResultOf<'status'>>().toEqualTypeOf<ReplyValues<'status'>>()
    expectTypeOf<ResultOf<'getCardInfo'>>().toEqualTypeOf<ReplyValues<'getCardInfo'>>()
    expectTypeOf<ResultOf<'panEligibilitySend'>>().toEqualTypeOf<ReplyValues<'panEligibilitySend'>>()
    expectTypeOf<ResultOf<'status'>['status']>().toExtend<string>()
  })

  test('let an unknown outcome be resolved by its status, and only where the request was sent', () => {
    expectTypeOf<Unknown['resolve']>().returns.resolves.toEqualTypeOf<ReplyValues<'status'>>()
    expectTypeOf<Outcome<'uploadCresResult', 'unknown'>>().toEqualTypeOf<Unknown>()
    expectTypeOf<keyof ResolveOptions>().toEqualTypeOf<'signal' | 'timeoutMs'>()
  })

  test('give a callback handler final statuses only, so that a misspelled one does not compile', () => {
    expectTypeOf<PaymentOutcome['status']>().toEqualTypeOf<'approved' | 'declined' | 'filtered' | 'error'>()
  })

  test('give an unknown outcome of storing a card nothing to resolve it by', () => {
    expectTypeOf<Outcome<'createCardRef', 'unknown'>>().not.toHaveProperty('resolve')
    expectTypeOf<Outcome<'createCardRefV4', 'unknown'>>().not.toHaveProperty('resolve')
    expectTypeOf<Outcome<'createRecurringPayment', 'unknown'>>().not.toHaveProperty('resolve')
    expectTypeOf<Outcome<'createCardRef', 'unknown'>>().toHaveProperty('error')
  })
})

describe('The input types', () => {
  test('leave out the login, which the client supplies', () => {
    expectTypeOf<RequestInput<'status'>>().not.toHaveProperty('login')
    expectTypeOf<{ clientOrderId: string }>().toExtend<RequestInput<'status'>>()
  })

  test('take amounts as text, and ids of endpoints never as a float', () => {
    expectTypeOf<RequestInput<'makeRebill'>['amount']>().toEqualTypeOf<AmountText>()
    expectTypeOf<string>().toExtend<AmountText>()
    expectTypeOf<number>().not.toExtend<AmountText>()
    expectTypeOf<CallOptions['endpointId']>().toEqualTypeOf<string | bigint | undefined>()
  })

  test('take a profile or an address, and an endpoint or a group', () => {
    type Common = { login: string; controlKey: string }
    expectTypeOf<Common & { baseUrl: string; endpointId: string }>().toExtend<PaymentClientOptions>()
    expectTypeOf<Common & { baseUrl: string; endpointGroupId: bigint }>().toExtend<PaymentClientOptions>()
    expectTypeOf<Common & { endpointId: string }>().not.toExtend<PaymentClientOptions>()
    expectTypeOf<Common & { baseUrl: string }>().not.toExtend<PaymentClientOptions>()
    expectTypeOf<Common & { baseUrl: string; endpointId: number }>().not.toExtend<PaymentClientOptions>()
    type Both = { endpointId: string; endpointGroupId: string }
    expectTypeOf<Common & { baseUrl: string } & Both>().not.toExtend<PaymentClientOptions>()
  })

  test('of a call may be passed on as they came, also under `exactOptionalPropertyTypes`', () => {
    type Given = { [Option in keyof CallOptions]-?: CallOptions[Option] | undefined }
    expectTypeOf<Given>().toExtend<CallOptions>()
    expectTypeOf<Given & { deadlineMs: number | undefined }>().toExtend<WaitOptions>()
    type Inbounds = Pick<Inbound, 'headers' | 'customerIp'>
    expectTypeOf<Given & Inbounds & { returnUrl: string }>().toExtend<AuthenticateOptions>()
  })

  test('of a client, a transport and a handler may be passed on in the same way', () => {
    type Given = { [Option in keyof Omit<PaymentClientOptions, 'profile'>]-?: PaymentClientOptions[Option] | undefined }
    type Required = {
      login: string
      controlKey: string
      baseUrl: string
      endpointId: string
      endpointGroupId: undefined
    }
    expectTypeOf<Omit<Given, keyof Required> & Required>().toExtend<PaymentClientOptions>()
    type Transport = { [Option in keyof UndiciTransportOptions]-?: UndiciTransportOptions[Option] | undefined }
    expectTypeOf<Transport>().toExtend<UndiciTransportOptions>()
    type Handler = Pick<CallbackHandlerOptions, 'client' | 'onOutcome' | 'onNotice'>
    expectTypeOf<Handler & { onUnconfirmed: undefined }>().toExtend<CallbackHandlerOptions>()
  })

  test('take an inbox for callbacks or a function, never both', () => {
    type Given = Parameters<typeof createCallbackHandler>[0]
    type Inbox = Pick<InboxHandlerOptions, 'client' | 'inbox'>
    type Confirming = Pick<CallbackHandlerOptions, 'client' | 'onOutcome' | 'onNotice'>
    expectTypeOf<Inbox>().toExtend<Given>()
    expectTypeOf<Confirming>().toExtend<Given>()
    expectTypeOf<Inbox & Confirming>().not.toExtend<Given>()
  })
})

test('the errors that this library passes on are told apart by their code', () => {
  type Told = Parameters<NonNullable<CallbackHandlerOptions['onUnconfirmed']>>[0]
  expectTypeOf<Told>().toEqualTypeOf<PaymentError>()
  expectTypeOf<Extract<Told, { code: 'AUTH_REJECTED' }>['remedy']>().toEqualTypeOf<string>()
  expectTypeOf<Extract<Told, { code: 'INVALID_INPUT' }>['issues']>().toEqualTypeOf<readonly FieldIssue[]>()
  const card = {} as StoredCard['card']
  if (!isPaymentError(card)) expectTypeOf(card).toEqualTypeOf<ReplyValues<'getCardInfo'>>()
})
