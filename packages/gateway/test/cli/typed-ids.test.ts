import { expect, test } from 'vitest'
import { log } from '../../src/cli/log.ts'
import { deciding, UNKNOWN } from '../support/acquirers.ts'
import { desk } from '../support/desk.ts'
import { recurringDesk } from '../support/recurring.ts'

test('[F-C19] each operation that stays unknown is named in the log by an id that can be typed into the command', async () => {
  const { sale, clock, heard } = desk({ acquirer: deciding({ lookup: async () => UNKNOWN }) })
  const ids: string[] = []
  for (let made = 0; made < 60; made++) ids.push((await sale({ cvv2: '217' })).orderid)
  await clock.advance('60d')
  const lines: string[] = []
  const { failed } = log('info', { write: (line) => void lines.push(line) })
  for (const [error] of heard) failed(error)
  expect(lines).toHaveLength(60)
  for (const id of ids)
    expect(lines.some((line) => line.includes(`The sale ${id}-1 of the order ${id} is still`))).toBe(true)
})

test('[F-C19] the ids of cards and recurring payments begin as those of orders do', async () => {
  const { sale, cardRef, profile } = recurringDesk()
  const made = [(await sale()).orderid, await cardRef(await sale()), await profile()]
  expect(made).toEqual(Array(3).fill(expect.stringMatching(/^9\d{14}$/)))
})
