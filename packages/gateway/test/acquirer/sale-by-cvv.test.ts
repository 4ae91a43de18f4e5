import { describe, expect, test } from 'vitest'
import { simulator } from '../../src/index.ts'
import { type Fields, fieldsOf, sale, status } from '../support/signed-requests.ts'
import { testGateway } from '../support/test-gateway.ts'

async function outcomeOf(changes: Fields): Promise<Fields> {
  const { gateway } = testGateway()
  await gateway.handle(sale(changes))
  await gateway.settled()
  return fieldsOf(await gateway.handle(status({ client_orderid: 'inv-1' })))
}

describe('the CVV of a sale chooses its status', () => {
  test.for(['123', '1234', '111'])(
    '[G10-01] [G10-06] [G5-06] %s is approved, with an id of the processor',
    async (cvv2) => {
      const told = await outcomeOf({ cvv2 })
      expect(told).toMatchObject({ status: 'approved', 'order-stage': 'sale_approved' })
      expect(told['processor-tx-id']).toBe(`PNTEST-${told['paynet-order-id']}`)
      expect(told['approval-code']).toMatch(/^\d{6}$/)
      expect(told).not.toHaveProperty('error-code')
    },
  )

  test.for([
    ['101', 'Expired card'],
    ['116', 'Not sufficient funds'],
    ['119', 'Transaction not permitted to cardholder'],
    ['209', 'Pick up card, stolen'],
  ] as const)('[G10-05] [G5-06] [G9-01] %s is declined: %s', async ([cvv2, message]) => {
    const told = await outcomeOf({ cvv2 })
    expect(told).toMatchObject({
      type: 'status-response',
      status: 'declined',
      'order-stage': 'sale_failed',
      'error-code': cvv2,
      'error-message': message,
    })
    expect(told).not.toHaveProperty('approval-code')
    expect(told).not.toHaveProperty('processor-tx-id')
  })

  test.for(['000', '124', '999', '1235', '0123', '1111'])(
    '[G10-05] %s, like every other, is declined',
    async (cvv2) => {
      expect(await outcomeOf({ cvv2 })).toMatchObject({ status: 'declined', 'order-stage': 'sale_failed' })
    },
  )

  test('[G10-04] [G5-06] 217 is unknown, without a reason', async () => {
    const told = await outcomeOf({ cvv2: '217' })
    expect(told['status']).toBe('unknown')
    for (const name of ['order-stage', 'error-code', 'error-message', 'approval-code'])
      expect(told).not.toHaveProperty(name)
  })

  test('321 stays processing until the customer has authenticated', async () => {
    expect(await outcomeOf({ cvv2: '321' })).toMatchObject({
      status: 'processing',
      'order-stage': 'sale_3d_validating',
    })
  })

  test.for(['method', 'challenge', 'pareq'] as const)(
    '[G10-03] 111 is approved at once where a payment with 3DS begins with the step %s',
    async (authentication) => {
      const { gateway } = testGateway({ acquirer: simulator({ authentication }) })
      await gateway.handle(sale({ cvv2: '111' }))
      await gateway.settled()
      expect(fieldsOf(await gateway.handle(status({ client_orderid: 'inv-1' })))['status']).toBe('approved')
    },
  )

  test.for([
    ['4444444444444448', 'VISA'],
    ['4444555566661111', 'VISA'],
    ['4485940822379130', 'VISA'],
    ['5555555555554444', 'MASTERCARD'],
    ['6759649826438453', 'MAESTRO'],
  ] as const)(
    '[G10-01] %s is approved like any card number with a right check digit',
    async ([credit_card_number, brand]) => {
      expect(await outcomeOf({ credit_card_number })).toMatchObject({
        status: 'approved',
        bin: credit_card_number.slice(0, 6),
        'last-four-digits': credit_card_number.slice(-4),
        'card-type': brand,
      })
    },
  )
})
