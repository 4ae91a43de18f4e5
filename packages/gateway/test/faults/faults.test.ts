import { readFileSync } from 'node:fs'
import { Pan } from '@tallystick/core'
import { expect, test } from 'vitest'
import { FAULTS } from '../../src/index.ts'

/** The names of the faults, which are public and stay as they are. */
const NAMES = [
  'reply-lost-before-commit',
  'reply-lost-after-commit',
  'slow-reply',
  'error-then-committed',
  'overloaded',
  'html-page',
  'truncated-body',
  'unknown-then-approved',
  'unknown-then-declined',
  'callback-delayed',
  'callback-twice',
  'callback-twice-at-once',
  'callback-out-of-order',
  'callback-before-return',
  'callback-never',
  'callback-forged',
  'callback-shifted',
  'callback-amount-differs',
  'chargeback-after-return',
  'three-ds-abandoned',
  'method-time-out',
]

test('there is every fault that the design names, and a sentence about each', () => {
  expect(Object.keys(FAULTS)).toEqual(NAMES)
  for (const { meaning } of Object.values(FAULTS)) expect(meaning).toMatch(/^[A-Z].*\.$/)
})

test('amounts and cards stand for one fault each, from 666.01 on, and the cards have a right check digit', () => {
  const amounts = Object.values(FAULTS).map(({ amount }) => amount)
  expect(amounts).toEqual(NAMES.map((_, index) => BigInt(66_601 + index)))
  const cards = Object.values(FAULTS).map(({ card }) => card)
  expect(new Set(cards.map((card) => card.slice(-4))).size).toBe(NAMES.length)
  expect(cards.filter((card) => !card.startsWith('400000') || !Pan.isPan(card))).toEqual([])
})

test('the README has each fault with its amount, its card and its meaning', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  for (const [name, { amount, card, meaning }] of Object.entries(FAULTS)) {
    const major = String(amount).replace(/(\d\d)$/, '.$1')
    expect(readme).toContain(`| \`${name}\` | ${major} | \`${card}\` | ${meaning} |`)
  }
})
