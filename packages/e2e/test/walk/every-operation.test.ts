import { operationKeys } from '@tallystick/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { happyPaths } from './happy-paths.ts'
import { refusals } from './refusals.ts'
import { startWorld, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.close())

describe('every operation, by our client over HTTP', () => {
  test.each(operationKeys)('%s does what the interface says', async (key) => {
    await happyPaths[key](world)
  })

  describe.each(operationKeys)('%s refuses, and says why,', (key) => {
    test.each(refusals[key])('$title', async ({ ask, told }) => {
      expect((await ask(world)).slice(0, told.length)).toBe(told)
    })
  })
})
