import type { Intent, IntentChange, JournalStore } from '@tallystick/client/ports'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { intentWith, outcomeWith, withOutcomes, written } from '../intents.ts'

/** What every store of the journal does. */
export function journalStoreSuite<Transaction>(open: () => JournalStore<Transaction>): void {
  let store: JournalStore<Transaction>
  beforeEach(() => {
    store = open()
  })
  afterEach(() => store.close())

  const next = (intent: Intent, changes: Partial<Intent> = {}): IntentChange => ({
    intent: { ...intent, ...changes, version: intent.version + 1 },
    outcomes: [],
  })

  describe('An intent', () => {
    test('is read as it was written, with everything that it may have', async () => {
      const whole = intentWith({
        orderId: '1',
        endpointId: '9223372036854775807',
        endpointGroupId: '5',
        amounts: ['1042', '500'],
        state: 'UNKNOWN',
        sentAt: 1,
        leaseUntil: 2,
        leaseOwner: 'me',
        nextCheckAt: 3,
        watchAt: 9,
        lookedAt: 4,
        wokenAt: 5,
        firstAbsenceAt: 6,
        rejection: 'no',
        isPaidBefore: true,
        input: { cardRefId: '123456789012345', orderDesc: 'a "month"' },
        before: { status: 'approved', amount: '7' },
        observed: { status: 'processing', transactionType: 'sale' },
        serialNumber: 's',
        redirectUrl: 'https://example.com/',
        reference: 'r',
        status: 'approved',
        reviewReason: 'TOO_OLD',
        holdsOrder: true,
        evidence: [{ at: 8, seen: 'ü "quoted"' }],
      })
      await store.insert(whole)
      expect(await store.find('intent-1')).toEqual(whole)
      expect(await store.attemptsOf('invoice 77')).toEqual([whole])
      expect(await store.ofOrder('order-a')).toEqual([whole])
      expect(await store.find('other')).toBeUndefined()
    })

    test('keeps every character of the texts that a gateway gives', async () => {
      const text = 'order_desc "a\0b" \uE000 \uE0000'
      const intent = intentWith({
        rejection: text,
        redirectUrl: text,
        serialNumber: text,
        evidence: [{ at: 8, seen: text }],
      })
      await store.insert(intent)
      const { intent: later, ...change } = next(intent, { state: 'REJECTED', reference: text })
      await store.update({ intent: later, ...change })
      expect([await store.find('intent-1'), await store.findReference(text)]).toEqual([later, later])
    })

    test('is not written beside an active attempt of its business key, nor as the same attempt', async () => {
      await store.insert(intentWith())
      const second = intentWith({ intentId: '2', attempt: 2, clientOrderId: 'order-b' })
      expect(await store.insert(second)).toEqual({ ok: false, conflict: 'business-key' })
      await store.update(next(intentWith(), { holdsKey: false }))
      expect(await store.insert({ ...second, attempt: 1 })).toEqual({ ok: false, conflict: 'business-key' })
      expect(await store.insert(second)).toEqual({ ok: true })
    })

    test('of version 1 is written anew with the change of another, all or nothing', async () => {
      await store.insert(intentWith())
      const ended = next(intentWith(), { state: 'REJECTED', holdsKey: false })
      const added = [2, 3].map((attempt) => ({
        intent: intentWith({ intentId: `${attempt}`, attempt, clientOrderId: `order-${attempt}`, holdsKey: false }),
        outcomes: [],
      }))
      const inTheWay = { intent: intentWith({ intentId: '4', attempt: 2, clientOrderId: 'order-4' }), outcomes: [] }
      await expect(store.update(ended, ...added, inTheWay)).rejects.toThrow('in the way of invoice 77')
      expect(await store.attemptsOf('invoice 77')).toEqual([intentWith()])
      expect(await store.update(ended, ...added)).toBe(true)
      expect(await store.attemptsOf('invoice 77')).toEqual([ended, ...added].map(({ intent }) => intent))
      // Somebody else was faster, with the first of them or with a new one.
      expect(await store.update(ended, ...added)).toBe(false)
      expect(await store.update(next(ended.intent), ...added)).toBe(false)
    })

    test('of a business key is the last one by its attempt, even if the clock of its process is behind', async () => {
      const first = intentWith({ state: 'FINAL', status: 'declined', holdsKey: false, createdAt: 9000 })
      const second = intentWith({ intentId: '2', attempt: 2, clientOrderId: 'order-b', createdAt: 4000 })
      for (const intent of [second, first]) await store.insert(intent)
      expect(await store.attemptsOf('invoice 77')).toEqual([first, second])
    })

    test('of an order comes in the order in which they were made, whichever was written first', async () => {
      const opening = intentWith({ state: 'FINAL', orderId: '9', createdAt: 1000 })
      const modification = intentWith({ intentId: '2', businessKey: 'refund', kind: 'modification', createdAt: 1001 })
      for (const intent of [modification, opening]) await store.insert(intent)
      expect(await store.ofOrder('order-a')).toEqual([opening, modification])
    })

    test('is found by its own business key and client order id, and no other one', async () => {
      const other = intentWith({ intentId: '2', businessKey: 'invoice 78', clientOrderId: 'order-b' })
      for (const intent of [intentWith(), other]) await store.insert(intent)
      expect(await store.attemptsOf('invoice 78')).toEqual([other])
      expect(await store.ofOrder('order-b')).toEqual([other])
    })

    test('has a client order id of its own; a modification has that of its order', async () => {
      await store.insert(intentWith())
      const same = intentWith({ intentId: '2', businessKey: 'invoice 78' })
      expect(await store.insert(same)).toEqual({ ok: false, conflict: 'client-order-id' })
      expect(await store.insert({ ...same, kind: 'modification' })).toEqual({ ok: true })
    })

    test('with the client order id of another attempt is refused as such, if its business key is free', async () => {
      await store.insert(intentWith({ state: 'REJECTED', holdsKey: false }))
      const second = intentWith({ intentId: '2', attempt: 2 })
      expect(await store.insert(second)).toEqual({ ok: false, conflict: 'client-order-id' })
    })

    test('is the one active modification of its order', async () => {
      const opening = intentWith({ intentId: 'sale', businessKey: 'sale', state: 'FINAL', orderId: '9' })
      const modification = intentWith({ kind: 'modification', operation: 'return', orderId: '9', holdsOrder: true })
      for (const intent of [opening, modification]) await store.insert(intent)
      const other = { ...modification, intentId: '2', businessKey: 'refund 2' }
      expect(await store.insert(other)).toEqual({ ok: false, conflict: 'order' })
      expect(await store.insert({ ...other, orderId: '10' })).toEqual({ ok: true })
      await store.update(next(modification, { holdsOrder: false }))
      expect(await store.insert({ ...other, intentId: '3', businessKey: 'refund 3' })).toEqual({ ok: true })
    })

    test('is written only by a process that has read its newest version', async () => {
      await store.insert(intentWith())
      expect(await store.update(next(intentWith(), { state: 'SENDING' }))).toBe(true)
      expect(await store.update(next(intentWith(), { state: 'REJECTED' }))).toBe(false)
      expect(await store.find('intent-1')).toMatchObject({ state: 'SENDING', version: 2 })
      expect(await store.update(next(intentWith({ intentId: 'none' })))).toBe(false)
    })

    test('is written together with others, or none of them is', async () => {
      const other = intentWith({ intentId: '2', businessKey: 'b', clientOrderId: 'order-b' })
      await store.insert(intentWith())
      await store.insert(other)
      expect(await store.update(next(intentWith(), { sends: 1 }), next({ ...other, version: 5 }, { sends: 1 }))).toBe(
        false,
      )
      expect(await store.find('intent-1')).toMatchObject({ sends: 0 })
      expect(await store.update(next(intentWith(), { sends: 1 }), next(other, { sends: 1 }))).toBe(true)
      expect(await store.find('2')).toMatchObject({ sends: 1 })
    })

    test('that many insert at once is inserted once', async () => {
      const inserted = await Promise.all(
        Array.from({ length: 20 }, (_, n) => store.insert(intentWith({ intentId: `${n}`, clientOrderId: `o${n}` }))),
      )
      expect(inserted.filter(({ ok }) => ok)).toHaveLength(1)
    })
  })

  describe('What is due', () => {
    const claim = { now: 100, leaseUntil: 200, owner: 'one', limit: 10 }
    const due = (id: string, nextCheckAt: number) =>
      intentWith({ intentId: id, businessKey: id, clientOrderId: id, state: 'UNKNOWN', nextCheckAt })

    test('is leased to one at a time, the longest due first', async () => {
      await store.insert(due('late', 101))
      await store.insert(due('b', 100))
      // Inserted last: what counts is not its age, but for how long it has been due.
      await store.insert({ ...due('a', 50), createdAt: 2000 })
      await store.insert(intentWith())
      const claimed = await store.claimDue(claim)
      expect(claimed.map(({ intentId, version }) => [intentId, version])).toEqual([
        ['a', 2],
        ['b', 2],
      ])
      expect(await store.claimDue({ ...claim, owner: 'two' })).toEqual([])
      expect(await store.claimDue({ ...claim, now: 200, leaseUntil: 300, owner: 'two' })).toHaveLength(3)
    })

    test('stays with the process that renews its lease, without a new version; another process has lost it', async () => {
      await store.insert(due('a', 50))
      await store.insert(due('b', 50))
      await store.claimDue({ ...claim, limit: 1 })
      await store.claimDue({ ...claim, owner: 'two' })
      await store.renewLeases({ intentIds: ['a', 'b', 'none'], owner: 'one', leaseUntil: 300 })
      await store.renewLeases({ intentIds: [], owner: 'one', leaseUntil: 400 })
      await store.renewLeases({ intentIds: ['b'], owner: 'one', leaseUntil: 400 })
      expect(await store.find('a')).toMatchObject({ leaseUntil: 300, leaseOwner: 'one', version: 2 })
      expect(await store.find('b')).toMatchObject({ leaseUntil: 200, leaseOwner: 'two', version: 2 })
      expect(await store.claimDue({ ...claim, now: 299, owner: 'three' })).toMatchObject([{ intentId: 'b' }])
    })

    test('is renewed by a clock with fractions as well', async () => {
      await store.insert(due('a', 50))
      await store.claimDue(claim)
      await store.renewLeases({ intentIds: ['a'], owner: 'one', leaseUntil: 300.25 })
      expect(Math.round((await store.find('a'))?.leaseUntil ?? 0)).toBe(300)
    })

    test('and is not named in a renewal is not renewed, even for the process that has it', async () => {
      for (const id of ['a', 'b']) await store.insert(due(id, 50))
      await store.claimDue(claim)
      await store.renewLeases({ intentIds: ['a'], owner: 'one', leaseUntil: 300 })
      expect(await store.claimDue({ ...claim, now: 200, owner: 'two' })).toMatchObject([{ intentId: 'b' }])
    })

    test('is known beforehand', async () => {
      const horizon = { until: 100, withOutcomes: true }
      expect(await store.nextDueAt(horizon)).toBeUndefined()
      await store.insert(due('b', 100))
      await store.insert(due('a', 50))
      expect(await store.nextDueAt(horizon)).toBe(50)
      expect(await store.nextDueAt({ ...horizon, until: 49 })).toBeUndefined()
      await store.claimDue(claim)
      expect(await store.nextDueAt(horizon)).toBe(200)
    })

    test('is claimed apart from what is watched, the longest due first: neither waits for the other', async () => {
      const watched = (id: string, watchAt: number) =>
        intentWith({ intentId: id, businessKey: id, clientOrderId: id, state: 'FINAL', status: 'approved', watchAt })
      for (const intent of [watched('c', 101), watched('b', 100), due('open', 60), watched('a', 50)]) {
        await store.insert(intent)
      }
      expect(await store.claimDue(claim)).toMatchObject([{ intentId: 'open' }])
      expect(await store.claimDue({ ...claim, watched: true, limit: 1 })).toMatchObject([{ intentId: 'a', version: 2 }])
      expect(await store.claimDue({ ...claim, watched: true })).toMatchObject([{ intentId: 'b' }])
      expect(await store.claimDue({ ...claim, watched: true, owner: 'two' })).toEqual([])
      expect(await store.nextDueAt({ until: 1000, withOutcomes: true })).toBe(200)
      // Its process died after the clock had been set back from another day.
      expect(await store.claimDue({ ...claim, watched: true, now: 101, leaseUntil: 86_400_000 })).toHaveLength(1)
      expect(await store.claimDue({ ...claim, watched: true, now: 199, owner: 'two' })).toMatchObject([
        { intentId: 'c' },
      ])
    })

    test('is no more than was asked for', async () => {
      await store.insert(due('b', 100))
      await store.insert(due('a', 50))
      expect(await store.claimDue({ ...claim, limit: 1 })).toMatchObject([{ intentId: 'a' }])
    })
  })

  describe('A callback', () => {
    const entry = { clientOrderId: 'order-a', orderId: '1', status: 'approved', receivedAt: 50 }
    const terms = { limit: 10, checkAt: 52 }

    test('makes status checks of its own order due, even of intents that ended', async () => {
      await store.insert(intentWith({ state: 'FINAL', orderId: '1' }))
      const other = intentWith({ intentId: '2', businessKey: 'b', clientOrderId: 'b', state: 'FINAL', orderId: '2' })
      await store.insert(other)
      expect(await store.receive(entry, terms)).toBe('stored')
      expect(await store.find('intent-1')).toMatchObject({ nextCheckAt: 50, wokenAt: 50, version: 2 })
      expect(await store.find('2')).toEqual(other)
      expect(await store.orphans(10)).toEqual([])
    })

    test.each(['ACCEPTED', 'UNKNOWN', 'PRESUMED_ABSENT'] as const)(
      'makes an undecided return due: it is %s',
      async (state) => {
        await store.insert(intentWith({ kind: 'modification', operation: 'return', state, orderId: '1' }))
        await store.wake('order-a', 50)
        expect(await store.find('intent-1')).toMatchObject({ nextCheckAt: 50, wokenAt: 50, version: 2 })
      },
    )

    test('does not put off what is due sooner, and makes nothing due that was never sent', async () => {
      await store.insert(intentWith({ state: 'UNKNOWN', nextCheckAt: 20 }))
      await store.insert(intentWith({ intentId: '2', businessKey: 'b', kind: 'modification' }))
      expect(await store.wake('order-a', 50)).toBe(2)
      expect(await store.find('intent-1')).toMatchObject({ nextCheckAt: 20, wokenAt: 50 })
      expect((await store.find('2'))?.nextCheckAt).toBeUndefined()
    })

    test('is distinguished from all others at the same time, even by a clock that is behind', async () => {
      await store.insert(intentWith({ state: 'FINAL', orderId: '1' }))
      for (const wokenAt of [50, 51, 52]) {
        await store.wake('order-a', 50)
        expect(await store.find('intent-1')).toMatchObject({ nextCheckAt: 50, wokenAt })
      }
      await store.wake('order-a', 49)
      expect(await store.find('intent-1')).toMatchObject({ nextCheckAt: 49, wokenAt: 53 })
    })

    test.each([
      ['is about to be sent', { state: 'PREPARED' }],
      ['never left', { state: 'NOT_SENT' }],
      ['is in review', { state: 'REVIEW', orderId: '1' }],
      ['is a return that has ended', { kind: 'modification', operation: 'return', state: 'FINAL', orderId: '1' }],
      ['is a stored card: the status of its order is that of the payment', { kind: 'card', state: 'REJECTED' }],
    ] as const)('leaves an intent as it is that %s', async (_what, changes) => {
      const intent = intentWith(changes)
      await store.insert(intent)
      expect(await store.wake('order-a', 50)).toBe(1)
      expect(await store.find('intent-1')).toEqual(intent)
    })

    test('of an unknown order is stored and counted, with what the last one said, up to a limit of orders', async () => {
      expect(await store.receive({ ...entry, amount: '1.00', currency: 'USD', type: 'sale' }, terms)).toBe('orphan')
      const last = { ...entry, type: 'reversal', receivedAt: 60 }
      expect(await store.receive(last, { limit: 1, checkAt: 62 })).toBe('orphan')
      expect(await store.receive({ ...entry, orderId: '2' }, { limit: 1, checkAt: 62 })).toBe('full')
      expect(await store.orphans(10)).toEqual([{ ...last, receivedAt: 50, wokenAt: 60, callbacks: 2 }])
    })

    test.each(['modification', 'card'] as const)(
      'of an order that only a %s has is kept, before and after it',
      async (kind) => {
        await store.receive(entry, terms)
        const intent = intentWith({ kind, orderId: '1', state: 'ACCEPTED' })
        await store.insert(intent)
        await store.update(next(intent))
        expect(await store.orphans(10)).toMatchObject([{ orderId: '1', callbacks: 1 }])
        await store.receive({ ...entry, receivedAt: 60 }, terms)
        expect(await store.orphans(10)).toMatchObject([{ orderId: '1', callbacks: 2 }])
      },
    )

    test('of another order than the one that the opening under its id names is stored, without a limit', async () => {
      await store.insert(intentWith({ state: 'ACCEPTED', orderId: '1' }))
      expect(await store.receive({ ...entry, orderId: '2' }, { limit: 0, checkAt: 52 })).toBe('stored')
      expect(await store.orphans(10)).toMatchObject([{ orderId: '2' }])
      expect((await store.find('intent-1'))?.wokenAt).toBe(50)
    })

    test('that is faster than the reply is stored until the opening names its order; another order stays', async () => {
      await store.insert(intentWith({ state: 'SENDING' }))
      for (const orderId of ['1', '2']) await store.receive({ ...entry, orderId }, terms)
      await store.receive({ ...entry, clientOrderId: 'order-b', receivedAt: 60 }, terms)
      const woken = (await store.find('intent-1')) ?? intentWith()
      await store.update(next(woken, { state: 'UNKNOWN' }))
      expect(await store.orphans(10)).toHaveLength(3)
      await store.update(next({ ...woken, version: woken.version + 1 }, { state: 'ACCEPTED', orderId: '1' }))
      const others = [{ orderId: '2' }, { clientOrderId: 'order-b', orderId: '1' }]
      expect(await store.orphans(10)).toMatchObject(others)
      expect(await store.claimOrphans({ now: 52, leaseUntil: 100, limit: 10 })).toMatchObject(others)
    })

    test('may hold any character', async () => {
      const texts = { status: 'approved\0', type: 'sale\0', amount: '1\0', currency: '\uE000' }
      await store.receive({ clientOrderId: 'a\0', orderId: '5\0', ...texts, receivedAt: 5 }, { limit: 10, checkAt: 7 })
      expect(await store.orphans(10)).toMatchObject([{ clientOrderId: 'a\0', orderId: '5\0', ...texts }])
    })

    test('that comes many times at once is stored once', async () => {
      await Promise.all(Array.from({ length: 20 }, () => store.receive(entry, terms)))
      expect(await store.orphans(10)).toMatchObject([{ orderId: '1', callbacks: 20 }])
    })
  })

  describe('An order that no intent has', () => {
    const terms = { limit: 1, checkAt: 52 }
    const entry = { clientOrderId: 'order-a', orderId: '1', status: 'approved', receivedAt: 50 }
    const claim = { now: 52, leaseUntil: 100, limit: 10 }
    const reported = { status: 'approved', transactionType: 'sale', amount: '100' }
    const claimed = async (now: number) => {
      const [orphan, ...others] = await store.claimOrphans({ ...claim, now, leaseUntil: now + 48 })
      if (orphan === undefined || others.length > 0) throw new Error(`${others.length + 1} are due`)
      return orphan
    }
    beforeEach(() => store.receive(entry, terms))

    test('is leased to one at a time, once it is due', async () => {
      expect(await store.claimOrphans({ ...claim, now: 51 })).toEqual([])
      expect(await store.claimOrphans(claim)).toMatchObject([{ orderId: '1', callbacks: 1 }])
      expect(await store.claimOrphans({ ...claim, now: 99 })).toEqual([])
      expect(await store.claimOrphans({ ...claim, now: 100, leaseUntil: 200 })).toHaveLength(1)
    })

    test('is claimed as a second order if an opening has its client order id', async () => {
      const second = { ...claim, ofOpenings: true }
      await store.insert(intentWith({ state: 'ACCEPTED', clientOrderId: 'order-b', orderId: '2' }))
      await store.receive({ ...entry, clientOrderId: 'order-b', orderId: '3' }, terms)
      expect(await store.claimOrphans(second)).toMatchObject([{ orderId: '3' }])
      expect(await store.claimOrphans(second)).toEqual([])
      expect(await store.claimOrphans(claim)).toMatchObject([{ orderId: '1' }])
    })

    test('is no second order if only a return has its client order id', async () => {
      await store.insert(intentWith({ kind: 'modification', operation: 'return', state: 'ACCEPTED', orderId: '1' }))
      expect(await store.claimOrphans({ ...claim, ofOpenings: true })).toEqual([])
    })

    test('is another order if it has the same order id under another client order id', async () => {
      const elsewhere = { ...entry, clientOrderId: 'order-b', receivedAt: 60 }
      await store.receive(elsewhere, { limit: 9, checkAt: 70 })
      const first = await claimed(52)
      await store.receive({ ...elsewhere, receivedAt: 61 }, { limit: 9, checkAt: 70 })
      await store.settleOrphan(first, { reported, at: 53 }, 55, 0)
      expect(await store.orphans(10)).toMatchObject([{ clientOrderId: 'order-b', callbacks: 2 }])
      expect(await claimed(70)).toMatchObject({ clientOrderId: 'order-b', reported: undefined })
    })

    test('is no more than was asked for: the longest due is claimed first, the oldest is shown first', async () => {
      await store.receive({ ...entry, clientOrderId: 'order-b', receivedAt: 60 }, { limit: 9, checkAt: 40 })
      expect(await store.claimOrphans({ ...claim, limit: 1 })).toMatchObject([{ clientOrderId: 'order-b' }])
      expect(await store.orphans(1)).toMatchObject([{ clientOrderId: 'order-a' }])
    })

    test('is written and renewed only by the process that claimed it last', async () => {
      const first = await claimed(52)
      expect(await store.renewOrphan(first, 120)).toBe(true)
      expect(await store.claimOrphans({ ...claim, now: 119 })).toEqual([])
      // It did not learn of the renewal, or it stood still: the claim that it knows of is over.
      await store.settleOrphan(first, { reported, at: 53 }, 55, 0)
      const second = await claimed(120)
      expect([second.reported, await store.renewOrphan(first, 300)]).toEqual([undefined, false])
      await store.settleOrphan(second, { reported, at: 121 }, 123, 0)
      expect(await store.orphans(10)).toEqual([])
    })

    test('that was reported is no longer open, and neither due nor counted, until its next callback', async () => {
      await store.settleOrphan(await claimed(52), { reported, at: 53 }, 55, 0)
      expect([await store.orphans(10), await store.claimOrphans({ ...claim, now: 1000 })]).toEqual([[], []])
      expect(await store.receive({ ...entry, orderId: '2' }, { limit: 1, checkAt: 2000 })).toBe('orphan')
      await store.receive({ ...entry, receivedAt: 1000 }, { limit: 1, checkAt: 1002 })
      expect(await claimed(1002)).toMatchObject({ orderId: '1', reported, callbacks: 2, receivedAt: 50, wokenAt: 1000 })
      expect(await store.orphans(10)).toHaveLength(2)
    })

    test('that was reported and is watched is claimed as such when that is due, and stays reported', async () => {
      await store.settleOrphan(await claimed(52), { reported, at: 53, watchAt: 900 }, 55, 0)
      const watch = { ...claim, now: 900, leaseUntil: 948, watched: true }
      expect([
        await store.claimOrphans({ ...watch, watched: false }),
        await store.claimOrphans({ ...watch, now: 899 }),
      ]).toEqual([[], []])
      const [orphan] = await store.claimOrphans(watch)
      if (orphan === undefined) throw new Error('none')
      expect([orphan.reported, await store.claimOrphans({ ...watch, now: 947 })]).toEqual([reported, []])
      // A callback came meanwhile: it is open from then on.
      await store.receive({ ...entry, receivedAt: 910 }, { limit: 9, checkAt: 912 })
      await store.settleOrphan(orphan, { reported, at: 911, watchAt: 2000 }, 913, 0)
      expect(await store.orphans(10)).toMatchObject([{ callbacks: 2 }])
      expect(await store.claimOrphans({ ...watch, now: 1999, leaseUntil: 86_400_000 })).toEqual([])
      await store.settleOrphan(await claimed(1999), { reported, at: 2000, watchAt: 2500 }, 2002, 0)
      // Its process died after the clock had been set back from another day.
      expect(await store.claimOrphans({ ...watch, now: 2500, leaseUntil: 86_400_000 })).toHaveLength(1)
      expect(await store.claimOrphans({ ...watch, now: 2600, leaseUntil: 2700 })).toHaveLength(1)
      expect(await store.orphans(10)).toEqual([])
    })

    test('that had a callback since it was reported is not claimed as watched', async () => {
      await store.settleOrphan(await claimed(52), { reported, at: 53, watchAt: 900 }, 55, 0)
      await store.receive({ ...entry, receivedAt: 890 }, { limit: 9, checkAt: 1002 })
      const watch = { ...claim, now: 1001, leaseUntil: 1048, watched: true }
      expect(await store.claimOrphans(watch)).toEqual([])
      expect(await store.claimOrphans({ ...watch, now: 1002, watched: false })).toHaveLength(1)
    })

    test('that had a callback during its status check is checked again', async () => {
      const orphan = await claimed(52)
      await store.receive({ ...entry, receivedAt: 53 }, { limit: 1, checkAt: 55 })
      await store.settleOrphan(orphan, { reported, at: 54 }, 56, 0)
      expect(await store.orphans(10)).toMatchObject([{ reported, callbacks: 2 }])
      expect(await store.claimOrphans({ ...claim, now: 55 })).toEqual([])
      expect(await claimed(56)).toMatchObject({ reported })
    })

    test('that was reported before is still known as such, if nothing was reported after the next callback', async () => {
      await store.settleOrphan(await claimed(52), { reported, at: 53 }, 55, 0)
      await store.receive({ ...entry, receivedAt: 60 }, { limit: 1, checkAt: 62 })
      await store.settleOrphan(await claimed(62), { nextCheckAt: 80, at: 63 }, 65, 0)
      expect(await claimed(80)).toMatchObject({ reported, callbacks: 2 })
    })

    test('that is due is not put off by callbacks that come one after the other', async () => {
      await store.receive({ ...entry, receivedAt: 51 }, { limit: 1, checkAt: 53 })
      expect(await claimed(52)).toMatchObject({ callbacks: 2 })
    })

    test('without an answer is put off, or left until its next callback', async () => {
      await store.settleOrphan(await claimed(52), { nextCheckAt: 80, at: 53 }, 55, 0)
      expect(await store.claimOrphans({ ...claim, now: 79 })).toEqual([])
      const orphan = await claimed(80)
      expect(orphan.reported).toBeUndefined()
      await store.settleOrphan(orphan, { at: 81 }, 83, 0)
      expect(await store.claimOrphans({ ...claim, now: 1000 })).toEqual([])
      expect(await store.orphans(10)).toHaveLength(1)
    })

    test('is forgotten long after it was reported', async () => {
      await store.settleOrphan(await claimed(52), { reported, at: 53 }, 55, 0)
      await store.receive({ ...entry, orderId: '2' }, { limit: 9, checkAt: 60 })
      await store.settleOrphan(await claimed(60), { at: 61 }, 63, 54)
      await store.receive({ ...entry, receivedAt: 70 }, { limit: 9, checkAt: 72 })
      expect((await claimed(72)).reported).toBeUndefined()
    })
  })

  test('What holds an order is found by the order, whatever client order id it names', async () => {
    await store.insert(intentWith({ orderId: '9', state: 'FINAL' }))
    expect(await store.holderOf('9')).toBeUndefined()
    const refund = { kind: 'modification', operation: 'return', holdsOrder: true } as const
    await store.insert(
      intentWith({ ...refund, intentId: '2', businessKey: 'b', clientOrderId: 'order-b', orderId: '9' }),
    )
    expect(await store.holderOf('9')).toMatchObject({ intentId: '2' })
  })

  test('A reference is found with the intent that made it', async () => {
    await store.insert(intentWith({ reference: 'r' }))
    expect(await store.findReference('r')).toMatchObject({ intentId: 'intent-1' })
    expect(await store.findReference('s')).toBeUndefined()
  })

  describe('An outcome', () => {
    const written = async (...changes: Parameters<typeof outcomeWith>) => {
      const intent = (await store.find('intent-1')) ?? intentWith()
      await store.update({ ...next(intent), outcomes: [outcomeWith(...changes)] })
    }
    beforeEach(() => store.insert(intentWith()))

    test('is numbered within its order, and delivered in that order', async () => {
      await written({ status: 'approved' })
      await written({ status: 'declined' })
      const [first, ...others] = await store.openOutcomes(0, 10)
      expect([first?.outcome, others]).toEqual([{ ...outcomeWith(), key: 'order-a:1', number: 1 }, []])
      if (first === undefined) throw new Error('none')
      expect(await store.countOpenOutcomes()).toBe(2)
      expect(await store.deliver(first.outcome, 1, () => {})).toBe('done')
      expect(await store.deliver(first.outcome, 1, () => {})).toBe('not-mine')
      expect(await store.openOutcomes(0, 10)).toMatchObject([{ outcome: { key: 'order-a:2', status: 'declined' } }])
      expect(await store.countOpenOutcomes()).toBe(1)
    })

    test('belongs to its own order: that of another order is the first there, and waits for nothing', async () => {
      for (const status of ['approved', 'declined', 'error']) await written({ status })
      const other = intentWith({ intentId: '2', businessKey: 'b', clientOrderId: 'order-b' })
      await store.insert(other)
      const elsewhere = outcomeWith({ intentId: '2', clientOrderId: 'order-b' })
      await store.update({ ...next(other), outcomes: [elsewhere, elsewhere] })
      const keys = async () => (await store.openOutcomes(0, 10)).map(({ outcome }) => outcome.key)
      expect(await keys()).toEqual(['order-a:1', 'order-b:1'])
      const first = { ...elsewhere, key: 'order-b:1', number: 1 }
      await store.deliver(first, 1, () => {})
      expect(await keys()).toEqual(['order-a:1', 'order-b:2'])
      expect(await store.deliver(first, 1, () => {})).toBe('not-mine')
      expect(await store.openOutcomes(0, 1)).toHaveLength(1)
    })

    test('that is put off leaves later ones as they are', async () => {
      for (const status of ['approved', 'declined']) await written({ status })
      const [first] = await store.openOutcomes(0, 10)
      if (first === undefined) throw new Error('none')
      await store.putOff(first.outcome, 500)
      await store.deliver(first.outcome, 1, () => {})
      expect(await store.openOutcomes(0, 10)).toMatchObject([{ outcome: { key: 'order-a:2' }, failures: 0 }])
    })

    test('is handed to one of many at once', async () => {
      await written()
      const [open] = await store.openOutcomes(0, 10)
      if (open === undefined) throw new Error('none')
      let runs = 0
      const handed = await Promise.all(
        Array.from({ length: 10 }, () => store.deliver(open.outcome, 1, () => void runs++)),
      )
      expect([runs, handed.filter((one) => one === 'done').length]).toEqual([1, 1])
    })

    test('whose handler throws stays open, and comes again at the time to which it was put off', async () => {
      await written()
      const [open] = await store.openOutcomes(0, 10)
      if (open === undefined) throw new Error('none')
      await expect(store.deliver(open.outcome, 1, () => Promise.reject(new Error('full disk')))).rejects.toThrow('full')
      await store.putOff(open.outcome, 500)
      expect(await store.openOutcomes(499, 10)).toEqual([])
      expect(await store.nextDueAt({ until: 500, withOutcomes: true })).toBe(500)
      expect(await store.nextDueAt({ until: 500, withOutcomes: false })).toBeUndefined()
      expect(await store.openOutcomes(500, 10)).toMatchObject([{ failures: 1 }])
    })

    test('that was put off comes after those that wait longer', async () => {
      await written()
      const other = intentWith({ intentId: '2', businessKey: 'invoice 78', clientOrderId: 'order-b' })
      await store.insert(other)
      await store.update({ ...next(other), outcomes: [outcomeWith({ intentId: '2', clientOrderId: 'order-b' })] })
      const orders = async () => (await store.openOutcomes(500, 10)).map(({ outcome }) => outcome.clientOrderId)
      expect(await orders()).toEqual(['order-a', 'order-b'])
      const [first] = await store.openOutcomes(0, 1)
      if (first === undefined) throw new Error('none')
      await store.putOff(first.outcome, 500)
      expect(await orders()).toEqual(['order-b', 'order-a'])
      expect(await store.nextDueAt({ until: 900, withOutcomes: true })).toBe(0)
    })

    test('and a check are known beforehand, by whichever is due sooner', async () => {
      await written()
      const [open] = await store.openOutcomes(0, 10)
      if (open === undefined) throw new Error('none')
      await store.putOff(open.outcome, 500)
      const check = intentWith({ intentId: '2', businessKey: 'b', clientOrderId: 'b', nextCheckAt: 400 })
      await store.insert(check)
      expect(await store.nextDueAt({ until: 900, withOutcomes: true })).toBe(400)
      await store.update(next(check, { nextCheckAt: 600 }))
      expect(await store.nextDueAt({ until: 900, withOutcomes: true })).toBe(500)
    })
  })

  describe('A report', () => {
    test('counts, and lists what is open', async () => {
      const oldest = intentWith({ state: 'UNKNOWN' })
      await store.insert(oldest)
      const later = { intentId: '2', businessKey: 'b', clientOrderId: 'b', createdAt: 2000 }
      await store.insert(intentWith({ ...later, state: 'REVIEW' }))
      await store.update(next(oldest))
      expect(await store.counts()).toEqual({ REVIEW: 1, UNKNOWN: 1 })
      expect(await store.inStates(['REVIEW', 'FINAL'], 10)).toMatchObject([{ intentId: '2' }])
      expect(await store.inStates(['REVIEW', 'UNKNOWN'], 10)).toMatchObject([
        { intentId: 'intent-1' },
        { intentId: '2' },
      ])
      expect(await store.inStates(['REVIEW', 'UNKNOWN'], 1)).toMatchObject([{ intentId: 'intent-1' }])
    })

    test('lists the refusals that the status has not confirmed, the oldest first', async () => {
      const refused = { state: 'REJECTED', holdsKey: false } as const
      await store.insert(intentWith(refused))
      await store.insert(
        intentWith({
          ...refused,
          intentId: '2',
          businessKey: 'b',
          clientOrderId: 'b',
          nextCheckAt: 5,
          createdAt: 2000,
        }),
      )
      await store.insert(
        intentWith({
          ...refused,
          intentId: '3',
          businessKey: 'c',
          clientOrderId: 'c',
          nextCheckAt: 9,
          createdAt: 2001,
        }),
      )
      await store.insert(
        intentWith({ intentId: '4', businessKey: 'd', clientOrderId: 'd', state: 'UNKNOWN', nextCheckAt: 5 }),
      )
      expect(await store.unconfirmed(10)).toMatchObject([{ intentId: '2' }, { intentId: '3' }])
      expect(await store.unconfirmed(1)).toMatchObject([{ intentId: '2' }])
    })

    test('names business keys of which two attempts were approved', async () => {
      const approved = intentWith({ state: 'FINAL', status: 'approved', holdsKey: false })
      await store.insert(approved)
      expect(await store.suspectedDoubles(10)).toEqual([])
      await store.insert({ ...approved, intentId: '2', attempt: 2, clientOrderId: 'order-b' })
      await store.insert({ ...approved, intentId: '3', businessKey: 'b', clientOrderId: 'order-c' })
      expect(await store.suspectedDoubles(10)).toMatchObject([{ intentId: 'intent-1' }, { intentId: '2' }])
      expect(await store.suspectedDoubles(1)).toMatchObject([{ intentId: 'intent-1' }])
    })

    test.each([
      ['was declined', { status: 'declined' }],
      ['is not final', { state: 'REVIEW' }],
      ['stores a card', { kind: 'card' }],
      ['verifies a card, which charges nothing', { operation: 'accountVerification', amounts: [] }],
    ] as const)('names none if the second attempt %s', async (_what, changes) => {
      const approved = intentWith({ state: 'FINAL', status: 'approved', holdsKey: false })
      await store.insert(approved)
      await store.insert({ ...approved, intentId: '2', attempt: 2, clientOrderId: 'order-b', ...changes })
      expect(await store.suspectedDoubles(10)).toEqual([])
    })

    test.each([
      ['in full', '0', []],
      ['in part', '10', [{ intentId: 'intent-1' }, { intentId: '2' }]],
    ])('until one of them was refunded %s', async (_what, amount, suspected) => {
      const observed = { status: 'approved', transactionType: 'reversal', amount, initialAmount: '1042' }
      const approved = intentWith({ state: 'FINAL', status: 'approved', holdsKey: false })
      await store.insert({ ...approved, observed })
      await store.insert({ ...approved, intentId: '2', attempt: 2, clientOrderId: 'order-b' })
      expect(await store.suspectedDoubles(10)).toMatchObject(suspected)
    })
  })

  describe('After the clock was set back', () => {
    const setBack = { now: 1000, latest: 1003, leaseMs: 8, putOffMs: 300 }
    const open = { state: 'UNKNOWN', nextCheckAt: 5000 } as const
    const pulled = async (changes: Partial<Intent>) => {
      await store.insert(intentWith({ ...open, ...changes }))
      await store.pullBack(setBack)
      return await store.find('intent-1')
    }

    test.each([
      ['was checked', { lookedAt: 1004 }, {}],
      ['was woken', { wokenAt: 1004 }, { wokenAt: 1000 }],
      ['was sent', { sentAt: 1004 }, {}],
      ['was prepared', { createdAt: 1004 }, {}],
    ] as const)('an intent that %s ahead of now is due now, in a new version', async (_what, times, then) => {
      expect(await pulled(times)).toEqual(intentWith({ ...open, ...times, ...then, nextCheckAt: 1000, version: 2 }))
    })

    test.each([
      ['is watched at a time that nobody plans is watched now, in a new version', 3_110_401_001, 1000, 2],
      ['is watched in 36 days is left', 3_110_401_000, 3_110_401_000, 1],
    ])('an intent that %s', async (_what, watchAt, then, version) => {
      expect(await pulled({ state: 'FINAL', nextCheckAt: undefined, watchAt })).toMatchObject({
        watchAt: then,
        version,
      })
    })

    test('a lease that ends too late is shortened: a living process may renew it, else it lapses', async () => {
      const lease = { leaseUntil: 1012, leaseOwner: 'one', lookedAt: 1, nextCheckAt: 4000 }
      expect(await pulled(lease)).toMatchObject({ leaseUntil: 1008, leaseOwner: 'one', nextCheckAt: 1000 })
      const claim = { now: 1007, leaseUntil: 1015, owner: 'two', limit: 10 }
      expect(await store.claimDue(claim)).toEqual([])
      await store.renewLeases({ intentIds: ['intent-1'], owner: 'one', leaseUntil: 1010 })
      expect(await store.claimDue({ ...claim, now: 1009 })).toEqual([])
      expect(await store.claimDue({ ...claim, now: 1010 })).toHaveLength(1)
    })

    test.each([
      ['is due already', { lookedAt: 1004, nextCheckAt: 900 }, 900],
      ['is leased as long as any, by a clock that is a little ahead', { leaseUntil: 1011, nextCheckAt: 900 }, 900],
      ['was written by now', { sentAt: 1003, lookedAt: 1003, wokenAt: 1003 }, 5000],
      ['is no longer checked', { lookedAt: 1004, nextCheckAt: undefined }, undefined],
    ])('an intent that %s keeps its next check', async (_what, changes, nextCheckAt) => {
      const intent = await pulled(changes)
      expect([intent?.nextCheckAt, intent?.leaseUntil]).toEqual([
        nextCheckAt,
        'leaseUntil' in changes ? 1011 : undefined,
      ])
    })

    test('an order that no intent has is checked from now on, and a claim of it ends soon', async () => {
      const entry = { clientOrderId: 'order-a', orderId: '1', status: 'approved', receivedAt: 1004 }
      const claim = { now: 1000, leaseUntil: 1008, limit: 10 }
      const terms = { limit: 9, checkAt: 5000 }
      await store.receive(entry, terms)
      await store.receive({ ...entry, orderId: '2', receivedAt: 1003 }, terms)
      await store.receive({ ...entry, orderId: '3', receivedAt: 900 }, { limit: 9, checkAt: 902 })
      await store.claimOrphans({ ...claim, leaseUntil: 1012 })
      await store.pullBack(setBack)
      expect(await store.claimOrphans(claim)).toMatchObject([{ orderId: '1', wokenAt: 1000, callbacks: 1 }])
      expect(await store.claimOrphans({ ...claim, now: 1007, leaseUntil: 1015 })).toEqual([])
      expect(await store.claimOrphans({ ...claim, now: 1008, leaseUntil: 1016 })).toHaveLength(2)
    })

    test('an order that was reported rests until its next callback', async () => {
      const entry = { clientOrderId: 'order-a', orderId: '1', status: 'approved', receivedAt: 1004 }
      const claim = { now: 1004, leaseUntil: 1012, limit: 10 }
      await store.receive(entry, { limit: 9, checkAt: 1004 })
      const [orphan] = await store.claimOrphans(claim)
      if (orphan === undefined) throw new Error('none')
      await store.settleOrphan(orphan, { reported: { status: 'approved' }, at: 1005 }, 1006, 0)
      await store.pullBack(setBack)
      expect(await store.claimOrphans({ ...claim, now: 9000 })).toEqual([])
    })

    test('an outcome that is put off for too long is due now, and one that was delivered stays so', async () => {
      const outcomes = await withOutcomes(store, 'order-a', 'order-b', 'order-c')
      for (const [index, dueAt] of [1304, 1303, 5000].entries()) {
        const outcome = outcomes[index]
        if (outcome === undefined) throw new Error('none')
        await store.putOff(outcome, dueAt)
        if (outcome.clientOrderId === 'order-c') await store.deliver(outcome, 1, () => {})
      }
      await store.pullBack(setBack)
      expect(await store.openOutcomes(1302, 10)).toMatchObject([{ outcome: { key: 'order-a:1' }, failures: 1 }])
      expect(await store.countOpenOutcomes()).toBe(2)
    })

    test('answers from before are forgotten', async () => {
      await store.noteAnswer({ endpointId: '5' }, 1004)
      await store.noteAnswer({ endpointId: '6' }, 1003)
      await store.pullBack(setBack)
      expect([await store.lastAnswerAt({ endpointId: '5' }), await store.lastAnswerAt({ endpointId: '6' })]).toEqual([
        undefined,
        1003,
      ])
    })
  })

  test('A clock with fractions of a millisecond is as good as any', async () => {
    const due = { state: 'UNKNOWN', createdAt: 1.25, sentAt: 2.25, nextCheckAt: 100.25 } as const
    await store.insert(intentWith(due))
    expect(Math.floor((await store.nextDueAt({ until: 100.5, withOutcomes: true })) ?? 0)).toBe(100)
    const claim = { now: 100.5, leaseUntil: 200.75, owner: 'one', limit: 10 }
    expect(await store.claimDue(claim)).toHaveLength(1)
    expect(await store.claimDue({ ...claim, now: 199.5 })).toEqual([])
    await store.noteAnswer({ endpointId: '5' }, 7.25)
    expect(Math.floor((await store.lastAnswerAt({ endpointId: '5' })) ?? 0)).toBe(7)

    const entry = { clientOrderId: 'order-b', orderId: '1', status: 'approved', receivedAt: 50.25 }
    await store.receive(entry, { limit: 9, checkAt: 52.25 })
    const [orphan] = await store.claimOrphans({ now: 60.5, leaseUntil: 70.25, limit: 10 })
    if (orphan === undefined) throw new Error('none')
    await store.settleOrphan(orphan, { at: 61.25, nextCheckAt: 80.25 }, 63.25, 0.5)
    const [again] = await store.claimOrphans({ now: 80.5, leaseUntil: 90.25, limit: 10 })
    if (again === undefined) throw new Error('none')
    expect(await store.renewOrphan(again, 95)).toBe(true)
    await store.receive({ ...entry, receivedAt: 81.25 }, { limit: 9, checkAt: 83.25 })
    const woken = { ...again, leaseUntil: 95 }
    await store.settleOrphan(woken, { at: 82.25, reported: { status: 'approved' } }, 84.25, 0.5)
    expect(await store.claimOrphans({ now: 84.5, leaseUntil: 90, limit: 10 })).toMatchObject([{ callbacks: 2 }])

    const [outcome] = await withOutcomes(store, 'order-c')
    if (outcome === undefined) throw new Error('none')
    await store.putOff(outcome, 150.25)
    expect(await store.openOutcomes(149.5, 10)).toEqual([])
    expect(await store.openOutcomes(150.5, 10)).toHaveLength(1)
    await store.pullBack({ now: 20.5, latest: 23.5, leaseMs: 8, putOffMs: 30 })
    expect(await store.openOutcomes(20.5, 10)).toHaveLength(1)
    expect(await store.deliver(outcome, 160.25, () => {})).toBe('done')
  })

  test('The last answer of an endpoint is noted with the present time, even if the clock was set back since', async () => {
    await store.noteAnswer({ endpointId: '5' }, 3_600_000)
    await store.noteAnswer({ endpointId: '5' }, 7)
    expect(await store.lastAnswerAt({ endpointId: '5' })).toBe(7)
  })

  test('[F-C17] What is known of a name is found: by key, ids and reference, with the attempts and the changes of its orders', async () => {
    const first = intentWith({ orderId: '123', holdsKey: false, createdAt: 1 })
    const second = intentWith({
      intentId: '2',
      attempt: 2,
      clientOrderId: 'order-b',
      createdAt: 2,
      reference: '531396',
    })
    const refund = { operation: 'return', kind: 'modification' } as const
    const change = intentWith({ ...refund, intentId: '3', businessKey: 'refund 1', orderId: '123', createdAt: 3 })
    const other = intentWith({ intentId: '4', businessKey: 'invoice 78', clientOrderId: 'order-c', createdAt: 4 })
    for (const intent of [first, second, change, other]) await store.insert(intent)
    const outcomes = [
      outcomeWith({ clientOrderId: 'order-b' }),
      outcomeWith({ clientOrderId: 'order-b', kind: 'notice' }),
    ]
    await store.update({ intent: written(second), outcomes })
    const [open] = await store.openOutcomes(0, 10)
    if (open === undefined) throw new Error('none')
    await store.deliver(open.outcome, 50, () => {})
    const orphan = { clientOrderId: 'order-z', orderId: '9', status: 'approved', receivedAt: 5 }
    await store.receive(orphan, { limit: 9, checkAt: 6 })

    const idsOf = async (name: string) => (await store.named(name)).intents.map(({ intentId }) => intentId)
    expect(await idsOf('invoice 77')).toEqual(['intent-1', '2', '3'])
    for (const name of ['order-a', '123', 'intent-1']) expect(await idsOf(name)).toEqual(['intent-1', '2', '3'])
    for (const name of ['order-b', '531396', '2']) expect(await idsOf(name)).toEqual(['intent-1', '2'])
    expect(await idsOf('refund 1')).toEqual(['intent-1', '3'])
    expect(await store.named('2')).toMatchObject({
      outcomes: [
        { outcome: { key: 'order-b:1', kind: 'outcome' }, failures: 0, handledAt: 50 },
        { outcome: { key: 'order-b:2', kind: 'notice' }, failures: 0, handledAt: undefined },
      ],
      orphans: [],
    })
    for (const name of ['order-z', '9']) {
      expect(await store.named(name)).toMatchObject({ intents: [], outcomes: [], orphans: [orphan] })
    }
    expect(await store.named('nobody')).toEqual({ intents: [], outcomes: [], orphans: [] })
  })

  test('The last known order of each endpoint is found, and the time of its last answer', async () => {
    const [one, group] = [{ endpointId: '5' }, { endpointGroupId: '5' }]
    expect([await store.lastAnswerAt(one), await store.knownOrder(one)]).toEqual([undefined, undefined])
    await store.noteAnswer(one, 3)
    await store.noteAnswer(one, 5)
    await store.noteAnswer(group, 4)
    expect(await store.lastAnswerAt(one)).toBe(5)
    expect(await store.lastAnswerAt(group)).toBe(4)
    expect(await store.lastAnswerAt({})).toBeUndefined()
    const observed = { status: 'approved' }
    await store.insert(intentWith({ ...one, orderId: '1', observed, lookedAt: 1 }))
    const later = { intentId: '2', businessKey: 'b', clientOrderId: 'b', orderId: '2', lookedAt: 2 }
    await store.insert(intentWith({ ...one, ...later, observed }))
    await store.insert(intentWith({ ...later, intentId: '3', businessKey: 'c', clientOrderId: 'c', observed }))
    expect(await store.knownOrder(one)).toMatchObject({ intentId: '2' })
    expect(await store.knownOrder({})).toMatchObject({ intentId: '3' })
    expect(await store.knownOrder(group)).toBeUndefined()
    const last = { ...one, lookedAt: 3, businessKey: 'd' }
    await store.insert(intentWith({ ...last, intentId: '4', clientOrderId: 'd', observed }))
    await store.insert(
      intentWith({ ...last, intentId: '5', clientOrderId: 'e', attempt: 2, holdsKey: false, orderId: '5' }),
    )
    expect(await store.knownOrder(one)).toMatchObject({ intentId: '2' })
  })
}
