import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Connections } from '../../src/store/postgres/connections.ts'
import { type PostgresDatabase, postgresDatabase } from './postgres-database.ts'

let database: PostgresDatabase

beforeAll(async () => {
  database = await postgresDatabase()
})
afterAll(() => database.close())

/** A schema that is as it should be. */
async function soundSchema(): Promise<string> {
  const schema = database.newSchema()
  await (await database.node(schema)).close()
  return schema
}

const rowsLeft = (schema: string) => database.ask(`SELECT 1 FROM ${schema}.orders`)

describe('the self-test at the start', () => {
  test('leaves nothing behind', async () => {
    expect(await rowsLeft(await soundSchema())).toEqual([])
  })

  test('of many that start at once hinders none', async () => {
    const schema = await soundSchema()
    const nodes = await Promise.all(Array.from({ length: 5 }, () => database.node(schema)))
    expect(await Promise.all(nodes.map((node) => node.isReady()))).toEqual(Array(5).fill(true))
  })

  /** How a schema can be damaged, by what the self-test says of it. */
  const DAMAGES: Readonly<Record<string, (schema: string) => string>> = {
    'lets an order be overdrawn': (schema) => `ALTER TABLE ${schema}.orders DROP CONSTRAINT hold_within_authorized`,
    'books money of no operation': (schema) => `ALTER TABLE ${schema}.postings DROP CONSTRAINT postings_of`,
    'takes an order twice': (schema) => `ALTER TABLE ${schema}.orders DROP CONSTRAINT client_order_id_once`,
    'takes a control twice': (schema) => `DROP INDEX ${schema}.orders_signed`,
    'takes a nonce twice': (schema) => `ALTER TABLE ${schema}.nonces DROP CONSTRAINT nonces_key`,
    'does not give back what was written': (schema) =>
      `CREATE FUNCTION ${schema}.spoil() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN NEW.amount := NEW.amount + 1; RETURN NEW; END $$;
       CREATE TRIGGER spoil BEFORE INSERT ON ${schema}.operations FOR EACH ROW EXECUTE FUNCTION ${schema}.spoil()`,
  }

  test.for(Object.entries(DAMAGES))('refuses a schema that %s', async ([wrong, damage]) => {
    const schema = await soundSchema()
    await database.ask(damage(schema))
    await expect(database.node(schema)).rejects.toMatchObject({
      code: 'UNSOUND',
      message: `The schema ${schema} ${wrong}`,
    })
    expect(await rowsLeft(schema)).toEqual([])
  })

  test.for([
    ['a table of orders', (schema: string) => `DROP TABLE ${schema}.operations CASCADE`],
    ['a table of nodes', (schema: string) => `DROP TABLE ${schema}.node_marks CASCADE`],
    ['a column', (schema: string) => `ALTER TABLE ${schema}.orders DROP COLUMN payout_check_for`],
    ['the note of its version', (schema: string) => `DELETE FROM ${schema}.schema_version`],
  ] as const)('refuses a schema that lacks %s', async ([, statement]) => {
    const schema = await soundSchema()
    await database.ask(statement(schema))
    await expect(database.node(schema)).rejects.toMatchObject({
      code: 'UNSOUND',
      message: expect.stringContaining(`${schema} has other tables than this version of the gateway makes`),
    })
  })

  test('refuses a database that keeps a transaction that was to be rolled back', async () => {
    const schema = await soundSchema()
    const keeping = (connections: Connections): Connections => ({
      ...connections,
      take: async () => {
        const connection = await connections.take()
        return {
          ...connection,
          query: (statement) => connection.query(statement.text === 'ROLLBACK' ? { text: 'COMMIT' } : statement),
        }
      },
    })
    const started = database.node(schema, { connect: () => keeping(database.connections()) })
    await expect(started).rejects.toMatchObject({ code: 'UNSOUND', message: expect.stringContaining('rolled back') })
  })
})
