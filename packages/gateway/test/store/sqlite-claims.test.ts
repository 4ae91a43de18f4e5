import { copyFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { newKeys } from '../../src/cli/read-configuration.ts'
import { readVaultKeys, virtualClock } from '../../src/index.ts'
import { desk } from '../support/desk.ts'
import { sale } from '../support/signed-requests.ts'
import { delivery, NOW, opening, order, task } from './changes.ts'
import { sqliteFile } from './sqlite-file.ts'

const MINUTE = 60_000

test('[F-D5] what the last process had in hand is due again at the next start, and what it had put off stays put off', async () => {
  const file = sqliteFile().open()
  onTestFinished(() => file.end())
  const opened = order(1)
  const deliveries = [
    delivery(opened, { id: '1', dueAt: NOW }),
    delivery(opened, { id: '2', dueAt: NOW + 1000 }),
    delivery(opened, { id: '3', dueAt: NOW }),
  ]
  const written = order(2)
  const claimed = delivery(written, { id: '4', createdAt: NOW - 1000, dueAt: NOW - 1000 + MINUTE })
  await file.store.commit({ ...opening(written), deliveries: [claimed], claimsDeliveries: true }, NOW)
  const tasks = [task(opened, { id: 'hold', dueAt: NOW }), task(opened, { id: 'later', dueAt: NOW + 1000 })]
  await file.store.commit({ ...opening(opened), deliveries, tasks }, NOW)
  const claim = { now: NOW, until: NOW + MINUTE, limit: 9 }
  const third = (await file.store.claimDeliveries(claim)).find(({ id }) => id === '3')
  await file.store.claimTasks(claim)
  if (third === undefined) throw new Error('none')
  // Its first try has failed, and its next one is planned.
  await file.store.commit(
    { attempts: [{ delivery: { ...third, dueAt: NOW + 30_000, made: 1 }, claimedUntil: third.dueAt }] },
    NOW,
  )
  const store = await file.again()
  await store.releaseClaims?.(NOW)
  expect((await store.deliveriesOf(opened.orderId)).map(({ id, dueAt }) => [id, dueAt])).toEqual([
    ['1', NOW],
    ['2', NOW + 1000],
    ['3', NOW + 30_000],
  ])
  expect(await store.deliveriesOf(written.orderId)).toEqual([{ ...claimed, dueAt: NOW - 1000 }])
  expect((await store.tasksOf(opened.orderId)).map(({ id, dueAt }) => [id, dueAt])).toEqual([
    ['hold', NOW],
    ['later', NOW + 1000],
  ])
})

test('[F-D5] [F-A13] what was in hand while the clock was wrong is not due at that time again', async () => {
  const file = sqliteFile().open()
  onTestFinished(() => file.end())
  const opened = order(1)
  await file.store.commit({ ...opening(opened), deliveries: [delivery(opened, { id: '1', dueAt: NOW })] }, NOW)
  const ahead = NOW + 10 * 365 * 24 * 60 * MINUTE
  await file.store.claimDeliveries({ now: ahead, until: ahead + MINUTE, limit: 9 })
  const store = await file.again()
  await store.pullBack({
    now: NOW,
    believed: 0,
    leaseMs: MINUTE,
    deliveryWaits: [100],
    tryWaits: [100],
    longestMs: 10_000,
  })
  const [pulled] = await store.deliveriesOf(opened.orderId)
  await store.releaseClaims?.(NOW)
  const [released] = await store.deliveriesOf(opened.orderId)
  expect(pulled?.dueAt).toBeLessThan(ahead)
  expect(released?.dueAt).toBe(NOW)
})

test('[F-D5] a callback that was in hand when the process ended is sent at once at the next start', async () => {
  const [file, after] = [sqliteFile(), sqliteFile()]
  // Ended after the books were audited.
  const first = file.open()
  onTestFinished(() => first.end())
  const vaultKeys = readVaultKeys(newKeys().reveal())
  const answered = Promise.withResolvers<{ status: number }>()
  const begun = Promise.withResolvers<void>()
  const dying = desk({
    store: first.store,
    vaultKeys,
    sendCallback: () => {
      begun.resolve()
      return answered.promise
    },
  })
  await dying.gateway.handle(sale({ server_callback_url: 'https://shop.example.com/cb' }))
  await begun.promise
  // What a process leaves that ends now.
  for (const part of ['', '-wal']) copyFileSync(`${file.file}${part}`, `${after.file}${part}`)
  const second = after.open()
  onTestFinished(() => second.end())
  const { gateway, calls } = desk({ store: second.store, vaultKeys, clock: virtualClock(dying.clock.now()) })
  await gateway.isReady()
  await gateway.settled()
  expect(calls).toHaveLength(1)
  answered.resolve({ status: 200 })
  await dying.gateway.settled()
})
