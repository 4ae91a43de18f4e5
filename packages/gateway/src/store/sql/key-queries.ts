import type { KeyCheck } from '../key-checks.ts'
import type { Queries } from './tables.ts'

export async function notedKeys(queries: Queries): Promise<readonly KeyCheck[]> {
  const rows = await queries.selectFrom('key_checks').selectAll().orderBy('key_name').execute()
  return rows.map(({ key_name, check_value }) => ({ name: key_name, value: check_value }))
}

export async function isKeyInUse(queries: Queries, keyId: string): Promise<boolean> {
  const row = await queries
    .selectFrom('cards')
    .select('card_id')
    .where('key_id', '=', keyId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
