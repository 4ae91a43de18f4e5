import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const DECORATORS = new URL('../src/decorators.ts', import.meta.url).href
const DECORATED = new URL('../src/pages/outbound.interceptor.ts', import.meta.url).href
const PROGRAM = `const { OutboundInterceptor } = await import('${DECORATED}')
console.log(Reflect.getMetadata('__injectable__', OutboundInterceptor))`

function node(...options: readonly string[]) {
  const cwd = fileURLToPath(new URL('..', import.meta.url))
  return spawnSync(process.execPath, [...options, '--input-type=module', '--eval', PROGRAM], { cwd, encoding: 'utf8' })
}

test('Node runs a file with decorators, without a build', () => {
  const { stdout, stderr } = node(`--import=${DECORATORS}`)
  expect({ stdout, stderr }).toEqual({ stdout: 'true\n', stderr: '' })
})

test('without decorators.ts it cannot: when this test fails, that file is no longer needed', () => {
  expect(node().stderr).toContain('SyntaxError')
})
