import { mysql2JournalStore } from '@tallystick/journal/mysql2'
import type { PaidPayment } from '@tallystick/payments'
import { createPool, type PoolConnection } from 'mysql2/promise'

const pool = createPool({ uri: process.env['DATABASE_URL'] ?? '' })

/** Where payments are stored, beside your own tables. Connects at first use. */
export const database = mysql2JournalStore(pool)

/** On a connection of its own: MySQL commits a transaction in which a table is made. */
let table: Promise<unknown> | undefined

/** Your own writes, beside those of the payments. */
export type Transaction = PoolConnection

/** What a payment does in your database. It takes effect exactly once, whatever crashes. */
export async function book(transaction: Transaction, { key, amount, currency }: PaidPayment): Promise<void> {
  table ??= pool.query('create table if not exists paid (invoice varchar(128) primary key, amount text, currency text)')
  await table
  await transaction.query('insert into paid values (?, ?, ?)', [key, amount, currency])
}

/** At the end of the process, after the payments. */
export async function closeDatabase(): Promise<void> {
  await pool.end()
}
