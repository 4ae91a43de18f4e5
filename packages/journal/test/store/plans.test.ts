import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import type { DialectName } from '@tallystick/durable/schema'
import { createPool } from 'mysql2/promise'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { mysql2JournalStore } from '../../src/mysql2.ts'
import { statements } from '../../src/store/mysql/statements.ts'
import { first } from '../../src/store/schema/0001-first.ts'
import { sqlOf } from '../../src/store/schema/migrations.ts'
import { lastKnown } from '../../src/store/statements/answers.ts'
import { claimAtOnce, dueIntents, nextCheckDue } from '../../src/store/statements/intents.ts'
import { dueOutcomes, nextOutcomeDue } from '../../src/store/statements/outcomes.ts'
import { doublesOf } from '../../src/store/statements/reads.ts'
import { intentsWith, receiveAll, writeIntents } from '../../src/store/statements/shared.ts'
import type { Step } from '../../src/store/statements/work.ts'
import { intentWith, outcomeWith } from '../intents.ts'
import { describeMariaDb, mariaDb } from './mariadb.ts'
import { postgresWorld } from './postgres-world.ts'

/** Many payments, one in a thousand of them tried again and approved twice. */
const MANY = `insert into journal_intents (intent_id, business_key, attempt, operation, kind, client_order_id, amounts, digest, state,
    version, created_at, deadline_ms, sends, absences, status, holds_key, holds_order, evidence)
  select 'intent-' || n, 'key-' || (case n % 1000 when 1 then n - 1 else n end), case n % 1000 when 1 then 2 else 1 end, 'sale', 'opening',
    'order-' || n, '["1042"]', 'd', 'FINAL', 1, n, 1, 1, 0, 'approved', 0, 0, '[]' from numbers`
const LIMIT = 50

const { url, open } = postgresWorld()

/** A connection to a database with our tables, which ends with the test. */
async function withTables(): Promise<pg.Client> {
  await open().counts()
  const client = new pg.Client({ connectionString: url() })
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

test('Suspected double charges are searched for only among keys with a second attempt: in SQLite', () => {
  const database = new DatabaseSync(':memory:')
  database.exec(sqlOf(first, 'sqlite'))
  database.exec(
    `with recursive numbers(n) as (select 1000 union all select n + 1 from numbers where n < 50000) ${MANY}; analyze`,
  )
  const { sql, parameters } = doublesOf('sqlite', LIMIT)
  const given = parameters as SQLInputValue[]
  const steps = database.prepare(`explain query plan ${sql}`).all(...given)
  const plan = steps.map(({ detail }) => String(detail)).join('\n')
  expect(plan).toContain('journal_intents_again')
  expect(plan).not.toMatch(/SCAN journal_intents$/m)
  expect(database.prepare(sql).all(...given)).toHaveLength(LIMIT)
  database.close()
})

test('Suspected double charges are searched for only among keys with a second attempt: in PostgreSQL', async () => {
  const client = await withTables()
  await client.query(`with numbers as (select n from generate_series(1000, 50000) as n) ${MANY}`)
  await client.query('analyze journal_intents')
  const { sql, parameters } = doublesOf('postgresql', LIMIT)
  const { rows } = await client.query(`explain (costs off) ${sql}`, [...parameters])
  const plan = rows.map((row) => String(row['QUERY PLAN'])).join('\n')
  expect(plan).toContain('journal_intents_again')
  expect(plan).not.toContain('Seq Scan')
  expect((await client.query(sql, [...parameters])).rows).toHaveLength(LIMIT)
})

/**
 * Many watched payments, one in a thousand of them checked soon, and many outcomes, the second half of them reported, at an
 * endpoint that has answered for all of them.
 */
const WATCHED = `insert into journal_intents (intent_id, business_key, attempt, operation, kind, client_order_id, amounts, digest, state,
    version, created_at, deadline_ms, sends, absences, holds_key, holds_order, evidence, next_check_at, watch_at, order_id, endpoint_id, observed,
    looked_at)
  select 'watched-' || n, 'watched-' || n, 1, 'sale', 'opening', 'watched-' || n, '[]', 'd', 'ACCEPTED', 1, n, 1, 1, 0, 1, 0, '[]',
    case n % 1000 when 0 then 900 else 1000000 end, case n % 1000 when 0 then 900 else 1000000 end, 'order ' || n, '253', '{}', n from numbers`
const TOLD = `insert into journal_outcomes (client_order_id, number, outcome, failures, due_at, handled_at)
  select 'watched-' || n, 1, '{}', 0, 0, case when n > 25000 then 1 end from numbers`
const SOON = 1000

const inIndexes = (dialect: DialectName) =>
  [
    [nextCheckDue(dialect, SOON).compile(), 'journal_intents_due'],
    [
      dueIntents(dialect, { now: SOON, watched: true }).selectAll().orderBy('watch_at').limit(2).compile(),
      'journal_intents_watched',
    ],
    [nextOutcomeDue(dialect).compile(), 'journal_outcomes_due'],
    [dueOutcomes(dialect, SOON, LIMIT), 'journal_outcomes_due'],
    [lastKnown(dialect, { endpointId: '253' }), 'journal_intents_known'],
  ] as const

test('What is due, and the last known order of an endpoint, is read in the order of an index: in SQLite', () => {
  const database = new DatabaseSync(':memory:')
  database.exec(sqlOf(first, 'sqlite'))
  const numbers = 'with recursive numbers(n) as (select 1000 union all select n + 1 from numbers where n < 50000)'
  database.exec(`${numbers} ${WATCHED}; ${numbers} ${TOLD}; analyze`)
  for (const [query, index] of inIndexes('sqlite')) {
    const steps = database.prepare(`explain query plan ${query.sql}`).all(...(query.parameters as SQLInputValue[]))
    const plan = steps.map(({ detail }) => String(detail)).join('\n')
    expect(plan).toContain(index)
    expect(plan).not.toMatch(/SCAN \w+$|TEMP B-TREE/m)
  }
  database.close()
})

test('What is due, and the last known order of an endpoint, is read in the order of an index: in PostgreSQL', async () => {
  const client = await withTables()
  const numbers = 'with numbers as (select n from generate_series(1000, 50000) as n)'
  await client.query(`${numbers} ${WATCHED}`)
  await client.query(`${numbers} ${TOLD}`)
  await client.query('analyze journal_intents; analyze journal_outcomes')
  for (const [query, index] of inIndexes('postgresql')) {
    const { rows } = await client.query(`explain (costs off) ${query.sql}`, [...query.parameters])
    const plan = rows.map((row) => String(row['QUERY PLAN'])).join('\n')
    expect(plan).toContain(index)
    expect(plan).not.toMatch(/Seq Scan|Sort/)
  }
})

test('What payments share is searched by indexes, even if it was planned while the tables were empty: in PostgreSQL', async () => {
  const client = await withTables()
  await client.query('set plan_cache_mode = force_generic_plan')
  const callback = { clientOrderId: 'a', orderId: 'b', status: 'c', receivedAt: 1, limit: 5, checkAt: 7 }
  const how = { isLimited: true, isAgain: false }
  const works = [
    writeIntents([{ intent: intentWith(), outcomes: [outcomeWith()] }], how),
    receiveAll([callback], how),
    intentsWith([['business_key', 'a']]),
    claimAtOnce({ now: 1, leaseUntil: 2, owner: 'x', limit: 8 }),
  ]
  for (const [index, work] of works.entries()) {
    const { value } = work.next()
    const { sql, parameters } = (value as Step).query
    await client.query(`prepare shared${index} as ${sql}`)
    const values = parameters.map((one) => (one === null ? 'null' : pg.escapeLiteral(String(one))))
    const { rows } = await client.query(`explain (costs off) execute shared${index}(${values.join(', ')})`)
    const plan = rows.map((row) => String(row['QUERY PLAN'])).join('\n')
    expect(plan).toMatch(/Index Scan using journal_intents_\w+ on journal_intents/)
    // What is due stands in an index of its own, which is read in the test before.
    expect(plan.replace('Seq Scan on journal_intents journal_intents_1', '')).not.toMatch(
      /Seq Scan on journal_intents|Hash Join/,
    )
  }
})

describeMariaDb('What is due, and the last known order of an endpoint, is read in the order of an index', () => {
  const { fresh, runIn } = mariaDb()

  test('in MariaDB, also by what locks it', async () => {
    const url = await fresh()
    const pool = createPool({ uri: url })
    onTestFinished(() => pool.end())
    await mysql2JournalStore(pool).counts()
    const from = (insert: string) =>
      insert.replace('from numbers', 'from (select seq as n from seq_1000_to_50000) as numbers')
    await runIn(
      url,
      `set sql_mode = 'PIPES_AS_CONCAT'; ${from(WATCHED)}; ${from(TOLD)}; analyze table journal_intents, journal_outcomes`,
    )
    const claim = dueIntents('mysql', { now: SOON }).selectAll().orderBy('next_check_at').orderBy('created_at').limit(2)
    const queries = [...inIndexes('mysql'), [claim.forUpdate().skipLocked().compile(), 'journal_intents_due'] as const]
    for (const [query, index] of queries) {
      const { text, values } = statements.statement(query, new URL(url).pathname.slice(1))
      const [rows] = await pool.query(`explain ${text}`, [...values])
      const [{ key, Extra: extra }] = rows as [{ readonly key: string; readonly Extra: string }]
      expect(key).toBe(index)
      expect(extra).not.toMatch(/filesort|temporary/)
    }
  })
})
