import type {
  Cvv,
  InvalidInputError,
  OperationKey,
  Operations,
  Pan,
  PaymentErrorCode,
  Profile,
  ReplyValues,
  RequestInput,
  Status,
} from '@tallystick/core'
import type { Extra, KnownStatus, Reply, RequestValues } from '@tallystick/core/internal'
import { expectTypeOf, test } from 'vitest'
import { field, filledIn, required } from '../../src/models/field.ts'
import type { Format } from '../../src/models/format.ts'
import { type AmountText, amount, flag } from '../../src/models/formats.ts'
import { anyText } from '../../src/models/reply-formats.ts'
import { defineReply } from '../../src/replies/reply-fields.ts'
import { defineRequest } from '../../src/requests/request-fields.ts'

test('a caller supplies what is required, without the login', () => {
  expectTypeOf<RequestInput<'sale'>['clientOrderId']>().toEqualTypeOf<string>()
  expectTypeOf<RequestInput<'sale'>>().not.toHaveProperty('login')
  expectTypeOf<RequestInput<'capture'>>().not.toHaveProperty('login')
  expectTypeOf<RequestInput<'capture'>>().toEqualTypeOf<{
    readonly clientOrderId: string
    readonly orderId: string
    readonly amount?: AmountText | undefined
    readonly currency?: string | undefined
    readonly extra?: Extra | undefined
  }>()
})

test('card data is text or its own type for the caller, and its own type in the model', () => {
  expectTypeOf<RequestInput<'sale'>['cardNumber']>().toEqualTypeOf<string | Pan | undefined>()
  expectTypeOf<RequestValues<'sale'>['cardNumber']>().toEqualTypeOf<Pan | undefined>()
  expectTypeOf<RequestInput<'sale'>['cvv2']>().toEqualTypeOf<string | Cvv | undefined>()
  expectTypeOf<RequestInput<'createRecurringPayment'>['cardNumber']>().toEqualTypeOf<string | Pan>()
})

test('money is text, never a number', () => {
  expectTypeOf<RequestInput<'sale'>['amount']>().toEqualTypeOf<AmountText>()
  expectTypeOf<RequestInput<'return'>['amount']>().toEqualTypeOf<AmountText | undefined>()
})

test('what differs between forms and direct requests is in the types', () => {
  expectTypeOf<RequestInput<'saleForm'>>().not.toHaveProperty('cardNumber')
  expectTypeOf<RequestInput<'saleForm'>['redirectUrl']>().toEqualTypeOf<string>()
  expectTypeOf<RequestInput<'sale'>['redirectUrl']>().toEqualTypeOf<string | undefined>()
  expectTypeOf<RequestInput<'accountVerification'>>().not.toHaveProperty('amount')
  expectTypeOf<RequestInput<'accountVerification'>['phone']>().toEqualTypeOf<string | undefined>()
})

test('closed lists are closed, flags take both forms', () => {
  expectTypeOf<RequestInput<'uploadMethodUrlResult'>['methodCompletion']>().toEqualTypeOf<'Y' | 'N' | 'U'>()
  expectTypeOf<RequestInput<'createRecurringPayment'>['period']>().toEqualTypeOf<
    'day' | 'week' | 'month' | 'year' | undefined
  >()
  expectTypeOf<RequestInput<'sale'>['browserInfo']>().toEqualTypeOf<boolean | 'true' | 'false' | undefined>()
  expectTypeOf<RequestValues<'sale'>['browserInfo']>().toEqualTypeOf<boolean | undefined>()
  expectTypeOf<RequestInput<'sale'>['expireMonth']>().toEqualTypeOf<string | number | undefined>()
})

test('replies are texts, with an open status', () => {
  expectTypeOf<ReplyValues<'status'>['status']>().toEqualTypeOf<Status>()
  expectTypeOf<KnownStatus>().toExtend<Status>()
  expectTypeOf<string>().toExtend<Status>()
  expectTypeOf<ReplyValues<'sale'>['orderId']>().toEqualTypeOf<string>()
  expectTypeOf<ReplyValues<'saleForm'>['redirectUrl']>().toEqualTypeOf<string>()
  expectTypeOf<ReplyValues<'sale'>['redirectUrl']>().toEqualTypeOf<string | undefined>()
  expectTypeOf<ReplyValues<'status'>['extra']>().toEqualTypeOf<Extra>()
})

test('a reply is told apart by its kind', () => {
  expectTypeOf<Reply<'sale'>['kind']>().toEqualTypeOf<
    'success' | 'validation-error' | 'error' | 'incomplete' | 'no-reply'
  >()
  expectTypeOf<Extract<Reply<'sale'>, { kind: 'success' }>['reply']>().toEqualTypeOf<ReplyValues<'sale'>>()
})

test('the catalogue keeps its literals', () => {
  expectTypeOf<Operations['sale']['path']>().toEqualTypeOf<'/api/v2/sale'>()
  expectTypeOf<Operations['sale']['name']>().toEqualTypeOf<'SALE'>()
  expectTypeOf<'sale'>().toExtend<OperationKey>()
  expectTypeOf<'refund'>().not.toExtend<OperationKey>()
})

test('a field that is not what the dictionary of fields says does not compile', () => {
  const about = { name: 'SaleRequest', meaning: 'Authorizes and captures in one step.' }
  const ofFormat = <In, Out>(format: Format<In, Out>) => required(field('name', format, filledIn('3.1'), about.meaning))
  defineRequest({ ...about, fields: () => ({ amount: ofFormat(amount) }) })
  // @ts-expect-error an amount is a text
  defineRequest({ ...about, fields: () => ({ amount: ofFormat(flag) }) })
  // @ts-expect-error the model holds a card number as a `Pan`
  defineRequest({ ...about, fields: () => ({ cardNumber: ofFormat(anyText) }) })
  // @ts-expect-error no field of requests has the name
  defineRequest({ ...about, fields: () => ({ total: ofFormat(amount) }) })
  // @ts-expect-error the status of a reply is a documented one, or any other text
  defineReply({ ...about, fields: () => ({ status: ofFormat(flag) }) })
})

test('codes are a closed set', () => {
  expectTypeOf<PaymentErrorCode>().toEqualTypeOf<
    'INVALID_INPUT' | 'MALFORMED_FORM' | 'NOT_SENT' | 'NO_REPLY' | 'REJECTED' | 'AUTH_REJECTED' | 'GATEWAY_ERROR'
  >()
  expectTypeOf<InvalidInputError['code']>().toEqualTypeOf<'INVALID_INPUT'>()
  expectTypeOf<Profile['replyFormat']>().toEqualTypeOf<'json' | 'classic'>()
})
