import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { EndpointOptions } from '../src/index.ts'
import { counter, fieldsOf, TYPED } from './pages/browser.ts'
import { deciding, UNKNOWN } from './support/acquirers.ts'
import { desk } from './support/desk.ts'
import { merchants, SHOP } from './support/signed-requests.ts'
import { testGateway } from './support/test-gateway.ts'

function at(options: Partial<EndpointOptions>) {
  const [shop, ...others] = merchants()
  if (shop === undefined) throw new Error('there is no shop')
  return { merchants: [{ ...shop, endpoints: [{ id: '1111', ...options }] }, ...others] }
}

const NOTIFY = { notify_url: 'https://shop.example.com/callback' }

describe('for a classic installation', () => {
  test.for([
    ['payment', ['10.42', '10.42', '10.42']],
    ['operation', ['10.42', '1.00', '2.00']],
    [undefined, ['10.42', '1.00', '2.00']],
  ] as const)('[F-D11] with callbackAmount %s the callbacks have the amounts %j', async ([callbackAmount, amounts]) => {
    const { sale, return: giveBack, gateway, calls, told } = desk(at({ callbackAmount }))
    const ids = await sale(NOTIFY)
    await giveBack(ids, { amount: '1.00', currency: 'EUR' })
    await gateway.chargeback(ids.orderid, '2.00')
    await gateway.settled()
    const called = calls.map((url) => new URL(url).searchParams)
    expect(called.map((each) => each.get('type'))).toEqual(['sale', 'reversal', 'chargeback'])
    expect(called.map((each) => each.get('amount'))).toEqual(amounts)
    expect(await told(ids)).toMatchObject({ amount: '7.42', 'initial-amount': '10.42' })
  })

  test.for([
    ['processing', 'processing'],
    ['unknown', 'unknown'],
    [undefined, 'unknown'],
  ] as const)(
    '[F-D11] with unknownAs %s callbacks say and the browser comes back %s, rightly signed',
    async (given) => {
      const [unknownAs, status] = given
      const { openForm, submit, open, told, clock, calls } = counter({
        ...at({ unknownAs }),
        acquirer: deciding({ execute: async () => UNKNOWN, lookup: async () => UNKNOWN }),
      })
      const { address, ids } = await openForm('/api/v2/sale-form', NOTIFY)
      await submit(address, TYPED)
      await clock.advance('5m')
      const back = fieldsOf(await open(address))
      const signed = `${status}${ids.orderid}${ids.client_orderid}${SHOP.controlKey}`
      expect(back).toMatchObject({ status, control: createHash('sha1').update(signed).digest('hex') })
      expect(calls.map((url) => new URL(url).searchParams.get('status'))).toEqual([status])
      expect(await told(ids)).toMatchObject({ status: 'unknown' })
    },
  )

  test('[F-D11] a word that is none of an option is refused at the start', () => {
    const wrong = { callbackAmount: 'part' as 'payment' }
    expect(() => testGateway(at(wrong))).toThrow(/callbackAmount/)
  })
})
