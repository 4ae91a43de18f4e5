import type { PaymentClientOptions, PaymentOutcome, ReturnedOrder } from '@tallystick/client'
import { expectTypeOf, test } from 'vitest'
import { OnPaymentOutcome, PaymentsModule } from '../src/index.ts'
import type { PaymentJournal } from '../src/payments.options.ts'

declare const client: PaymentClientOptions
declare const journal: PaymentJournal<{ readonly shown: 'a page' }>
const path = 'back'
const nothing = { status: 200, headers: {}, body: '' }

test('the page of a returning customer is made from what the journal says, or from the status', () => {
  PaymentsModule.forRoot({
    client,
    journal: () => journal,
    browserReturn: {
      path,
      show: (view) => {
        expectTypeOf(view).toEqualTypeOf<{ readonly shown: 'a page' }>()
        return nothing
      },
    },
  })
  PaymentsModule.forRoot({
    client,
    callbacks: {
      path,
      onOutcome: (outcome) => void expectTypeOf(outcome).toEqualTypeOf<PaymentOutcome & { readonly change?: never }>(),
    },
    browserReturn: {
      path,
      show: (view) => {
        expectTypeOf(view).toEqualTypeOf<ReturnedOrder>()
        return nothing
      },
    },
  })
})

test('settings without effect do not compile', () => {
  // @ts-expect-error: a journal calls its handler, not onOutcome
  PaymentsModule.forRoot({ client, journal: () => journal, callbacks: { path, onOutcome: () => {} } })
  // @ts-expect-error: show is missing
  PaymentsModule.forRoot({ client, browserReturn: { path } })
  // @ts-expect-error: path is missing
  PaymentsModule.forRoot({ client, browserReturn: { show: () => nothing } })
})

test('methods can only filter by what exists', () => {
  OnPaymentOutcome('approved')
  OnPaymentOutcome({ operation: ['sale', 'createCardRef'], instance: 'eu' })
  // @ts-expect-error: not final
  OnPaymentOutcome('processing')
  // @ts-expect-error: has no outcome
  OnPaymentOutcome({ operation: 'status' })
})
