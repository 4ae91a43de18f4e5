import { expect, test } from 'vitest'
import { remember } from '../../src/oauth/remember.ts'

function asked() {
  const questions: string[] = []
  const ask = remember((text: string) => {
    questions.push(text)
    if (text === 'bad') throw new Error('bad')
    return text.length
  })
  return { ask, questions }
}

test('asks once for the same text in a row, and answers each for itself', () => {
  const { ask, questions } = asked()
  expect(['a', 'a', 'bb', 'bb', 'a'].map(ask)).toEqual([1, 1, 2, 2, 1])
  expect(questions).toEqual(['a', 'bb', 'a'])
})

test('asks again after an error, and forgets nothing by it', () => {
  const { ask, questions } = asked()
  ask('a')
  for (let time = 0; time < 2; time++) expect(() => ask('bad')).toThrow('bad')
  expect(ask('a')).toBe(1)
  expect(questions).toEqual(['a', 'bad', 'bad'])
})

test('asks each time about what has no UTF-8 form and about what is no text', () => {
  const { ask, questions } = asked()
  for (const text of ['\ud800', '\ud800', 12 as unknown as string, 12 as unknown as string]) ask(text)
  expect(questions).toEqual(['\ud800', '\ud800', 12, 12])
})

test('asks before it has an answer, for callers that the types do not hold', () => {
  const ask = remember((text: string) => text === undefined)
  expect(ask(undefined as unknown as string)).toBe(true)
})
