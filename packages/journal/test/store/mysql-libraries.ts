import { EntitySchema as MikroSchema } from '@mikro-orm/core'
import { MikroORM } from '@mikro-orm/mysql'
import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/mysql2'
import createKnex from 'knex'
import { CamelCasePlugin, Kysely, MysqlDialect } from 'kysely'
import { createPool as createCallbackPool } from 'mysql2'
import { createPool } from 'mysql2/promise'
import { Sequelize } from 'sequelize'
import { DataSource, EntitySchema } from 'typeorm'
import { drizzleJournalStore } from '../../src/drizzle.ts'
import { knexJournalStore } from '../../src/knex.ts'
import { kyselyJournalStore } from '../../src/kysely.ts'
import { mikroOrmJournalStore } from '../../src/mikro-orm.ts'
import { mysql2JournalStore } from '../../src/mysql2.ts'
import { sequelizeJournalStore } from '../../src/sequelize.ts'
import { typeormJournalStore } from '../../src/typeorm.ts'
import { INVOICE, made, type OpenLibrary, type Paid, row } from './libraries.ts'

const Mikro = new MikroSchema<Paid>({
  name: 'Paid',
  tableName: 'paid',
  properties: { key: { type: 'string', primary: true }, invoice: { type: 'text' } },
})
const TypeOrmPaid = new EntitySchema<Paid>({
  name: 'paid',
  columns: { key: { type: 'varchar', primary: true }, invoice: { type: 'text' } },
})

const INSERT = 'insert into paid (`key`, invoice) values (?, ?)'

/** As shops have them, with the settings of theirs that change what raw statements give. */
export const MYSQL_LIBRARIES: Readonly<Record<string, OpenLibrary>> = {
  mysql2: async (uri, most) => {
    const results = { supportBigNumbers: true, bigNumberStrings: true, rowsAsArray: true, namedPlaceholders: true }
    const pool = createPool({ uri, ...results, ...limitOf(most) })
    return made({
      store: mysql2JournalStore(pool),
      book: (key, connection) =>
        connection.execute({ sql: INSERT.replace('?, ?', ':key, :invoice'), values: { ...row(key) } }),
      inTransaction: async (work) => {
        const connection = await pool.getConnection()
        try {
          await connection.beginTransaction()
          const result = await work(connection)
          await connection.commit()
          return result
        } catch (error) {
          await connection.rollback()
          throw error
        } finally {
          connection.release()
        }
      },
      end: () => pool.end(),
    })
  },
  'Drizzle on mysql2': async (uri, most) => {
    const pool = createPool({ uri, ...limitOf(most) })
    const db = drizzle({ client: pool })
    return made({
      store: drizzleJournalStore(db),
      book: (key, tx) => tx.execute(sql`insert into paid (\`key\`, invoice) values (${key}, ${INVOICE})`),
      inTransaction: (work) => db.transaction(work),
      end: () => pool.end(),
    })
  },
  Knex: async (uri, most) => {
    const pool = most === undefined ? {} : { pool: { min: 0, max: most } }
    const knex = createKnex({ client: 'mysql2', connection: uri, ...pool })
    return made({
      store: knexJournalStore(knex),
      book: (key, trx) => trx('paid').insert(row(key)),
      inTransaction: (work) => knex.transaction(work),
      end: () => knex.destroy(),
    })
  },
  Kysely: async (uri, most) => {
    const pool = createCallbackPool({ uri, ...limitOf(most) })
    const db = new Kysely<{ paid: Paid }>({ dialect: new MysqlDialect({ pool }), plugins: [new CamelCasePlugin()] })
    return made({
      store: kyselyJournalStore(db, { pool }),
      book: (key, trx) => trx.insertInto('paid').values(row(key)).execute(),
      inTransaction: (work) => db.transaction().execute(work),
      end: () => db.destroy(),
    })
  },
  MikroORM: async (clientUrl, most) => {
    const pool = most === undefined ? {} : { pool: { min: 0, max: most } }
    const orm = await MikroORM.init({ entities: [Mikro], clientUrl, ...pool })
    return made({
      store: mikroOrmJournalStore(orm),
      book: (key, em) => em.insert(Mikro, row(key)),
      inTransaction: (work) => orm.em.fork().transactional((em) => work(em as typeof orm.em)),
      end: () => orm.close(),
    })
  },
  Sequelize: async (uri, most) => {
    const shop = new Sequelize(uri, { logging: false, ...(most === undefined ? {} : { pool: { max: most } }) })
    return made({
      store: sequelizeJournalStore(shop),
      book: (key, transaction) => shop.query(INSERT, { replacements: [key, INVOICE], transaction }),
      inTransaction: (work) => shop.transaction(work),
      end: () => shop.close(),
    })
  },
  TypeORM: async (url, most) => {
    const pool = most === undefined ? {} : { poolSize: most }
    const source = await new DataSource({ type: 'mysql', url, entities: [TypeOrmPaid], ...pool }).initialize()
    return made({
      store: typeormJournalStore(source),
      book: (key, manager) => manager.getRepository(TypeOrmPaid).insert(row(key)),
      inTransaction: (work) => source.transaction(work),
      end: () => source.destroy(),
    })
  },
}

function limitOf(most: number | undefined): { readonly connectionLimit?: number } {
  return most === undefined ? {} : { connectionLimit: most }
}
