import { cresOf, paResOf, type SimulatedResult, simulatedTransaction } from '../../src/acquirer/simulated-messages.ts'
import { openingOperation } from '../../src/orders/operations.ts'
import type { AuthenticationRequest } from '../../src/orders/order.ts'
import type { Store } from '../../src/store-port.ts'

/** Makes the messages with which the simulated access control server ends an order's authentication. */
export function issuer(store: Pick<Store, 'orderById'>) {
  const transaction = async (orderId: string) => {
    const order = await store.orderById(orderId)
    if (order === undefined) throw new Error(`There is no order ${orderId}`)
    const { id, token = '' } = openingOperation(order)
    return simulatedTransaction(token, id)
  }
  return {
    cRes: async (orderId: string, verdict: SimulatedResult = 'authenticated') =>
      cresOf(await transaction(orderId), verdict),
    paRes: async (orderId: string, verdict: SimulatedResult = 'authenticated') =>
      paResOf(await transaction(orderId), verdict),
  }
}

/** Steps that a test's acquirer asks for. */
export const STEPS = {
  method: {
    step: 'method',
    methodUrl: 'https://acs.example.com/method',
    threeDsServerTransId: '8a880dc0-d2d2-4067-bcb1-b08d1690b26e',
  },
  challenge: {
    step: 'challenge',
    acsUrl: 'https://acs.example.com/challenge',
    creq: 'eyJtZXNzYWdlVHlwZSI6IkNSZXEifQ',
    threeDsSessionData: 'c2Vzc2lvbg',
  },
  pareq: { step: 'pareq', acsUrl: 'https://acs.example.com/pareq', paReq: 'eJwDAAAAAAE=', md: 'BB4A51' },
} as const satisfies Readonly<Record<string, AuthenticationRequest>>
