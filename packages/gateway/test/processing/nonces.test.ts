import { describe, expect, test } from 'vitest'
import { simulator } from '../../src/index.ts'
import type { Change } from '../../src/store-port.ts'
import { listening } from '../support/acquirers.ts'
import { desk, MONEY } from '../support/desk.ts'
import { NOW, oauthSigned, SHOP } from '../support/signed-requests.ts'
import { committing, recording } from '../support/stores.ts'

const PAYOUT = { client_orderid: 'out-1', ...MONEY, account_number: '1' }
const signing = { method: 'HMAC-SHA1', key: SHOP.controlKey }
const payout = (changes = {}) => oauthSigned('/api/v2/payout/1111', { ...PAYOUT, ...changes }, signing)
const NONCE = { consumerKey: 'shop', timestamp: NOW, nonce: 'y3qlvMPky7g' }

/** The nonces that were consumed, and what each was written with. */
const consumed = (changes: readonly Change[]) =>
  changes
    .filter(({ nonce }) => nonce !== undefined)
    .map(({ nonce, order, recurringPayment }) => ({
      nonce,
      with: order ? 'order' : recurringPayment ? 'recurring payment' : 'nothing',
    }))

describe('a nonce', () => {
  test('[S5.2-06] [G13-04] is consumed in the transaction that writes the order, once', async () => {
    const { store, changes } = recording()
    const { send } = desk({ store })
    expect(await send(payout())).toMatchObject({ http: '200' })
    expect(consumed(changes)).toEqual([{ nonce: NONCE, with: 'order' }])
    expect(changes[0]?.order?.basedOn).toBe('nothing')
  })

  test('[G13-04] is consumed alone if nothing else is written: the repeat of an order, and a read', async () => {
    const { store, changes } = recording()
    const { askOAuth, sale } = desk({ store })
    const ids = await sale()
    await askOAuth('/api/v2/payout', PAYOUT)
    await askOAuth('/api/v2/payout', PAYOUT)
    await askOAuth('/api/v4/payout-pay', { login: 'shop', ...ids })
    expect(consumed(changes).map((each) => each.with)).toEqual(['order', 'nothing', 'nothing'])
  })

  test.for([
    ['was taken', {}, '200'],
    ['named a wrong field', { currency: 'euro' }, '400'],
    ['was over the limit of a field', { bank_name: 'x'.repeat(2000) }, '400'],
    ['had a callback address that cannot be called', { server_callback_url: 'https://10.0.0.1/' }, '400'],
    ['named a card that there is not', { account_number: '', 'destination-card-ref-id': '123' }, '400'],
  ] as const)('[S5.2-06] [G13-04] of a request that %s is consumed: a replay is 403', async ([, changes, http]) => {
    const { send } = desk()
    expect(await send(payout(changes))).toMatchObject({ http })
    for (const again of [payout(changes), payout()]) {
      expect(await send(again)).toMatchObject({ http: '403', 'error-code': '4' })
    }
  })

  test('[S5.2-06] [G13-04] of a request that names a field twice is consumed too', async () => {
    const { send, oauth } = desk()
    const twice = oauth('/api/v2/pan-eligibility/send', {
      'client-order-id': 'pe-1',
      client_orderid: 'pe-2',
      'sending-card-ref-id': '123456',
    })
    expect(await send(twice)).toMatchObject({ http: '400', 'error-code': '1' })
    expect(await send(twice)).toMatchObject({ http: '403' })
  })

  test('[S5.2-06] [G13-04] of a request whose client order id was used for something else is consumed', async () => {
    const { oauth, send, askOAuth } = desk()
    await askOAuth('/api/v2/payout', PAYOUT)
    const other = oauth('/api/v2/payout', { ...PAYOUT, amount: '35.00' })
    expect(await send(other)).toMatchObject({ http: '400', 'error-code': '3' })
    expect(await send(other)).toMatchObject({ http: '403' })
  })

  test('[G13-04] is consumed with the order even if its id was taken at first', async () => {
    const conflicts = [true]
    const changes: Change[] = []
    const store = committing(async (change, commit) => {
      if (change.order?.basedOn === 'nothing' && conflicts.pop() === true) return { ok: false, conflict: 'order' }
      changes.push(change)
      return await commit()
    })
    const { send } = desk({ store })
    expect(await send(payout())).toMatchObject({ http: '200' })
    expect(consumed(changes)).toEqual([{ nonce: NONCE, with: 'order' }])
    expect(await send(payout())).toMatchObject({ http: '403' })
  })

  test('[S5.2-06] [G13-04] of a request that a rule refuses is consumed', async () => {
    const { oauth, send, sale } = desk()
    const pay = oauth('/api/v4/payout-pay', { login: 'shop', ...(await sale()) })
    expect(await send(pay)).toMatchObject({ http: '400', 'error-code': '9' })
    expect(await send(pay)).toMatchObject({ http: '403' })
  })

  test('[S5.2-06] [G13-04] of a request that fails is consumed: what was answered 500 is not carried out later', async () => {
    let isAway = true
    const { tokenize } = simulator()
    const { acquirer, executed } = listening({
      tokenize: async (instrument) => {
        if (isAway) throw new Error('the acquirer is away')
        return await tokenize(instrument)
      },
    })
    const { send, told } = desk({ acquirer })
    expect(await send(payout())).toMatchObject({ http: '500' })
    isAway = false
    expect(await send(payout())).toMatchObject({ http: '403', 'error-code': '4' })
    expect(await told({ client_orderid: 'out-1' })).toMatchObject({ 'error-code': '2' })
    expect(executed).toEqual([])
  })

  test('[G13-04] of a request that was written before the store failed is its own: that is not a replay', async () => {
    const store = committing(async ({ order }, commit) => {
      const committed = await commit()
      if (committed.ok && order?.basedOn === 'nothing') throw new Error('the connection was lost after the commit')
      return committed
    })
    const { send } = desk({ store })
    expect(await send(payout())).toMatchObject({ http: '200', 'merchant-order-id': 'out-1' })
    expect(await send(payout())).toMatchObject({ http: '403' })
  })

  test('[S5.2-06] [G13-04] is protected even if the store fails: a replay does not get the first answer', async () => {
    let isDown = false
    const store = committing(async (_, commit) => {
      if (isDown) throw new Error('the disk is full')
      return await commit()
    })
    const { send } = desk({ store })
    expect(await send(payout())).toMatchObject({ http: '200' })
    isDown = true
    expect(await send(payout())).toMatchObject({ http: '500' })
    isDown = false
    expect(await send(payout())).toMatchObject({ http: '403' })
  })

  test('[G13-04] of a request whose order could not be written is not consumed: it may come again', async () => {
    let isDown = true
    const store = committing(async (_, commit) => {
      if (isDown) throw new Error('the disk is full')
      return await commit()
    })
    const { send } = desk({ store })
    expect(await send(payout())).toMatchObject({ http: '500' })
    isDown = false
    expect(await send(payout())).toMatchObject({ http: '200' })
  })

  test('[S5.2-06] stays consumed across a restart, and its order is executed once', async () => {
    const { acquirer, executed } = listening()
    const { gateway, send, store } = desk({ acquirer })
    await send(payout())
    await gateway.close()
    expect(await desk({ store, acquirer }).send(payout())).toMatchObject({ http: '403' })
    expect(executed).toHaveLength(1)
  })

  test('[S5.2-06] [G13-04] of many copies at once: one order, and all others are 403', async () => {
    const { acquirer, executed } = listening()
    const { gateway } = desk({ acquirer })
    const replies = await Promise.all(Array.from({ length: 20 }, () => gateway.handle(payout())))
    await gateway.settled()
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(replies.filter(({ status }) => status === 403)).toHaveLength(19)
    expect(executed).toHaveLength(1)
  })
})
