import { eachAdapterCase } from '@tallystick/testing'
import { ADAPTER_PARSERS } from '@tallystick/testing/internal'
import fastify from 'fastify'
import fastify4 from 'fastify4'
import { describe, expect, test } from 'vitest'
import { mountOn } from './mount-fastify.ts'

/** No parser of the app applies within the plugins, so JSON stays what it is: no form. */
const parsers = ADAPTER_PARSERS.filter((parser) => parser !== 'json')

/** A case rejects unless the plugins pass it. */
function passes(name: string, run: () => Promise<void>): void {
  // oxlint-disable-next-line vitest/valid-title -- the case brings its title
  test(name, () => expect(run()).resolves.toBeUndefined())
}

describe('Every case of an adapter, on Fastify 5', () => {
  eachAdapterCase(mountOn(fastify), passes, { parsers })
})

describe('Every case of an adapter, on Fastify 4', () => {
  eachAdapterCase(mountOn(fastify4), passes, { parsers })
})
