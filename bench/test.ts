/**
 * Measures what a shop's test costs in this process, once others have run: the start of a gateway and its end, and a whole test of
 * one paid order, with a client and a journal of its own. CPU time, the best of several rounds.
 *
 *     node --conditions=@tallystick/source bench/test.ts [start] [order]
 */
import assert from 'node:assert/strict'
import { createCallbackHandler } from '@tallystick/client'
import { createJournal, memoryJournalStore } from '@tallystick/journal'
import { callbacksTo, saleInput, startGateway } from '@tallystick/testing'
import { cpuClock, measure, printTable, size } from './kit/measure.ts'

const ROUNDS = size(10, 2)
const TESTS = size(100, 5)

async function leastOf(test: () => Promise<void>): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let round = 0; round < ROUNDS; round++) {
    const began = cpuClock()
    for (let made = 0; made < TESTS; made++) await test()
    least = Math.min(least, (cpuClock() - began) / TESTS)
  }
  return least
}

async function startAndClose(): Promise<void> {
  const gateway = await startGateway()
  await gateway.close()
}

async function payOnce(): Promise<void> {
  let paid = 0
  const gateway = await startGateway({ socket: false, sendCallback: callbacksTo((inbound) => onCallback(inbound)) })
  const client = gateway.client()
  const { clock } = gateway
  const journal = journalOf({
    client,
    clock,
    store: memoryJournalStore(),
    handler: ({ outcome }) => {
      if (outcome.status === 'approved') paid += 1
    },
  })
  const onCallback = createCallbackHandler({ client, inbox: journal.inbox })
  const { clientOrderId: _, ...sale } = saleInput({ serverCallbackUrl: 'https://shop.example.com/callback' })
  await journal.pay('invoice 77', 'sale', sale)
  await gateway.settled()
  await journal.settled()
  assert.equal(paid, 1)
  await journal.close()
  await gateway.close()
}

type Options = Omit<Parameters<typeof createJournal<void>>[0], 'onNotice' | 'onOrphan' | 'onOrphanNotice'>

/** Until November 2026 there was no `onNotice`. */
function journalOf(options: Options & { readonly handler: NonNullable<Options['handler']> }) {
  try {
    return createJournal({ ...options, onNotice: 'ignore' })
  } catch {
    return createJournal(options as never)
  }
}

await measure({
  start: async () =>
    printTable('A gateway of a test, with a socket', [
      { what: 'startGateway() and close()', figure: await leastOf(startAndClose), unit: 'ms' },
    ]),
  order: async () =>
    printTable('A test of one paid order, without a socket', [
      { what: 'gateway, client and journal in memory', figure: await leastOf(payOnce), unit: 'ms' },
    ]),
})
