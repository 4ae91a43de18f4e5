import { DatabaseSync } from 'node:sqlite'
import { deedsIn, type Entry } from '../bank/journal.ts'

interface Row {
  readonly intent_id: string
  readonly business_key: string
  readonly order_id: string | null
  readonly state: string
  readonly status: string | null
}

/** What the file of a dead shop says, compared with the bank's book. */
export interface Inspected {
  readonly intents: number
  readonly effects: number
  readonly findings: readonly string[]
}

const ENDED: ReadonlySet<string> = new Set(['FINAL', 'PRESUMED_ABSENT', 'REJECTED'])

export function inspectShop(file: string, book: readonly Entry[]): Inspected {
  const database = new DatabaseSync(file)
  const intents = database.prepare('select * from journal_intents').all() as unknown as readonly Row[]
  const effects = database
    .prepare('select intent_id from effects')
    .all()
    .map((row) => String(row['intent_id']))
  database.close()
  return {
    intents: intents.length,
    effects: effects.length,
    findings: [...wrongIntents(intents), ...wrongCharges(intents, book), ...wrongEffects(intents, effects)],
  }
}

function wrongIntents(intents: readonly Row[]): readonly string[] {
  return intents
    .filter(({ state }) => !ENDED.has(state))
    .map(({ business_key, state }) => `${business_key}: still ${state}`)
}

/** Each charge must be known and be the only one of its invoice, and each charge that the shop believes in must exist. */
function wrongCharges(intents: readonly Row[], book: readonly Entry[]): readonly string[] {
  const charged = new Set(
    [...deedsIn(book).values()].filter(({ decision }) => decision.status === 'approved').map(({ orderId }) => orderId),
  )
  const believed = intents.filter(({ status }) => status === 'approved')
  const known = new Set(believed.map(({ order_id }) => order_id))
  const keys = new Set(believed.map(({ business_key }) => business_key))
  return [
    ...[...charged]
      .filter((orderId) => !known.has(orderId))
      .map((orderId) => `${orderId}: charged, and the shop does not know`),
    ...believed.filter(({ order_id }) => !charged.has(order_id ?? '')).map((row) => `${row.business_key}: not charged`),
    ...(keys.size === believed.length ? [] : ['an invoice was charged twice']),
  ]
}

/** The handler's write must be there once for each final intent, and for no other. */
function wrongEffects(intents: readonly Row[], effects: readonly string[]): readonly string[] {
  const final = new Set(intents.filter(({ state }) => state === 'FINAL').map(({ intent_id }) => intent_id))
  const once = new Set(effects)
  return [
    ...(once.size === effects.length ? [] : [`${effects.length - once.size} effects of the handler are there twice`]),
    ...[...final].filter((id) => !once.has(id)).map((id) => `${id}: final, and the handler's effect is lost`),
    ...[...once].filter((id) => !final.has(id)).map((id) => `${id}: an effect of what is not final`),
  ]
}
