import { createCallbackHandler } from '@tallystick/client'
import { createSandbox } from '@tallystick/gateway'
import { createJournal, memoryJournalStore } from '@tallystick/journal'
import { fakeClock, startGateway } from '@tallystick/testing'
import { expect, onTestFinished, test } from 'vitest'
import { saleOf } from './journal/shop.ts'

/** A shop of ours, whose handler has run so often, and the callback of its one payment. */
async function paidShop() {
  let take: ((query: string) => Promise<number>) | undefined
  const clock = fakeClock()
  const gateway = await startGateway({
    clock,
    socket: false,
    sendCallback: async (url) => ({ status: (await take?.(new URL(url).search.slice(1))) ?? 503 }),
  })
  const outcomes: string[] = []
  const client = gateway.client()
  const journal = createJournal({
    client,
    clock,
    store: memoryJournalStore(),
    handler: ({ outcome }) => void outcomes.push(`${outcome.status} ${outcome.amount}`),
    onNotice: 'ignore',
    onEvent: () => {},
  })
  onTestFinished(async () => {
    await journal.close()
    await gateway.close()
  })
  const handle = createCallbackHandler({ client, inbox: journal.inbox })
  take = async (query) => (await handle({ method: 'GET', query, headers: {}, body: '' })).status
  await journal.pay('invoice 77', 'sale', saleOf({ serverCallbackUrl: 'https://shop.example.com/callback' }))
  const settle = async () => {
    await gateway.settled()
    await journal.settled()
  }
  await settle()
  const sandbox = createSandbox(gateway)
  const [order] = (await gateway.sandbox?.orders({ limit: 1 })) ?? []
  const attempt = async (as: string) => {
    const body = JSON.stringify({ callbackId: order?.callbacks[0]?.id, as })
    const reply = await sandbox({ method: 'POST', url: '/__sandbox/callbacks/try', headers: {}, body })
    await settle()
    return JSON.parse(reply.body).answers
  }
  return { outcomes, attempt }
}

test('[F-E12] our own shop refuses a forged callback, and books nothing by one that is shifted, has another amount or comes twice', async () => {
  const { outcomes, attempt } = await paidShop()
  const before = [...outcomes]
  expect(before).toHaveLength(1)
  expect(await attempt('forged')).toEqual([expect.stringMatching(/^4\d\d$/)])
  // Its control is valid: it may be of an order that this shop does not know yet.
  expect(await attempt('shifted')).toEqual(['200'])
  expect(await attempt('other-amount')).toEqual(['200'])
  expect(await attempt('twice')).toEqual(['200', '200'])
  expect(outcomes).toEqual(before)
})
