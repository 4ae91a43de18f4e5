import { expectTypeOf, test } from 'vitest'
import type { Posting } from '../../src/ledger/ledger.ts'
import type { StoredOperation, StoredOrder } from '../../src/orders/order.ts'
import type { Delivery } from '../../src/store/delivery.ts'
import type { ChargeTask, OrderTask } from '../../src/store/store.ts'
import type { CardReference, SealedCard } from '../../src/vault/sealed-card.ts'

/**
 * The fields that have columns of their own. A new field needs one, in the rows and in a migration, or it is lost. Then it is
 * added here. `details`, `outcome` and recurring payments are JSON, which holds any field.
 */
test('every field that is stored has a column', () => {
  expectTypeOf<keyof StoredOrder>().toEqualTypeOf<
    | 'orderId'
    | 'version'
    | 'login'
    | 'endpointId'
    | 'clientOrderId'
    | 'digest'
    | 'signedAs'
    | 'createdAt'
    | 'terms'
    | 'operations'
    | 'details'
  >()
  expectTypeOf<keyof StoredOrder['terms']>().toEqualTypeOf<'currency' | 'settleAfter' | 'holdFor' | 'payoutCheckFor'>()
  expectTypeOf<keyof StoredOperation>().toEqualTypeOf<
    'id' | 'kind' | 'amount' | 'status' | 'createdAt' | 'statusAt' | 'serialNumber' | 'token' | 'outcome'
  >()
  expectTypeOf<keyof Posting>().toEqualTypeOf<'orderId' | 'operationId' | 'account' | 'amount' | 'currency' | 'at'>()
  expectTypeOf<keyof Delivery>().toEqualTypeOf<
    'id' | 'orderId' | 'url' | 'createdAt' | 'dueAt' | 'made' | 'firstAt' | 'state' | 'lastAnswer' | 'givenUpAt'
  >()
  expectTypeOf<keyof OrderTask>().toEqualTypeOf<'id' | 'dueAt' | 'kind' | 'orderId' | 'tried'>()
  expectTypeOf<keyof ChargeTask>().toEqualTypeOf<
    'id' | 'dueAt' | 'kind' | 'recurringPaymentId' | 'number' | 'date' | 'tried'
  >()
  expectTypeOf<keyof SealedCard>().toEqualTypeOf<
    | 'cardId'
    | 'login'
    | 'fingerprint'
    | 'keyId'
    | 'wrappedKey'
    | 'sealedPan'
    | 'bin'
    | 'lastFourDigits'
    | 'cardType'
    | 'cardholderName'
    | 'expireMonth'
    | 'expireYear'
  >()
  expectTypeOf<keyof CardReference>().toEqualTypeOf<
    'referenceId' | 'login' | 'cardId' | 'kind' | 'createdAt' | 'orderId'
  >()
})
