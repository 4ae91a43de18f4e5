import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCallbackHandler, type PaymentOutcome } from '@tallystick/client'
import { type Acquirer, simulator, virtualClock } from '@tallystick/gateway'
import { memoryJournalStore, sqliteJournalStore } from '@tallystick/journal'
import { callbacksTo, saleInput, startGateway } from '@tallystick/testing'
import { expect, onTestFinished, test } from 'vitest'
import { journalShop, saleOf } from './shop.ts'

const serverCallbackUrl = 'https://shop.example.com/callback'

/** A bank that names what it does, an hour before its answer. */
function naming(clock: { now: () => number }): Acquirer {
  let count = 0
  const execute: Acquirer['execute'] = async () => {
    count += 1
    const names = { approvalCode: `A${count}`, processorTxId: `tx-${count}`, rrn: `63320000000${count}` }
    const others = {
      arn: '74027160000000000000001',
      terminalId: 'T-1',
      batchId: 'B-7',
      processedAt: clock.now() - 3_600_000,
    }
    return { status: 'approved', ...names, ...others }
  }
  return { ...simulator(), execute }
}

const NAMES = {
  approvalCode: 'A1',
  processorTxId: 'tx-1',
  processorRrn: '633200000001',
  processorDebitArn: '74027160000000000000001',
  terminalId: 'T-1',
  processorBatchId: 'B-7',
  acquirerProcessingDate: '2029-12-31 23:00:00 UTC',
}

const START = Date.UTC(2030, 0, 1)

test('[F-D10] an outcome without a journal says when, and how the bank names it', async () => {
  const clock = virtualClock(START)
  const outcomes: PaymentOutcome[] = []
  const gateway = await startGateway({
    clock,
    acquirer: naming(clock),
    sendCallback: callbacksTo((inbound) => handle(inbound)),
  })
  onTestFinished(() => gateway.close())
  const client = gateway.client({ clock })
  const handle = createCallbackHandler({
    client,
    onOutcome: (outcome) => void outcomes.push(outcome),
    onNotice: 'ignore',
  })
  await client.sale(saleInput({ serverCallbackUrl }))
  await gateway.settled()
  expect(outcomes).toMatchObject([{ status: 'approved', processedAt: START, references: NAMES }])
})

test.for(['memory', 'sqlite'] as const)(
  "[F-D10] the journal's outcomes and notices say when, and how the bank names them: in %s",
  async (kind) => {
    const folder = mkdtempSync(join(tmpdir(), 'references-'))
    const clock = virtualClock(START)
    const store = kind === 'memory' ? memoryJournalStore() : sqliteJournalStore({ file: join(folder, 'shop.db') })
    const shop = await journalShop({ clock, store, acquirer: naming(clock) })
    onTestFinished(async () => {
      await shop.close()
      rmSync(folder, { recursive: true })
    })
    const { intent } = await shop.journal.pay('invoice 77', 'sale', saleOf({ serverCallbackUrl }))
    await shop.gateway.settled()
    await shop.goOn(1, 10_000)
    expect(shop.outcomes).toMatchObject([{ kind: 'outcome', processedAt: START, references: NAMES }])
    await clock.advance('48h')
    const orderId = (await shop.journal.attempts('invoice 77'))[0]?.orderId ?? ''
    const refunded = clock.now()
    await shop.journal.pay('refund 77', 'return', { clientOrderId: intent.clientOrderId, orderId, comment: 'no' })
    await shop.gateway.settled()
    await shop.goOn(1, 10_000)
    expect(shop.outcomes[1]).toMatchObject({
      businessKey: 'refund 77',
      processedAt: refunded,
      references: { processorRrn: '633200000002', approvalCode: 'A2' },
    })
  },
)
