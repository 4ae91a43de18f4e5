/** The journal of a shop, where the runtime has a store for it. */
import type { PaymentClient } from '@tallystick/client'
import { createJournal, memoryJournalStore, sqliteJournalStore } from '@tallystick/journal'

export type JournalKind = 'none' | 'memory' | 'sqlite'

interface JournalParts {
  readonly client: PaymentClient
  readonly file: string
  readonly done: string[]
}

export function openJournal(kind: JournalKind, { client, file, done }: JournalParts) {
  if (kind === 'none') return undefined
  const store = kind === 'memory' ? memoryJournalStore() : sqliteJournalStore({ file })
  return createJournal({
    client,
    store: store as ReturnType<typeof memoryJournalStore>,
    handler: ({ outcome }) => void done.push(outcome.kind),
    onNotice: 'ignore',
  })
}
