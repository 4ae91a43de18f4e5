import { existsSync, writeFileSync } from 'node:fs'
import type { Intent } from '@tallystick/client/ports'
import { describe, expect, test } from 'vitest'
import { readArguments } from '../../src/cli/arguments.ts'
import { run } from '../../src/cli/run.ts'
import { sqliteJournalStore } from '../../src/store/sqlite/sqlite-journal-store.ts'
import { intentWith } from '../intents.ts'
import { ownFolder } from '../own-folder.ts'

const inFolder = ownFolder()
const DAY = Date.UTC(2030, 0, 1)

const differing = intentWith({
  state: 'REVIEW',
  reviewReason: 'AMOUNT_DIFFERS',
  orderId: '123',
  endpointId: '253',
  sentAt: DAY,
  sends: 1,
  observed: { status: 'approved', amount: '142', currency: 'USD', transactionType: 'sale' },
  lookedAt: DAY + 5000,
  evidence: [{ at: DAY + 5000, seen: 'AMOUNT_DIFFERS: status approved of 1.42 USD' }],
})
const card = intentWith({
  intentId: 'intent-2',
  businessKey: 'card of invoice 77',
  operation: 'createCardRef',
  kind: 'card',
  clientOrderId: 'order-a',
  amounts: [],
  state: 'REVIEW',
  reviewReason: 'NO_STATUS',
  createdAt: 2000,
})

/** A file with these intents, and the command on it. */
async function shopWith(...intents: readonly Intent[]) {
  const file = inFolder('shop.db')
  const store = sqliteJournalStore({ file })
  for (const intent of intents) await store.insert(intent)
  await store.close()
  const command = (args: readonly string[], confirm?: (question: string) => Promise<boolean>) =>
    run(readArguments([...args, '--file', file]), { confirm })
  const settle = (name: string, decision: readonly string[], ...more: readonly string[]) =>
    command(['settle', name, ...decision, '--by', 'Ann', '--because', 'agreed by telephone', ...more])
  return { file, command, settle }
}

const takeStatus = ['--as', 'take-status']
const nothingCharged = ['--as', 'nothing-charged']

describe('Showing a payment', () => {
  test.each(['invoice 77', 'order-a', '123', 'intent-1'])(
    '[F-C17] prints what is known of it by the name %s, and how it can be decided',
    async (name) => {
      const { command } = await shopWith(differing)
      expect(await command(['show', name])).toBe(`invoice 77, attempt 1: sale
  state            REVIEW: someone must decide, AMOUNT_DIFFERS: the gateway shows another amount or currency than was asked for
  amount           10.42 USD
  intent           intent-1
  client order id  order-a
  order            123
  endpoint         253
  written          1970-01-01T00:00:01.000Z
  sent             2030-01-01T00:00:00.000Z
  last status      approved of 1.42 USD (sale), asked 2030-01-01T00:00:05.000Z
  next check       none
  seen             2030-01-01T00:00:05.000Z AMOUNT_DIFFERS: status approved of 1.42 USD
  decide           look at the gateway, then: tallystick-journal settle intent-1 --by WHO --because WHY
                   --as take-status     the last status is the outcome
                   --as nothing-charged nothing was charged, the next attempt may be made
                   --as ask-again       the shop asks for the status again
`)
    },
  )

  test('[F-C17] prints all attempts of the key, the changes of its order, and a stored card by its reference', async () => {
    const first = intentWith({
      ...differing,
      state: 'FINAL',
      status: 'declined',
      holdsKey: false,
      reviewReason: undefined,
    })
    const second = intentWith({
      intentId: 'intent-3',
      attempt: 2,
      clientOrderId: 'order-b',
      createdAt: 2000,
      state: 'UNKNOWN',
    })
    const stored = {
      ...card,
      state: 'FINAL',
      status: 'approved',
      reference: '531396',
      reviewReason: undefined,
    } as const
    const { command } = await shopWith(first, second, stored)
    for (const name of ['invoice 77', '531396']) {
      const { intents } = JSON.parse(await command(['show', name, '--json']))
      const all = name === 'invoice 77' ? ['intent-1', 'intent-2', 'intent-3'] : ['intent-1', 'intent-2']
      expect(intents.map(({ intentId }: Intent) => intentId).toSorted()).toEqual(all)
    }
    expect(await command(['show', 'invoice 77'])).toContain('UNKNOWN: may have been charged; the shop is asking')
  })

  test('[F-C17] says that no process is at work if a status check is overdue', async () => {
    const { command } = await shopWith(intentWith({ state: 'UNKNOWN', nextCheckAt: 5000 }))
    expect(await command(['show', 'order-a'])).toContain(
      'next check       1970-01-01T00:00:05.000Z: overdue, no process',
    )
  })

  test('[F-C17] prints an amount in minor units where only the shop knows the decimals of the currency', async () => {
    const { command } = await shopWith(intentWith({ amounts: ['50000'], currency: 'JPY' }))
    expect(await command(['show', 'order-a'])).toContain('amount           50000 minor units JPY\n')
  })

  test('[F-C17] finds an order that only callbacks have named', async () => {
    const { file, command } = await shopWith()
    const store = sqliteJournalStore({ file })
    const orphan = { clientOrderId: 'order-z', orderId: '9', status: 'approved', receivedAt: DAY }
    await store.receive(orphan, { limit: 1, checkAt: DAY })
    await store.close()
    expect(await command(['show', '9'])).toContain('order-z: no payment of this journal; callbacks name it')
  })

  test('[F-C17] refuses a name that nothing has, and repeats no card number that was pasted', async () => {
    const { command } = await shopWith(differing)
    await expect(command(['show', 'invoice 7'])).rejects.toThrow('invoice 7 is not known')
    await expect(command(['show', '4111111111111111'])).rejects.toThrow(/^(?!.*4111111111111111)/)
  })

  test.each([
    ['an empty file', '', 'there is no journal in'],
    ['no database', 'a text that is long enough to be read as a header', 'it must be a SQLite database'],
  ])('[F-C17] refuses %s, and leaves it as it is', async (_what, text, says) => {
    const file = inFolder('other.db')
    writeFileSync(file, text)
    await expect(run(readArguments(['show', 'x', '--file', file]))).rejects.toThrow(says)
    expect(existsSync(`${file}-wal`)).toBe(false)
  })
})

describe('Deciding a review', () => {
  test('[F-C17] writes who decided and why, and an outcome for the handler', async () => {
    const { command, settle } = await shopWith(differing)
    expect(await settle('invoice 77', takeStatus, '--yes')).toMatch(
      /FINAL: approved\n[\s\S]*take-status: by Ann: agreed by telephone\n[\s\S]*written; /,
    )
    const { outcomes } = JSON.parse(await command(['show', '123', '--json']))
    expect(outcomes).toMatchObject([{ outcome: { status: 'approved', amount: '142' }, failures: 0 }])
  })

  test('[F-C17] asks first, and writes nothing if that is not confirmed', async () => {
    const { command } = await shopWith(differing)
    const args = ['settle', '123', ...nothingCharged, '--by', 'Ann', '--because', 'no order there']
    const asked: string[] = []
    const answering = (answer: boolean) => async (question: string) => {
      asked.push(question)
      return answer
    }
    await expect(command(args, answering(false))).rejects.toThrow('not confirmed: nothing was written')
    expect(asked[0]).toContain('approved of 1.42 USD (sale)')
    expect(asked[0]).toContain('Ann decides nothing-charged: no order there\nWrite that?')
    expect(await command(args, answering(true))).toContain('PRESUMED_ABSENT: never arrived')
  })

  test('[F-C17] does not write about a look that the operator has not seen', async () => {
    const { file, command } = await shopWith(differing)
    const args = ['settle', '123', ...takeStatus, '--by', 'Ann', '--because', 'agreed']
    const meanwhile = async () => {
      const store = sqliteJournalStore({ file })
      await store.update({
        intent: { ...differing, version: 2, observed: { status: 'approved', amount: '1' } },
        outcomes: [],
      })
      await store.close()
      return true
    }
    await expect(command(args, meanwhile)).rejects.toThrow('has changed since it was shown: look at it again')
  })

  test('[F-C17] takes the reference of a stored card, whose review has no status', async () => {
    const { command, settle } = await shopWith(card)
    expect(await command(['show', 'order-a'])).toContain('--reference ID       it is at the gateway, under this id')
    await expect(settle('intent-2', ['--as', 'ask-again'], '--yes')).rejects.toThrow('has no status to ask for')
    expect(await settle('intent-2', ['--reference', '531396'], '--yes', '--json')).toContain('"reference": "531396"')
  })

  test('[F-C17] refuses what is not in review, and a name of several that are, with their intent ids', async () => {
    const { settle } = await shopWith(differing, card)
    await expect(settle('order-a', nothingCharged, '--yes')).rejects.toThrow(
      /^several payments are called so: name one by its intent id:\n {2}intent-1 {2}invoice 77, attempt 1: sale, REVIEW\n {2}intent-2 {2}/,
    )
    await settle('invoice 77', nothingCharged, '--yes')
    await expect(settle('invoice 77', nothingCharged, '--yes')).rejects.toThrow(
      /^nothing is to decide, none of these is in review:\n {2}intent-1 {2}invoice 77, attempt 1: sale, PRESUMED_ABSENT$/,
    )
    await expect(settle('invoice 7', nothingCharged, '--yes')).rejects.toThrow('invoice 7 is not known')
  })

  test('[F-C17] refuses to take a status that is no outcome, as the code does', async () => {
    const { settle } = await shopWith({ ...differing, observed: { status: 'processing' } })
    await expect(settle('123', takeStatus, '--yes')).rejects.toThrow('no final status of its own: ask again')
  })

  test('[F-C17] does not decide where nobody can be asked, unless it is told to', async () => {
    const { settle } = await shopWith(differing)
    await expect(settle('123', takeStatus)).rejects.toMatchObject({
      name: 'UsageError',
      message: expect.stringContaining('--yes'),
    })
  })

  const complete = ['settle', 'x', '--file', 'f', '--as', 'ask-again', '--by', 'Ann', '--because', 'so']
  test.each([
    [['show', '--file', 'f'], "show needs a name, such as 'invoice 77'"],
    [['show', 'invoice', '77', '--file', 'f'], "'invoice 77' needs quotes"],
    [['settle', '--file', 'f'], 'settle needs a name'],
    [complete.slice(0, 4), '--as take-status, --as nothing-charged, --as ask-again, or --reference ID'],
    [complete.with(5, 'paid'), '--as take-status'],
    [complete.slice(0, 6), '--by is missing'],
    [complete.slice(0, 8), '--because is missing'],
    [complete.with(7, ' '), '--by is missing'],
    [complete.with(9, 'x'.repeat(301)), 'shorten it to 300'],
    [[...complete, '--reference', '5'], 'exclude each other'],
    [['show', 'x'], '--file or --store is missing'],
  ])('[F-C17] %j is refused as a command line', (args, says) => {
    expect(() => readArguments(args)).toThrow(says)
  })

  test('[F-C17] the address of PostgreSQL comes from a variable, so that no password stands in the command line', () => {
    const variables = { TALLYSTICK_JOURNAL_STORE: 'postgres://shop:word@db.example.com/shop' }
    expect(readArguments(['show', 'x'], variables)).toMatchObject({ place: { dialect: 'postgresql' } })
    expect(readArguments(['show', 'x', '--file', 'f'], variables)).toMatchObject({ place: { dialect: 'sqlite' } })
    expect(() => readArguments(['show', 'x'], { TALLYSTICK_JOURNAL_STORE: 'mongodb://shop:word@x' })).toThrow(
      /^(?!.*word)/,
    )
  })
})
