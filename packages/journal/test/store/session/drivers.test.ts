import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

const WITHOUT_DRIVERS = `import { registerHooks } from 'node:module'
registerHooks({
  resolve(specifier, context, next) {
    if (/^(pg|mysql2)(\\/|$)/.test(specifier)) throw new Error(context.parentURL + ' needs ' + specifier)
    return next(specifier, context)
  },
})
for (const entry of process.argv.slice(1)) await import(entry)`

const ENTRIES = ['drizzle', 'knex', 'kysely', 'mikro-orm', 'mysql2', 'postgres-js', 'prisma', 'sequelize', 'typeorm']

test('The entry of a library needs no driver that the shop may not have', () => {
  const entries = ENTRIES.map((name) => new URL(`../../../src/${name}.ts`, import.meta.url).href)
  const options = ['--conditions=@tallystick/source', '--no-warnings', '--input-type=module', '-e', WITHOUT_DRIVERS]
  expect(spawnSync(process.execPath, [...options, ...entries], { encoding: 'utf8' }).stderr).toBe('')
})
