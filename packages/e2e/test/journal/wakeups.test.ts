import { createJournal, type Journal, type Notifier } from '@tallystick/journal'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type JournalShop, journalShop, requestLost, saleOf } from './shop.ts'

const HOUR = 60 * 60_000

let shop: JournalShop
beforeEach(async () => {
  shop = await journalShop()
})
afterEach(() => shop.close())

/** Wake-ups that reach every listener at once. */
function switchboard() {
  const listeners: (() => void)[] = []
  const log: string[] = []
  const wakeups: Notifier = {
    listen: async (onWake) => void listeners.push(onWake),
    wake: async () => {
      log.push('woken')
      for (const listener of listeners) listener()
    },
    close: async () => void log.push('closed'),
  }
  return { wakeups, log }
}

const processOf = (wakeups: Notifier | undefined, told: string[] = []) =>
  createJournal({
    client: shop.client,
    // Both have the store of the shop, which closes it.
    store: { ...shop.store, close: async () => {} },
    clock: shop.clock,
    pollMs: HOUR,
    ...(wakeups && { wakeups }),
    handler: ({ outcome }) => void told.push(outcome.status),
    onNotice: 'ignore',
    onEvent: ({ type }) => void told.push(type),
  })

/** Pays, and waits second by second until the handler has been called. */
async function paysAndReports(working: Journal, told: readonly string[]) {
  await working.pay('invoice 77', 'sale', saleOf())
  await shop.gateway.settled()
  await expect
    .poll(async () => {
      await shop.clock.advance(1000)
      return told
    })
    .toEqual(['approved'])
}

test('A process that only takes callbacks wakes one with a long poll interval', async () => {
  const { wakeups, log } = switchboard()
  const told: string[] = []
  const [taking, working] = [processOf(wakeups), processOf(wakeups, told)]
  working.start()
  const { intent } = await taking.pay('invoice 77', 'sale', saleOf())
  await shop.gateway.settled()
  const { clientOrderId, orderId = '' } = intent
  await taking.inbox.receive({ status: 'approved', clientOrderId, orderId })
  await expect.poll(() => told).toEqual(['approved'])
  await Promise.all([taking.close(), working.close()])
  expect(log).toEqual(['woken', 'woken', 'closed', 'closed'])
})

test('A process that does its own background work wakes no other', async () => {
  const { wakeups, log } = switchboard()
  const told: string[] = []
  const working = processOf(wakeups, told)
  working.start()
  // The payment kicks the loop, which so learns when it is due.
  await paysAndReports(working, told)
  await working.close()
  expect(log).toEqual(['closed'])
})

test('A process with a long poll interval and without wake-ups reports its own payments no later', async () => {
  const told: string[] = []
  const began = shop.clock.now()
  const working = processOf(undefined, told)
  working.start()
  await shop.goOn(2, 1000) // by then it has looked for work, and found none
  await paysAndReports(working, told)
  await working.close()
  expect(shop.clock.now() - began).toBeLessThan(HOUR)
})

test('A process that settles a review, or checks the status for a customer who comes back, wakes another', async () => {
  const { wakeups, log } = switchboard()
  const taking = processOf(wakeups)
  const { intent } = await taking.pay('invoice 77', 'sale', saleOf())
  await shop.gateway.settled()
  await taking.browserReturn(intent.clientOrderId)
  expect(log.splice(0)).toEqual(['woken', 'woken'])
  shop.mishap('create-card-ref', requestLost)
  const { clientOrderId, orderId = '' } = intent
  const card = await taking.pay('card of invoice 77', 'createCardRef', { clientOrderId, orderId })
  await taking.resolveReview(card.intent.intentId, 'nothing-charged', 'there is no card')
  expect(log).toEqual(['woken', 'woken'])
  await taking.close()
})

test('If waking fails, that is reported, and nothing else is lost', async () => {
  const { wakeups } = switchboard()
  const told: string[] = []
  const taking = processOf({ ...wakeups, wake: () => Promise.reject(new Error('no queue')) }, told)
  expect(await taking.pay('invoice 77', 'sale', saleOf())).toMatchObject({ outcome: 'accepted' })
  await expect.poll(() => told).toEqual(['WAKEUP_FAILED'])
  await taking.close()
})
