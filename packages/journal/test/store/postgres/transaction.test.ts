import { expect, test } from 'vitest'
import { again, preparedOn } from '../../../src/store/postgres/transaction.ts'

/** How often work is tried that takes this long and fails each time, and how long all tries take. */
async function triesOf(eachMs: number) {
  const time = { now: 0, tries: 0 }
  const waits = { now: () => time.now, pause: async () => {}, fraction: () => 0 }
  const lost = async () => {
    time.tries++
    time.now += eachMs
    throw new Error('Connection terminated due to connection timeout')
  }
  await expect(again(() => true, lost, waits)).rejects.toThrow('connection timeout')
  return [time.tries, time.now]
}

test.each([
  ['connections that are lost at once are tried ten times', 5, [10, 50]],
  ['a server to which none can be made in ten seconds, twice', 10_000, [2, 20_000]],
  ['a connection that does not answer in a minute makes way for one other', 60_000, [2, 120_000]],
])('Of a database that is away: %s', async (_what, eachMs, expected) => {
  expect(await triesOf(eachMs)).toEqual(expected)
})

test('A statement that another connection of the pooler has prepared is sent without a name from then on', () => {
  const names = preparedOn()
  expect(names.nameOf('select 1')).toMatch(/^tallystick_[0-9a-f]{40}$/)
  const refused = Object.assign(new Error('prepared statement exists'), { severity: 'ERROR', code: '42P05' })
  expect([names.isLost(new Error('lost')), names.isLost(refused), names.nameOf('select 1')]).toEqual([
    false,
    true,
    undefined,
  ])
})
