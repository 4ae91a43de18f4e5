import { afterEach, expect, test, vi } from 'vitest'
import { isTest, watchIdle } from '../src/gateway/open-door.ts'

const emitWarning = vi.spyOn(process, 'emitWarning').mockReturnValue(undefined)
afterEach(() => void emitWarning.mockReset())

/** Where a test opened a gateway. */
function opened(line: number) {
  return Object.assign(new Error(), {
    stack: `Error: opened\n    at pays (/shop/pay.test.ts:${line}:3)\n    at run (/runner.js:1:1)`,
  })
}

/** Calls `then` with the line of each warning. Resolves with the lines so far when the gateway of this line is warned of. */
function untilWarnedOf(line: number, then: (line: number) => void = () => {}): Promise<readonly number[]> {
  const lines: number[] = []
  return new Promise((resolve) => {
    emitWarning.mockImplementation((warning) => {
      const [, found] = /pay\.test\.ts:(\d+)/.exec(String(warning)) ?? []
      lines.push(Number(found))
      then(Number(found))
      if (Number(found) === line) resolve(lines)
    })
  })
}

test('a gateway that is left open is warned of, with the place that opened it', async () => {
  const warning = new Promise((resolve) => {
    emitWarning.mockImplementation((...args: readonly unknown[]) => resolve(args))
  })
  watchIdle(opened(7), 1)
  expect(await warning).toEqual([
    'A gateway is open and has had no request for 0.001 s; it keeps the process from ending. Close it when its test ends: ' +
      'test.after(() => gateway.close()). It was opened at pays (/shop/pay.test.ts:7:3)',
    {
      type: 'TestGatewayWarning',
      code: 'GATEWAY_LEFT_OPEN',
      detail: 'https://tallystick.github.io/tallystick/errors/testing.html#gateway_left_open',
    },
  ])
})

test('a request puts the warning off', async () => {
  const lines = untilWarnedOf(2, (line) => {
    if (line !== 1) return
    watch.used()
    watchIdle(opened(3), 15)
  })
  const watch = watchIdle(opened(2), 20)
  watchIdle(opened(1), 10)
  expect(await lines).toEqual([1, 3, 2])
})

test('it is warned of once, and not at all after it was closed', async () => {
  const lines = untilWarnedOf(3, (line) => {
    if (line !== 1) return
    left.used()
    watchIdle(opened(3), 10)
  })
  const [left, closed] = [watchIdle(opened(1), 2), watchIdle(opened(2), 4)]
  closed.end()
  closed.used()
  expect(await lines).toEqual([1, 3])
})

test.for([
  [{ VITEST: 'true' }, 'node_modules/vitest/vitest.mjs', true],
  [{ JEST_WORKER_ID: '1' }, 'node_modules/jest/bin/jest.js', true],
  [{ NODE_TEST_CONTEXT: 'child-v8' }, 'shop.mjs', true],
  [{}, 'test/shop.test.mts', true],
  [{}, 'src/orders.service.spec.ts', true],
  [{}, 'shop.mts', false],
  [{}, 'latest.js', false],
] as const)('only a test is warned: %j %s', ([env, program, isOne]) => {
  expect(isTest({ env, argv: ['node', program] })).toBe(isOne)
})
