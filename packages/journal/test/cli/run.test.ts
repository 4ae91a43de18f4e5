import { existsSync, readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { HELP, readArguments } from '../../src/cli/arguments.ts'
import { withDriver } from '../../src/cli/open-journal.ts'
import { run } from '../../src/cli/run.ts'
import { sqliteJournalStore } from '../../src/store/sqlite/sqlite-journal-store.ts'
import { intentWith } from '../intents.ts'
import { ownFolder } from '../own-folder.ts'
import { describeMariaDb, mariaDb } from '../store/mariadb.ts'
import { postgresWorld } from '../store/postgres-world.ts'

const { url, open, inShop } = postgresWorld()

const inFolder = ownFolder()

describe('The command', () => {
  test('makes the tables, once', async () => {
    const file = inFolder('shop.db')
    expect(await run(readArguments(['migrate', '--file', file]))).toBe(`${file}: version 0 to 1\n`)
    expect(await run(readArguments(['migrate', '--file', file]))).toBe(`${file} has version 1 already\n`)
  })

  test('reports what an operator needs, as text and as JSON', async () => {
    const file = inFolder('shop.db')
    const store = sqliteJournalStore({ file })
    const evidence = [{ at: Date.UTC(2030, 0, 1), seen: 'status approved of 1.42 USD' }]
    await store.insert(intentWith({ state: 'REVIEW', reviewReason: 'AMOUNT_DIFFERS', orderId: '123', evidence }))
    await store.close()
    const text = await run(readArguments(['report', '--file', file]))
    expect(text).toContain(
      'differing amounts: 1\n  invoice 77, attempt 1: sale order-a, order 123: AMOUNT_DIFFERS; 2030',
    )
    expect(text).toContain(
      "1.42 USD; look at the gateway, then tallystick-journal settle intent-1, or journal.resolveReview('intent-1', ...)\n",
    )
    const json = JSON.parse(await run(readArguments(['report', '--file', file, '--json'])))
    expect(json).toMatchObject({ counts: { REVIEW: 1 }, differingAmounts: [{ businessKey: 'invoice 77' }] })
  })

  test('reports each intent on one line, whatever it quotes', async () => {
    const file = inFolder('shop.db')
    const store = sqliteJournalStore({ file })
    const evidence = [{ at: Date.UTC(2030, 0, 1), seen: 'nothing-charged: agreed\nby telephone \u001B[2J' }]
    const changes = { state: 'PRESUMED_ABSENT', reviewReason: 'AMOUNT_DIFFERS', evidence } as const
    await store.insert(intentWith({ ...changes, businessKey: 'invoice\n77' }))
    const orphan = { clientOrderId: 'order\nz', orderId: '9', status: 'approved', receivedAt: 1 }
    await store.receive(orphan, { limit: 1, checkAt: 1 })
    await store.close()
    const text = await run(readArguments(['report', '--file', file]))
    expect(text).toContain('callbacks of unknown orders: 1\n  order z  order 9  1 times\n')
    expect(text).toContain(
      'presumed absent: 1\n  invoice 77, attempt 1: sale order-a, order not known: PRESUMED_ABSENT; 2030-01-01T00:00:00.000Z ' +
        'nothing-charged: agreed by telephone  [2J\n',
    )
  })

  test('does not report on a file that does not exist', async () => {
    const file = inFolder('misspelt.db')
    await expect(run(readArguments(['report', '--file', file]))).rejects.toThrow('misspelt.db; `migrate` makes one')
    expect(existsSync(file)).toBe(false)
  })

  test('does not report on a file without a journal, and leaves it as it is', async () => {
    const file = inFolder('other.db')
    const other = new DatabaseSync(file)
    other.exec('create table invoices (id text)')
    other.close()
    const before = readFileSync(file)
    const reporting = () => run(readArguments(['report', '--file', file]))
    for (const _ of [1, 2])
      await expect(reporting()).rejects.toThrow(`there is no journal in ${file}; \`migrate\` makes one`)
    expect(readFileSync(file).equals(before)).toBe(true)
  })

  test('does not report on a database without a journal, and makes none there', async () => {
    const reporting = () => run(readArguments(['report', '--store', url()]))
    const { host, pathname } = new URL(url())
    for (const _ of [1, 2]) {
      await expect(reporting()).rejects.toThrow(/^there is no journal in schema journal_\w+ of /)
      await expect(reporting()).rejects.toThrow(` of ${host}${pathname}; `)
    }
  })

  test('[F-C17] names the schemas that have a journal if the one that it was sent to has none', async () => {
    await run(readArguments(['migrate', '--store', url(), '--schema', 'payments']))
    await expect(run(readArguments(['report', '--store', url()]))).rejects.toThrow(
      /there is one in (?:\w+ and in )*payments: name it by --schema$/,
    )
    await expect(run(readArguments(['show', 'x', '--store', url(), '--schema', 'payments']))).rejects.toThrow(
      'x is not known',
    )
    await inShop('drop schema payments cascade')
  })

  test('[F-C17] says so if the tables of a journal are gone, before it names `migrate`', async () => {
    const file = inFolder('shop.db')
    await run(readArguments(['migrate', '--file', file]))
    const database = new DatabaseSync(file)
    for (const table of ['intents', 'outcomes', 'orphan_orders', 'gateway_answers', 'version']) {
      database.exec(`drop table journal_${table}`)
    }
    database.close()
    await run(readArguments(['migrate', '--store', url()]))
    await inShop(
      'drop table journal_intents, journal_outcomes, journal_orphan_orders, journal_gateway_answers, journal_version',
    )
    for (const place of [
      ['--file', file],
      ['--store', url()],
    ]) {
      await expect(run(readArguments(['show', 'invoice 77', ...place]))).rejects.toThrow(
        'are gone, though they were there',
      )
    }
  })

  test('says what to install for PostgreSQL, and leaves any other failure as it is', async () => {
    const failing = (code: string) =>
      withDriver('pg', () => Promise.reject(Object.assign(new Error('as Node says it'), { code })))
    await expect(failing('ERR_MODULE_NOT_FOUND')).rejects.toThrow(
      'The database needs a package that is not there: npm install pg',
    )
    await expect(failing('ECONNREFUSED')).rejects.toThrow('as Node says it')
  })

  test('makes the tables in PostgreSQL and reports from there, and shows no password', async () => {
    const { host, pathname } = new URL(url())
    expect(await run(readArguments(['migrate', '--store', url()]))).toBe(`${host}${pathname}: version 0 to 1\n`)
    expect(await run(readArguments(['migrate', '--store', url()]))).toBe(`${host}${pathname} has version 1 already\n`)
    await open().insert(intentWith({ state: 'UNKNOWN' }))
    expect(await run(readArguments(['report', '--store', url()]))).toContain('unknown: 1\n  invoice 77, attempt 1')
  })

  test('prints its help and the tables', async () => {
    expect(await run(readArguments(['--help']))).toBe(HELP)
    expect(await run(readArguments(['sql', '--dialect', 'postgresql']))).toContain('create table "journal_intents"')
  })

  test.each([
    [[], 'a command is missing'],
    [['transmute'], 'there is no command transmute: there are migrate, report, show, settle, sql, migration'],
    [['sow', 'invoice 77'], 'there is no command sow: did you mean show?'],
    [['migrate'], '--file or --store is missing'],
    [['report', '--file', 'x', '--store', 'postgres://x/y'], 'exclude each other'],
    [['report', '--store', 'mongodb://x'], 'such as postgres://'],
    [['report', '--file', 'x', 'y'], 'y is not understood'],
    [['sql', '--dialect', 'oracle'], 'must be sqlite'],
    [['--colour'], 'colour'],
  ])('[F-C16] refuses %j', (args, says) => {
    expect(() => readArguments(args)).toThrow(says)
  })
})

describeMariaDb('The command on MariaDB', () => {
  const { fresh } = mariaDb()

  test('makes the tables, once, and reports', async () => {
    const store = await fresh()
    const { host, pathname } = new URL(store)
    await expect(run(readArguments(['report', '--store', store]))).rejects.toThrow('`migrate` makes one')
    expect(await run(readArguments(['migrate', '--store', store]))).toBe(`${host}${pathname}: version 0 to 1\n`)
    const again = store.replace(/^mysql:/, 'mariadb:')
    expect(await run(readArguments(['migrate', '--store', again]))).toBe(`${host}${pathname} has version 1 already\n`)
    expect(JSON.parse(await run(readArguments(['report', '--store', store, '--json'])))).toMatchObject({ counts: {} })
  })
})
