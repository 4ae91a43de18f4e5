import { describe, expect, test } from 'vitest'
import { deciding } from '../support/acquirers.ts'
import { fieldsOf, form, SALE, sale, status } from '../support/signed-requests.ts'
import { testGateway } from '../support/test-gateway.ts'

/** Replies of each kind, parsed, so that texts and numbers can be told apart. */
async function written(options: { readonly numericIds?: boolean }) {
  const { gateway } = testGateway(options)
  const taken = await gateway.handle(sale({ cvv2: '101' }))
  await gateway.settled()
  const told = await gateway.handle(status({ client_orderid: 'inv-1' }))
  const refused = await gateway.handle({ ...sale(), body: form(SALE) })
  const read = ({ body }: { readonly body: string }): Record<string, unknown> => JSON.parse(body)
  return { taken: read(taken), told: read(told), refused: read(refused) }
}

describe('the switch for numbers', () => {
  test('[G2.2-02] writes the order id of an acknowledgement and every error code as JSON numbers, as was seen', async () => {
    const { taken, told, refused } = await written({ numericIds: true })
    expect(taken['paynet-order-id']).toBeTypeOf('number')
    expect(String(taken['paynet-order-id'])).toMatch(/^[1-9]\d{14}$/)
    expect([told['error-code'], refused['error-code']]).toEqual([101, 4])
    expect(told['paynet-order-id']).toBe(String(taken['paynet-order-id']))
    expect([taken['end-point-id'], taken['merchant-order-id'], told['amount']]).toEqual(['1111', 'inv-1', '0.00'])
  })

  test.for(['05', '00', '9007199254740993', 'R01'])('leaves the code %s of an acquirer as it is', async (errorCode) => {
    const execute = async () => ({ status: 'declined', errorCode, errorMessage: 'Do not honour' }) as const
    const { gateway } = testGateway({ numericIds: true, acquirer: deciding({ execute }) })
    await gateway.handle(sale())
    await gateway.settled()
    expect(fieldsOf(await gateway.handle(status({ client_orderid: 'inv-1' })))['error-code']).toBe(errorCode)
  })

  test('[G2.2-01] is off by default: everything is text', async () => {
    const { taken, told, refused } = await written({})
    const all = [taken, told, refused].flatMap((fields) => Object.values(fields))
    expect(all.filter((value) => typeof value !== 'string')).toEqual([])
  })

  test('[G2.2-02] does not change the classic format', async () => {
    const { gateway } = testGateway({ numericIds: true, replyFormat: 'classic' })
    const request = sale()
    const { body } = await gateway.handle({ ...request, headers: { ...request.headers, accept: undefined } })
    expect(body).toMatch(/paynet-order-id=[1-9]\d{14}\n/)
  })
})
