import { describe, expect, test } from 'vitest'
import { createGateway } from '../../src/index.ts'
import { desk, refusal } from '../support/desk.ts'
import { MONTHLY, recurringDesk } from '../support/recurring.ts'
import { BASE_URL, merchants, SALE } from '../support/signed-requests.ts'

describe('an id that people would read otherwise than machines', () => {
  test.for(['inv\t1', 'inv\u202e1', 'inv\u200b1', 'inv\u00ad1'])('[F-D8] is refused by the gateway: %j', async (id) => {
    const { ask, told } = desk()
    const reply = await ask('/api/v2/sale', { ...SALE, client_orderid: id })
    expect(refusal(reply)).toMatch(
      /^1: clientOrderId \(client_orderid\) must be text of 1 to 128 characters, all printable/,
    )
    expect(reply).not.toHaveProperty('merchant-order-id')
    expect(refusal(await told({ client_orderid: id }))).toMatch(/^1: /)
  })

  test('[F-D8] is refused as a login in the configuration', () => {
    const [shop] = merchants()
    const wrong = { ...shop, login: 'sh\u202eop', controlKey: shop?.controlKey ?? '', endpoints: [{ id: 1 }] }
    expect(() => createGateway({ publicUrl: BASE_URL, merchants: [wrong], sandbox: true })).toThrow(
      'merchants[0].login has characters that do not show',
    )
  })
})

test('[F-D8] a finish date before the start date is refused where no schedule is', async () => {
  const { create } = recurringDesk()
  const { period: _, interval: __, ...onRequest } = MONTHLY
  const reply = await create({ ...onRequest, 'start-date': '2030-03-02', 'finish-date': '2030-03-01' })
  expect(refusal(reply)).toMatch(/^1: finishDate \(finish-date\) must not be before startDate/)
})
