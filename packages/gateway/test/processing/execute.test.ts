import { describe, expect, test } from 'vitest'
import { simulator, type Token } from '../../src/index.ts'
import { counter, TYPED } from '../pages/browser.ts'
import { deciding, listening } from '../support/acquirers.ts'
import { desk, refusal } from '../support/desk.ts'
import { recurringDesk } from '../support/recurring.ts'
import { fieldsOf, SALE, sale } from '../support/signed-requests.ts'

/** An acquirer that takes cards only when the test says so. */
function slow() {
  const inner = simulator()
  const taken = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  const listened = listening({
    tokenize: async (instrument) => {
      asked.resolve()
      await taken.promise
      return await inner.tokenize(instrument)
    },
  })
  return { ...listened, take: taken.resolve, asked: asked.promise }
}

describe('a card that the acquirer takes', () => {
  test('[G13-07] after the request timed out begins no order: the merchant may have begun another', async () => {
    const { acquirer, executed, take, asked } = slow()
    const { gateway, clock, told, heard } = desk({ acquirer })
    const late = gateway.handle(sale())
    await asked
    await clock.advance('30s')
    expect(fieldsOf(await late)).toMatchObject({ type: 'error', 'error-code': '6' })
    expect(heard.map(([error]) => String(error))).toContain(
      'Error: The acquirer has not answered tokenize in the time of the request',
    )
    expect(refusal(await told({ client_orderid: 'inv-1' }))).toMatch(/^2: /)
    take()
    await gateway.settled()
    expect(refusal(await told({ client_orderid: 'inv-1' }))).toMatch(/^2: /)
    expect(executed).toEqual([])
    expect((await gateway.handle(sale())).status).toBe(200)
    await gateway.settled()
    expect(executed).toHaveLength(1)
  })

  test('[G13-07] a moment before that begins an order', async () => {
    const { acquirer, executed, take, asked } = slow()
    const { gateway, clock } = desk({ acquirer })
    const inTime = gateway.handle(sale())
    await asked
    await clock.advance(29_999)
    take()
    expect((await inTime).status).toBe(200)
    await gateway.settled()
    expect(executed).toHaveLength(1)
  })

  test('[G13-07] after the customer saw that it failed is not charged: the form is shown again', async () => {
    const { acquirer, executed, take, asked } = slow()
    const { gateway, clock, openForm, send, submit, shown } = counter({ acquirer })
    const { address, ids } = await openForm()
    const late = send(address, TYPED)
    await asked
    await clock.advance('30s')
    expect((await late).status).toBe(500)
    take()
    await gateway.settled()
    expect([executed, (await shown(ids))[0]]).toEqual([[], 'processing'])
    await submit(address, TYPED)
    expect([executed.length, (await shown(ids))[0]]).toEqual([1, 'approved'])
  })
})

/** An acquirer in plain JavaScript may return anything. */
const giving = (given: unknown) => listening({ tokenize: async () => given as Token })

describe.for([undefined, {}, { reference: 4711, authenticates: false }])(
  'an acquirer that gives %o for a card',
  (given) => {
    test('is asked for no payment: nobody could tell what became of it', async () => {
      const { acquirer, executed } = giving(given)
      const { gateway, heard, told } = desk({ acquirer })
      expect(fieldsOf(await gateway.handle(sale()))).toMatchObject({ type: 'error', 'error-code': '6' })
      await gateway.settled()
      expect(refusal(await told({ client_orderid: 'inv-1' }))).toMatch(/^2: /)
      expect(executed).toEqual([])
      expect(String(heard[0]?.[0])).toContain('The acquirer has returned no reference')
    })

    test('is asked for no charge, but for the card again', async () => {
      const { acquirer, executed } = giving(given)
      const { profile, charges, clock, heard } = recurringDesk({ acquirer })
      const id = await profile()
      await clock.advance('1m')
      expect([executed, await charges(id)]).toEqual([[], []])
      expect(heard.map(([error]) => String(error))).toEqual(Array(2).fill(expect.stringContaining('no reference')))
    })
  },
)

test('[F-B8] a reason that quotes the card, however it spells it, is told without it', async () => {
  const number = SALE.credit_card_number
  for (const quoted of [number.replaceAll(/\d{4}/g, '<td>$&</td>'), [...number].join('&#8203;')]) {
    const { acquirer } = giving({ refused: `No such card: ${quoted}, and its code is not ${SALE.cvv2}.` })
    const { gateway } = desk({ acquirer })
    const told = fieldsOf(await gateway.handle(sale()))['error-message'] ?? ''
    expect(told).toMatch(/^No such card: .*\*.*, and its code is not \*\*\*\.$/)
    expect(told.replaceAll(/<[^>]*>|&#\d+;|\D/g, '')).toBe(number.slice(0, 6) + number.slice(-4))
  }
})

test('[F-B8] a decision whose message quotes the card, however it spells it, is stored and told without it', async () => {
  const number = SALE.credit_card_number
  for (const quoted of [
    number.replaceAll(/\d{4}/g, '<td>$&</td>'),
    [...number].map((digit) => `%3${digit}`).join(''),
    [...number].map((digit) => `&#${48 + Number(digit)};`).join(''),
  ]) {
    const errorMessage = `Do not honour ${quoted}`
    const acquirer = deciding({ execute: async () => ({ status: 'declined', errorCode: '100', errorMessage }) })
    const { gateway, told, store } = desk({ acquirer })
    const { 'paynet-order-id': orderId = '' } = fieldsOf(await gateway.handle(sale()))
    await gateway.settled()
    const shown = (await told({ client_orderid: 'inv-1' }))['error-message'] ?? ''
    expect(shown).toMatch(/^Do not honour .*\*/)
    const plain = shown.replaceAll(/%3(\d)/g, '$1').replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(code))
    expect(plain.replaceAll(/<[^>]*>|\D/g, '')).toBe(number.slice(0, 6) + number.slice(-4))
    expect((await store.orderById(orderId))?.operations[0]?.outcome.errorMessage).toBe(shown)
  }
})

test('[F-B8] a decision that quotes the card in a code or a reference is stored and told without it', async () => {
  const number = SALE.credit_card_number
  const spaced = number.replaceAll(/\d{4}/g, '$& ')
  for (const decision of [
    { status: 'declined', errorCode: `05-${number}`, errorMessage: 'No', processorTxId: spaced, rrn: '629812345678' },
    { status: 'approved', approvalCode: `${number}A`, processorTxId: `tx-${number}`, rrn: '629812345678' },
    // Eight characters, two digits each.
    { status: 'approved', approvalCode: '㊹㊹㉝㉝㉒㉒⑪⑪', processorTxId: 'tx', rrn: '629812345678' },
  ] as const) {
    const { gateway, told, store } = desk({ acquirer: deciding({ execute: async () => decision }) })
    const { 'paynet-order-id': orderId = '' } = fieldsOf(await gateway.handle(sale()))
    await gateway.settled()
    const outcome = (await store.orderById(orderId))?.operations[0]?.outcome
    const shown = JSON.stringify([outcome, await told({ client_orderid: 'inv-1' })])
    expect(shown.normalize('NFKC').replaceAll(' ', '')).not.toContain(number)
    expect(outcome?.rrn).toBe('629812345678')
  }
})
