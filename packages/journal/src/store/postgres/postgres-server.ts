import { endedByHandler, type SqlServer } from '../session/server.ts'
import { migrate, usableSchema } from './migrate.ts'
import { statements } from './statements.ts'
import { isLostConnection, wasOvertaken } from './transaction.ts'

/**
 * For servers that are set to answer before a commit is durable, which ours must be, and for those that wait for an idle transaction
 * for ever. Both are settings of the transaction, since poolers refuse those of a connection.
 */
const SETTINGS = `select case when current_setting('synchronous_commit') = 'off'
    then set_config('synchronous_commit', 'on', true) end as path,
  case when current_setting('idle_in_transaction_session_timeout') = '0'
    then set_config('idle_in_transaction_session_timeout', $1, true) end as tables`

/** Whether the transaction in which the journal has written is still open: 1 or 0. */
const IS_OPEN = 'select (txid_current_if_assigned() is not null)::int as n'

/** Fails, and with it whatever the transaction was to do: the server rolls it back, and refuses what is sent in it later. */
const ABORT = 'select 1 / 0 as n'

export const postgresServer: SqlServer = {
  ...statements,
  isLostConnection,
  wasOvertaken,
  migrate,
  usableSchema,
  begin: async (run, idleMs) => void (await run(SETTINGS, [String(idleMs)], 'rows')),
  guard: async (run) => ({
    abort: () => run(ABORT, [], 'rows'),
    finish: async () => {
      const { rows } = await run(IS_OPEN, [], 'rows')
      if ((rows as readonly { readonly n: number }[])[0]?.n !== 1) throw endedByHandler()
    },
    release: async () => {},
  }),
}
