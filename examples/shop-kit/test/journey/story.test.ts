import { expect, test } from 'vitest'
import { playChapter } from '../../src/journey/story.ts'

test('a chapter prints what happened, and counts what came out wrong', async () => {
  const lines: string[] = []
  const chapter = await playChapter(
    '1  Sale',
    (line) => lines.push(line),
    async ({ tell, check }) => {
      tell('sent')
      check('paid', true)
      check('the amount', false)
      throw new Error('the shop is gone')
    },
  )
  expect(chapter).toEqual({ title: '1  Sale', wrong: 2 })
  expect(lines).toEqual([
    '\n1  Sale',
    '   · sent',
    '   ✓ paid',
    '   ✗ WRONG: the amount',
    '   ✗ WRONG: the shop is gone',
  ])
})
