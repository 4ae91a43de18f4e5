import type { Clock } from '@tallystick/client'
import type { OperationOutcome } from '@tallystick/client/ports'
import { expectTypeOf, test } from 'vitest'
import {
  createJournal,
  type JournalOptions,
  memoryJournalStore,
  type OrphanNotice,
  type OrphanOutcome,
  type PayOptions,
} from '../src/index.ts'
import type { PgBossNotifierOptions } from '../src/pg-boss.ts'
import type { PostgresJournalOptions } from '../src/postgres.ts'
import { decidingClient } from './deciding-client.ts'

test('options that a shop passes on may be undefined, even for a compiler that distinguishes that from absent', () => {
  type HandedOn = Pick<JournalOptions<unknown>, 'client' | 'store'> & { readonly clock: Clock | undefined }
  expectTypeOf<HandedOn>().toExtend<JournalOptions<unknown>>()
  type Optional = Omit<JournalOptions<unknown>, 'client' | 'store'>
  expectTypeOf<{ readonly [Name in keyof Optional]: undefined }>().toExtend<Optional>()
  expectTypeOf<{ readonly [Name in keyof PayOptions]-?: undefined }>().toExtend<PayOptions>()
  type OwnBoss = { connectionString: string; schema: undefined; onError: undefined; boss: undefined }
  expectTypeOf<OwnBoss>().toExtend<PgBossNotifierOptions>()
  expectTypeOf<{ connectionString: string; pool: undefined }>().toExtend<PostgresJournalOptions>()
})

test('[F-A12] who takes outcomes says what becomes of notices, and neither can be taken for the other', () => {
  const parts = { client: decidingClient(), store: memoryJournalStore() }
  // @ts-expect-error: onNotice is missing
  createJournal({ ...parts, handler: () => {} })
  createJournal({ ...parts, handler: () => {}, onNotice: 'ignore' })
  // @ts-expect-error: it would never be called
  createJournal({ ...parts, onNotice: () => {} })
  createJournal({
    ...parts,
    handler: ({ outcome }) => void expectTypeOf(outcome.kind).toEqualTypeOf<'outcome'>(),
    onNotice: ({ notice }) => void expectTypeOf(notice.kind).toEqualTypeOf<'notice'>(),
  })
  const book = (outcome: OperationOutcome) => void expectTypeOf(outcome.kind).toEqualTypeOf<'outcome'>()
  // @ts-expect-error: a notice is no outcome
  createJournal({ ...parts, handler: () => {}, onNotice: ({ notice }) => book(notice) })
})

test('[F-A12] who takes orders without an intent says what becomes of their notices, and neither can be taken for the other', () => {
  const parts = { client: decidingClient(), store: memoryJournalStore() }
  const book = (outcome: OrphanOutcome) => void expectTypeOf(outcome.change).toEqualTypeOf<undefined>()
  const giveBack = ({ reply }: OrphanNotice) => void reply.amount
  createJournal({ ...parts, onOrphan: book, onOrphanNotice: giveBack })
  createJournal({ ...parts, onOrphan: book, onOrphanNotice: 'ignore' })
  // @ts-expect-error: onOrphanNotice is missing
  createJournal({ ...parts, onOrphan: book })
  // @ts-expect-error: it would never be called
  createJournal({ ...parts, onOrphanNotice: giveBack })
  // @ts-expect-error: a notice is no outcome
  createJournal({ ...parts, onOrphan: book, onOrphanNotice: book })
  // @ts-expect-error: nor is an outcome a notice
  createJournal({ ...parts, onOrphan: giveBack, onOrphanNotice: giveBack })
})
