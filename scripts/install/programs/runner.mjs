// A spec with our matchers, in the test runner that is installed: vitest or jest.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
const isJest = dependencies.jest !== undefined
const major = Number(
  /\d+/.exec(JSON.parse(readFileSync(`node_modules/${isJest ? 'jest' : 'vitest'}/package.json`, 'utf8')).version),
)
const setup = isJest ? '@tallystick/testing/jest' : `@tallystick/testing/vitest${major < 5 ? '-4' : ''}`
const spec = `
  test('a sale', async () => {
    const gateway = await startGateway({ socket: false })
    await gateway.client().sale(saleInput())
    await gateway.settled()
    expect((await gateway.orders())[0]).toBeApproved()
    expect(await gateway.orders()).toHaveBeenChargedOnce()
    expect(() => expect(1).toBe(2)).toThrow()
    await gateway.close()
  })`
const imported =
  "import { expect, test } from 'vitest'\nimport { saleInput, startGateway } from '@tallystick/testing'\n"
const required = "const { saleInput, startGateway } = require('@tallystick/testing')\n"
writeFileSync(isJest ? 'paid.test.cjs' : 'paid.test.mjs', (isJest ? required : imported) + spec)
writeFileSync('jest.config.json', JSON.stringify({ setupFilesAfterEnv: [setup], testMatch: ['**/paid.test.cjs'] }))
writeFileSync('vitest.config.mjs', `export default { test: { include: ['paid.test.mjs'], setupFiles: ['${setup}'] } }`)
const args = isJest
  ? ['node_modules/jest/bin/jest.js', '--config=jest.config.json', '--watchman=false']
  : ['node_modules/vitest/vitest.mjs', 'run']
execFileSync(process.execPath, args, { stdio: 'inherit' })
