import { Client, errors } from 'undici'
import { expect, test } from 'vitest'
import { keptClients } from '../../src/callbacks/kept-clients.ts'

const ORIGIN = 'http://shop.example.com'
const { signal } = new AbortController()

/** Connections, and a time that the test sets. */
function desk() {
  const time = { now: 0 }
  const kept = keptClients(() => time.now)
  const add = (origin = ORIGIN) => kept.add(origin, new Client(origin), signal)
  return { time, kept, add }
}

test('a connection is for one callback at a time, of its own origin', () => {
  const { kept, add } = desk()
  const one = add()
  kept.giveBack(one)
  expect(kept.take('http://other.example.com', signal)).toBeUndefined()
  expect(kept.take(ORIGIN, signal)).toBe(one)
  expect(kept.take(ORIGIN, signal)).toBeUndefined()
})

test('a connection is ended after ten seconds, whatever goes over it', () => {
  const { kept, add, time } = desk()
  const one = add()
  kept.giveBack(one)
  time.now = 10_000
  expect(kept.take(ORIGIN, signal)).toBe(one)
  kept.giveBack(one)
  time.now = 10_001
  expect(kept.take(ORIGIN, signal)).toBeUndefined()
  expect(one.client.destroyed).toBe(true)
})

test('of all shops together 64 connections wait for a callback, and those that shops closed are not among them', () => {
  const { kept, add } = desk()
  const all = Array.from({ length: 65 }, (_, each) => add(`http://shop${each}.example.com`))
  for (const each of all) kept.giveBack(each)
  expect(all.filter(({ client }) => client.destroyed)).toEqual([all[64]])
  all[0]?.client.emit('disconnect', new URL(ORIGIN), [], new errors.SocketError('closed'))
  const next = add()
  kept.giveBack(next)
  expect([all[0]?.client.destroyed, next.client.destroyed]).toEqual([true, false])
  kept.close()
  expect(next.client.destroyed).toBe(true)
})
