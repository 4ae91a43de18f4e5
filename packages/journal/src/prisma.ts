import type { JournalStore } from '@tallystick/client/ports'
import type { InSchema } from './store/session/in-schema.ts'
import { dialectOf, sessionJournalStore } from './store/session/session-journal-store.ts'

interface RawStatements {
  $queryRawUnsafe(query: string, ...values: unknown[]): Promise<unknown>
  $executeRawUnsafe(query: string, ...values: unknown[]): Promise<number>
}

/** The part of a generated `PrismaClient` that the journal uses. */
interface PrismaClient<Transaction> extends RawStatements {
  /** Not in its types. */
  readonly _activeProvider?: string
  $transaction<Result>(
    work: (transaction: Transaction) => Promise<Result>,
    options?: { readonly maxWait?: number; readonly timeout?: number; readonly isolationLevel?: 'ReadCommitted' },
  ): Promise<Result>
}

/** Options of a journal on Prisma. */
export interface PrismaJournalOptions extends InSchema {
  /** The `max` of its adapter's pool, which Prisma does not show. Default: not known, and two handlers run at once. */
  readonly connections?: number | undefined
}

/**
 * A journal in the PostgreSQL or MySQL database of the shop's Prisma. Its handler gets the `tx` of an interactive transaction. The shop
 * disconnects its client after it has closed the journal.
 *
 * @throws TypeError for a wrong option
 */
export function prismaJournalStore<Transaction extends RawStatements>(
  prisma: PrismaClient<Transaction>,
  { connections, ...options }: PrismaJournalOptions = {},
): JournalStore<Transaction> {
  return sessionJournalStore<Transaction>(
    {
      caller: 'prismaJournalStore',
      dialect: dialectOf('prismaJournalStore', prisma._activeProvider),
      connections,
      run: async (text, values, transaction, wants) => {
        const client = transaction ?? prisma
        if (wants === 'count') return { changed: await client.$executeRawUnsafe(text, ...values) }
        return { rows: (await client.$queryRawUnsafe(text, ...values)) as object[] }
      },
      transaction: (work, limitMs) =>
        prisma.$transaction(work, { isolationLevel: 'ReadCommitted', timeout: limitMs, maxWait: MOST_WAIT_MS }),
    },
    options,
  )
}

/** For a connection of its pool. */
const MOST_WAIT_MS = 10_000
