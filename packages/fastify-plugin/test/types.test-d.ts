import type { PaymentClient, PaymentOutcome, ReturnedOrder } from '@tallystick/client'
import fastify, { type FastifyBaseLogger } from 'fastify'
import { expectTypeOf, test } from 'vitest'
import { browserReturn, gatewayRoutes, paymentCallbacks, threeDsReturn } from '../src/index.ts'

declare const client: PaymentClient
declare const journal: { browserReturn(clientOrderId: string | undefined): Promise<{ readonly shown: 'a page' }> }
declare const loggerInstance: FastifyBaseLogger & { readonly flush: () => void }
const nothing = { status: 200, headers: {}, body: '' }

test('a plugin is registered in an app on any server, with any logger', () => {
  fastify().register(
    gatewayRoutes(async () => nothing),
    { prefix: '/paynet', logLevel: 'warn' },
  )
  fastify({ http2: true }).register(threeDsReturn(async () => nothing))
  fastify({ loggerInstance }).register(
    threeDsReturn(async () => nothing),
    () => ({ prefix: '/3ds' }),
  )
})

test('the page of a returning customer is made from what the journal says, or from the status', () => {
  browserReturn({
    journal,
    show: (view) => {
      expectTypeOf(view).toEqualTypeOf<{ readonly shown: 'a page' }>()
      return nothing
    },
  })
  browserReturn({
    client,
    show: (view) => {
      expectTypeOf(view).toEqualTypeOf<ReturnedOrder>()
      return nothing
    },
  })
})

test('a listener of outcomes gets no change of one, and one of changes is needed', () => {
  paymentCallbacks({
    client,
    onOutcome: (outcome) => void expectTypeOf(outcome).toEqualTypeOf<PaymentOutcome & { readonly change?: never }>(),
    onNotice: 'ignore',
  })
  // @ts-expect-error: onNotice is missing
  paymentCallbacks({ client, onOutcome: () => {} })
})
