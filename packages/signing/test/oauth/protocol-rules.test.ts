import { expect, test } from 'vitest'
import { remember } from '../../src/oauth/protocol-rules.ts'

function asked() {
  const questions: string[] = []
  const ask = remember((text: string) => {
    questions.push(text)
    if (text === 'bad') throw new Error('bad')
    return text.length
  })
  return { ask, questions }
}

test('computes once for the same text in a row, and answers for each text', () => {
  const { ask, questions } = asked()
  expect(['a', 'a', 'bb', 'bb', 'a'].map(ask)).toEqual([1, 1, 2, 2, 1])
  expect(questions).toEqual(['a', 'bb', 'a'])
})

test('computes again after an error, and forgets nothing because of it', () => {
  const { ask, questions } = asked()
  ask('a')
  for (let time = 0; time < 2; time++) expect(() => ask('bad')).toThrow('bad')
  expect(ask('a')).toBe(1)
  expect(questions).toEqual(['a', 'bad', 'bad'])
})

test('computes each time for a text without a UTF-8 form, and for anything but a text', () => {
  const { ask, questions } = asked()
  for (const text of ['\ud800', '\ud800', 12 as unknown as string, 12 as unknown as string]) ask(text)
  expect(questions).toEqual(['\ud800', '\ud800', 12, 12])
})

test('computes while it has no answer yet, even for callers without types', () => {
  const ask = remember((text: string) => text === undefined)
  expect(ask(undefined as unknown as string)).toBe(true)
})
