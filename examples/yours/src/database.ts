import type { DatabaseSync } from 'node:sqlite'
import type { PaidPayment } from '@tallystick/payments'

/** Where payments are stored: an SQLite file, which may hold your own tables too. */
export const database = process.env['SHOP_DATABASE'] ?? 'shop.db'

/** Your own writes, beside those of the payments. */
export type Transaction = DatabaseSync

/** What a payment does in your database. It takes effect exactly once, whatever crashes. */
export function book(transaction: Transaction, { key, amount, currency }: PaidPayment): void {
  transaction.exec('create table if not exists paid (invoice text primary key, amount text, currency text)')
  transaction.prepare('insert into paid values (?, ?, ?)').run(key, amount, currency)
}

/** At the end of the process, after the payments. The payments close the file. */
export async function closeDatabase(): Promise<void> {}
