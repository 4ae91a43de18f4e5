import { createPaymentClient, type PaymentClientOptions } from '@tallystick/client'
import { startGateway } from '@tallystick/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let gateway: Awaited<ReturnType<typeof startGateway>>
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.close())

const sale = {
  clientOrderId: 'credentials-a',
  orderDesc: 'Tea',
  amount: '10.42',
  currency: 'EUR',
  address1: 'Main st 1',
  city: 'Berlin',
  zipCode: '10115',
  country: 'DE',
  phone: '+49301234567',
  email: 'a@example.com',
  customerIp: '203.0.113.7',
  cardNumber: '4444555566661111',
  cardPrintedName: 'A BUYER',
  expireMonth: 12,
  expireYear: 2039,
  cvv2: '123',
}

async function withClient<T>(
  change: Partial<Pick<PaymentClientOptions, 'login' | 'controlKey'>> & { endpointId?: string },
  use: (client: ReturnType<typeof createPaymentClient>) => Promise<T>,
): Promise<T> {
  const { baseUrl, login, controlKey, endpointId } = gateway.merchant
  const client = createPaymentClient({ baseUrl, login, controlKey, endpointId, ...change })
  try {
    return await use(client)
  } finally {
    await client.close()
  }
}

describe('Credentials are checked at a gateway before the first payment', () => {
  test('right ones', async () => {
    expect(await withClient({}, (client) => client.checkCredentials())).toEqual({ credentials: 'right' })
  })

  test.each([
    ['control key', { controlKey: 'another-key' }],
    ['login', { login: 'nobody' }],
    ['endpoint', { endpointId: '999999' }],
  ])('a wrong %s', async (_what, change) => {
    const check = await withClient(change, (client) => client.checkCredentials())
    expect(check).toMatchObject({ credentials: 'wrong', error: { code: 'AUTH_REJECTED' } })
  })

  test('a sale with a wrong key is refused, and says that its status is refused as well', async () => {
    const result = await withClient({ controlKey: 'another-key' }, (client) => client.sale(sale))
    expect(result).toMatchObject({ outcome: 'rejected', error: { code: 'AUTH_REJECTED' } })
    if (result.outcome !== 'rejected') throw new Error(result.outcome)
    expect(result.error.message).toContain('the status of the order was refused as well')
    expect(result.error.message).not.toContain('another-key')
  })
})
