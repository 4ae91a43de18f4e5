import { expect } from 'expect'
import { expectTypeOf, test } from 'vitest'
import { startGateway } from '../src/index.ts'
import type {} from '../src/jest.ts'

test('the matchers are known to the types of jest', async () => {
  const gateway = await startGateway()
  expectTypeOf(expect(gateway).toBalance).toBeFunction()
  // @ts-expect-error there is no such matcher
  expect(gateway).toBeRich()
})

test('and to those of @types/jest, which the expect without an import has', () => {
  expectTypeOf<jest.Matchers<void, unknown>['toBalance']>().returns.toBeVoid()
  expectTypeOf<jest.Matchers<Promise<void>, unknown>['toBeApproved']>().returns.resolves.toBeVoid()
})
