import { eachAdapterCase } from '@tallystick/testing'
import { adapterCases } from '@tallystick/testing/internal'
import express from 'express'
import express4 from 'express4'
import { describe, expect, test } from 'vitest'
import { mountOn } from './mount-express.ts'

/** A case rejects unless the adapter passes it. */
function passes(name: string, run: () => Promise<void>): void {
  // oxlint-disable-next-line vitest/valid-title -- the case brings its title
  test(name, () => expect(run()).resolves.toBeUndefined())
}

describe('Every case of an adapter, on Express 5', () => {
  eachAdapterCase(mountOn(express), passes)
})

describe('Every case of an adapter, on Express 4', () => {
  eachAdapterCase(mountOn(express4), passes)
})

test.each([
  ['every parser', '[G6-01] [G6-03] a callback by POST, behind text'],
  ['forms', '[G6-07] merchant_order alone, behind none'],
  ['keeping', 'a slow inbox: nothing is answered before it is done'],
  ['places', 'two shops: each gets its own callbacks'],
  ['the gateway', 'a header that the gateway gets twice stays two'],
])('The cases of %s are among them', (_group, name) => {
  expect(adapterCases.map((one) => one.name)).toContain(name)
})

test('Each case has a name of its own', () => {
  const names = adapterCases.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
})
