import { postgresJournalStore } from '@tallystick/journal/postgres'
import type { PaidPayment } from '@tallystick/payments'
import { Pool, type PoolClient } from 'pg'

const pool = new Pool({ connectionString: process.env['DATABASE_URL'] })

/** Where payments are stored, beside your own tables. Connects at first use. */
export const database = postgresJournalStore({ pool })

/** Your own writes, beside those of the payments. */
export type Transaction = PoolClient

/** What a payment does in your database. It takes effect exactly once, whatever crashes. */
export async function book(transaction: Transaction, { key, amount, currency }: PaidPayment): Promise<void> {
  await transaction.query('create table if not exists paid (invoice text primary key, amount text, currency text)')
  await transaction.query('insert into paid values ($1, $2, $3)', [key, amount, currency])
}

/** At the end of the process, after the payments. */
export async function closeDatabase(): Promise<void> {
  await pool.end()
}
