import { parseArgs } from 'node:util'

export const HELP = `tallystick-journal: the tables and the open ends of a shop's journal

Usage
  tallystick-journal migrate (--file shop.db | --store postgres://...) [--anew]
  tallystick-journal report (--file shop.db | --store postgres://...) [--json]
  tallystick-journal sql [--dialect sqlite|postgresql]

Commands
  migrate            makes the tables, or brings them to the newest version
  report             shows what is open: unknown, in review, differing amounts, suspected double charges
  sql                prints the tables as plain SQL, for a shop that creates them itself

Options
  --file FILE        the SQLite database
  --store URL        the PostgreSQL database: postgres://user@host/database
  --schema NAME      the schema of its tables; default: by the search_path
  --anew             makes the tables even if they were there and are gone
  --json             the report as JSON
  --dialect NAME     sqlite (default) or postgresql
  --help             this text
`

/** Where the journal is. */
export type Place =
  | { readonly dialect: 'sqlite'; readonly file: string }
  | { readonly dialect: 'postgresql'; readonly url: URL; readonly schema?: string | undefined }

export type Command =
  | { readonly name: 'help' }
  | { readonly name: 'migrate'; readonly place: Place; readonly isAnew: boolean }
  | { readonly name: 'report'; readonly place: Place; readonly isJson: boolean }
  | { readonly name: 'sql'; readonly dialect: 'sqlite' | 'postgresql' }

/** The command line is wrong. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

const OPTIONS = {
  file: { type: 'string' },
  store: { type: 'string' },
  schema: { type: 'string' },
  anew: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  dialect: { type: 'string', default: 'sqlite' },
  help: { type: 'boolean', short: 'h', default: false },
} as const

/** @throws UsageError that says what is wrong with the command line */
export function readArguments(args: readonly string[]): Command {
  const { values, positionals } = parsed(args)
  if (values.help) return { name: 'help' }
  const [name, ...others] = positionals
  if (others.length > 0) throw new UsageError(`${others.join(' ')} is not understood; see --help`)
  switch (name) {
    case 'migrate':
      return { name, place: placeOf(values), isAnew: values.anew }
    case 'report':
      return { name, place: placeOf(values), isJson: values.json }
    case 'sql':
      return { name, dialect: dialectOf(values.dialect) }
    case undefined:
      throw new UsageError('a command is missing; see --help')
    default:
      throw new UsageError(`there is no command ${name}; see --help`)
  }
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true })
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(error.message)
    throw error
  }
}

interface Named {
  readonly file?: string
  readonly store?: string
  readonly schema?: string
}

function placeOf({ file, store, schema }: Named): Place {
  if (file !== undefined && store !== undefined) throw new UsageError('--file and --store exclude each other')
  if (store !== undefined) return { dialect: 'postgresql', url: urlOf(store), schema }
  if (schema !== undefined) throw new UsageError('--schema is for --store: a SQLite file has no schemas')
  if (file !== undefined && file !== '') return { dialect: 'sqlite', file }
  throw new UsageError('--file or --store is missing: the SQLite database, or the address of the PostgreSQL one')
}

/** The address may hold a password: no message shows it. */
function urlOf(text: string): URL {
  const url = URL.parse(text)
  if (url?.protocol === 'postgres:' || url?.protocol === 'postgresql:') return url
  throw new UsageError('--store must be an address such as postgres://user@host/database')
}

function dialectOf(dialect: string): 'sqlite' | 'postgresql' {
  if (dialect === 'sqlite' || dialect === 'postgresql') return dialect
  throw new UsageError(`--dialect must be sqlite or postgresql, not ${dialect}`)
}
