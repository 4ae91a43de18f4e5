import type { PaymentClient, ResultOf } from '@tallystick/client'
import type { AmountText, Secret } from '@tallystick/core'
import { type FaultName, type VirtualClock, virtualClock } from '@tallystick/gateway'
import { expect, expectTypeOf, test } from 'vitest'
import {
  accepted,
  type FakeClient,
  fakeClient,
  rejected,
  saleInput,
  startGateway,
  type TestGateway,
} from '../src/index.ts'
import '../src/vitest.ts'
import type { ACTS, Scenario } from '../src/gateway/scenario.ts'

test('a fake client is a client', () => {
  expectTypeOf<FakeClient>().toExtend<PaymentClient>()
  expectTypeOf(fakeClient().sale).returns.resolves.toEqualTypeOf<ResultOf<'sale'>>()
})

test('an answer has only the fields of its operation', () => {
  const fake = fakeClient()
  fake.answer('sale', accepted({ orderId: '1' }), rejected({ errorCode: '7' }))
  fake.answer('status', (request) => accepted({ orderId: request.orderId, amount: '1.00' }))
  // @ts-expect-error an acknowledgement has no amount
  fake.answer('sale', accepted({ orderId: '1', amount: '1.00' }))
  // @ts-expect-error an order id is a text
  fake.answer('sale', accepted({ orderId: 1 }))
  // @ts-expect-error there is no such operation
  fake.answer('sell', accepted())
  // @ts-expect-error a refusal has no order
  fake.answer('sale', rejected({ orderId: '1' }))
})

test('a recorded call has the type of its operation', () => {
  expectTypeOf(fakeClient().callsOf('sale')).items.toHaveProperty('amount').toEqualTypeOf<AmountText>()
  const [call] = fakeClient().calls
  if (call?.operation === 'capture') expectTypeOf(call.request.orderId).toEqualTypeOf<string>()
})

test('a builder accepts only the fields of its operation', () => {
  expectTypeOf(saleInput({ amount: '1.00' }).amount).toEqualTypeOf<AmountText>()
  // @ts-expect-error there is no such field
  saleInput({ ammount: '1.00' })
})

test('a gateway has the clock that it was given, and by default one that a test can advance', () => {
  expectTypeOf(startGateway()).resolves.toEqualTypeOf<TestGateway<VirtualClock>>()
  expectTypeOf(startGateway({ clock: virtualClock() }))
    .resolves.toHaveProperty('clock')
    .toExtend<VirtualClock>()
})

test('every fault has a method, and an operation without an order has only the faults of its reply', async () => {
  expectTypeOf<(typeof ACTS)[keyof typeof ACTS]>().toEqualTypeOf<FaultName>()
  const gateway = await startGateway()
  expectTypeOf(gateway.next('sale')).toEqualTypeOf<Scenario>()
  expectTypeOf(gateway.next('getCardInfo')).toHaveProperty('loseReplyAfterCommit')
  expectTypeOf(gateway.next('getCardInfo')).not.toHaveProperty('neverCallBack')
})

test('the matchers are those of expect', () => {
  expectTypeOf(expect(1).toBeApproved).returns.toEqualTypeOf<void>()
  expectTypeOf(expect(1).not.toHaveBeenChargedOnce).toBeFunction()
  expectTypeOf(expect(Promise.resolve(1)).resolves.toBalance).returns.toEqualTypeOf<Promise<void>>()
  expectTypeOf(fakeClient().controlKey).toEqualTypeOf<Secret>()
})
