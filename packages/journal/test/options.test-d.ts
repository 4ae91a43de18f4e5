import type { Clock } from '@tallystick/client'
import { expectTypeOf, test } from 'vitest'
import type { JournalOptions, PayOptions } from '../src/index.ts'
import type { PgBossWakeupsOptions } from '../src/pg-boss.ts'
import type { PostgresJournalOptions } from '../src/postgres.ts'

test('options that a shop passes on may be undefined, even for a compiler that distinguishes that from absent', () => {
  type HandedOn = Pick<JournalOptions<unknown>, 'client' | 'store'> & { readonly clock: Clock | undefined }
  expectTypeOf<HandedOn>().toExtend<JournalOptions<unknown>>()
  type Optional = Omit<JournalOptions<unknown>, 'client' | 'store'>
  expectTypeOf<{ readonly [Name in keyof Optional]: undefined }>().toExtend<Optional>()
  expectTypeOf<{ readonly [Name in keyof PayOptions]-?: undefined }>().toExtend<PayOptions>()
  type OwnBoss = { connectionString: string; schema: undefined; onError: undefined; boss: undefined }
  expectTypeOf<OwnBoss>().toExtend<PgBossWakeupsOptions>()
  expectTypeOf<{ connectionString: string; pool: undefined }>().toExtend<PostgresJournalOptions>()
})
