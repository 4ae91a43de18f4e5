import { adapterCases, eachAdapterCase } from '@tallystick/testing'
import express from 'express'
import express4 from 'express4'
import { describe, expect, test } from 'vitest'
import { mountOn } from './mount-express.ts'

describe('Every case of an adapter, on Express 5', () => {
  eachAdapterCase(mountOn(express), test)
})

describe('Every case of an adapter, on Express 4', () => {
  eachAdapterCase(mountOn(express4), test)
})

test('There are at least sixty, each with a name of its own', () => {
  const names = adapterCases.map(({ name }) => name)
  expect(names.length).toBeGreaterThanOrEqual(60)
  expect(new Set(names).size).toBe(names.length)
})
