import type { JournalStore } from '@tallystick/client/ports'
import type { ReportedStore } from '../outcomes/report.ts'
import type { InSchema } from '../store/session/in-schema.ts'
import type { Place, Sought } from '../store/session/server.ts'

/** What the command does with a store, whatever its transactions are. */
export type OpenedStore = ReportedStore &
  Pick<JournalStore, 'named' | 'find' | 'update' | 'ofOrder' | 'attemptsOf' | 'close'>

/** What the command does with a server. */
export interface Server {
  migrateDatabase(url: string, place: Place): Promise<number>
  journalIn(url: string, place: Place): Promise<Sought>
  openStore(url: string, place: InSchema): OpenedStore
}
