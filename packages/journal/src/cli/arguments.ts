import { parseArgs } from 'node:util'
import { suggestName } from '@tallystick/core/internal'
import type { DialectName } from '@tallystick/durable/schema'
import type { ReviewDecision } from '../reconcile/review.ts'
import { queries } from '../store/schema/tables.ts'
import { SCHEMA } from '../store/session/in-schema.ts'
import { TOOLS, type ToolName } from './migration-tools.ts'

/** Names the database, so that a password in it need not stand in the command line, where other users of the machine see it. */
export const STORE_VARIABLE = 'TALLYSTICK_JOURNAL_STORE'

export const HELP = `tallystick-journal: the tables and the open ends of a shop's journal

Usage
  tallystick-journal migrate [--file shop.db | --store URL] [--anew]
  tallystick-journal report [--file shop.db | --store URL] [--json]
  tallystick-journal show NAME [--file shop.db | --store URL] [--json]
  tallystick-journal settle NAME (--as DECISION | --reference ID) --by WHO --because WHY [--yes]
                     [--file shop.db | --store URL] [--json]
  tallystick-journal sql [--dialect sqlite|postgresql|mysql]
  tallystick-journal migration --for TOOL --dialect sqlite|postgresql|mysql [--schema NAME] [--out FOLDER]
                     [--from VERSION]

Commands
  migrate            makes the tables, or brings them to the newest version
  report             shows what is open: unknown, in review, differing amounts, suspected double charges
  show               shows a payment: its attempts, what was seen of them, and whether the handler had the outcome.
                     NAME is the business key ('invoice 77'), the client order id, the gateway's order id, the
                     intent id or the reference of a stored card
  settle             writes what a person has decided about a payment in review; the running shop delivers the outcome
  sql                prints the tables as plain SQL, for a shop that creates them itself
  migration          writes a migration of the shop's own tool that makes the tables: prisma, typeorm, knex, drizzle,
                     mikro-orm, sequelize or kysely. It says what keeps the tool from dropping them later

Decisions
  take-status        what the status showed last is the outcome, although it differs
  nothing-charged    nothing was charged: the next attempt may be made
  ask-again          the shop asks for the status again
  --reference ID     the card or the schedule is at the gateway, which shows this id for it

Options
  --file FILE        the SQLite database; the shop may be running
  --store URL        the database: postgres://user@host/database, or mysql://user@host/database of MySQL or MariaDB;
                     default: the variable ${STORE_VARIABLE}, which does not show a password to other users of
                     this machine
  --schema NAME      the schema of its tables; default: by the search_path; of MySQL, the database of the address
  --anew             makes the tables even if they were there and are gone
  --by WHO           who decides: stays in the evidence
  --because WHY      why: what the gateway shows, or who said so; stays in the evidence
  --yes              decides without asking; needed where nobody can be asked
  --json             the result as JSON
  --dialect NAME     sqlite, postgresql, or mysql for MySQL and MariaDB; default of \`sql\`: sqlite
  --for TOOL         the tool whose migration is written
  --out FOLDER       the folder of its migrations; default: where the tool looks for them
  --from VERSION     the version that the tables have: only the later steps are written; default: by the migrations that
                     the folder has
  --help             this text

Exit codes: 0 if it did what it was asked for; 1 if not, such as for a name that is not known or a decision that cannot be
made; 2 for a wrong command line.
`

/** Where the journal is. */
export type Place =
  | { readonly dialect: 'sqlite'; readonly file: string }
  | { readonly dialect: 'postgresql' | 'mysql'; readonly url: URL; readonly schema?: string | undefined }

export type Command =
  | { readonly name: 'help' }
  | { readonly name: 'migrate'; readonly place: Place; readonly isAnew: boolean }
  | { readonly name: 'report'; readonly place: Place; readonly isJson: boolean }
  | { readonly name: 'show'; readonly place: Place; readonly called: string; readonly isJson: boolean }
  | Settling
  | { readonly name: 'sql'; readonly dialect: DialectName }
  | MigrationRequest

/** A migration of the shop's own tool. */
export interface MigrationRequest {
  readonly name: 'migration'
  readonly tool: ToolName
  readonly dialect: DialectName
  /** Of PostgreSQL. `undefined`: by the `search_path` of the connection. */
  readonly schema: string | undefined
  /** The folder of the shop's migrations. `undefined`: where the tool looks for them. */
  readonly out: string | undefined
  /** The version that the tables have. `undefined`: by the migrations that are there. */
  readonly from: number | undefined
}

/** What somebody has decided about a payment in review. */
export interface Settling {
  readonly name: 'settle'
  readonly place: Place
  readonly called: string
  readonly decision: ReviewDecision
  readonly by: string
  readonly because: string
  /** Whether it is decided without asking. */
  readonly isConfirmed: boolean
  readonly isJson: boolean
}

/** The command line is wrong. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

const OPTIONS = {
  file: { type: 'string' },
  store: { type: 'string' },
  schema: { type: 'string' },
  anew: { type: 'boolean', default: false },
  as: { type: 'string' },
  reference: { type: 'string' },
  by: { type: 'string' },
  because: { type: 'string' },
  yes: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  dialect: { type: 'string' },
  for: { type: 'string' },
  out: { type: 'string' },
  from: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
} as const

/**
 * @param environment for {@link STORE_VARIABLE}
 * @throws UsageError that says what is wrong with the command line
 */
export function readArguments(args: readonly string[], environment: NodeJS.ProcessEnv = {}): Command {
  const { values, positionals } = parsed(args)
  if (values.help) return { name: 'help' }
  const [name, ...others] = positionals
  if (name === undefined) throw new UsageError('a command is missing; see --help')
  if (!isCommand(name)) throw new UsageError(`there is no command ${name}: ${suggestName(name, NAMES)}`)
  const place = () => placeOf(values, environment[STORE_VARIABLE])
  if (name === 'show') return { name, called: calledOf(name, others), place: place(), isJson: values.json }
  if (name === 'settle') return { name, called: calledOf(name, others), ...settlingOf(values), place: place() }
  if (others.length > 0) throw new UsageError(`${others.join(' ')} is not understood; see --help`)
  switch (name) {
    case 'migrate':
      return { name, place: place(), isAnew: values.anew }
    case 'report':
      return { name, place: place(), isJson: values.json }
    case 'sql':
      return { name, dialect: dialectOf(values.dialect ?? 'sqlite') }
    case 'migration':
      return { name, ...migrationOf(values) }
  }
}

const NAMES = ['migrate', 'report', 'show', 'settle', 'sql', 'migration'] as const

function isCommand(name: string): name is (typeof NAMES)[number] {
  return NAMES.some((each) => each === name)
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true })
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(error.message)
    throw error
  }
}

/** Without quotes the shell makes two words of `invoice 77`. */
function calledOf(command: string, [called, ...others]: readonly string[]): string {
  if (called === undefined || called === '') {
    throw new UsageError(`${command} needs a name, such as 'invoice 77' or an order id; \`report\` lists what is open`)
  }
  if (others.length === 0) return called
  throw new UsageError(`${command} takes one name: '${[called, ...others].join(' ')}' needs quotes`)
}

const DECISIONS = ['take-status', 'nothing-charged', 'ask-again'] as const
/** The evidence keeps 500 characters of an entry. */
const MOST_CHARACTERS = { by: 80, because: 300 }

function settlingOf(values: ReturnType<typeof parsed>['values']) {
  const decision = decisionOf(values)
  const [by, because] = (['by', 'because'] as const).map((name) => {
    const text = values[name]?.trim() ?? ''
    if (text === '') throw new UsageError(`settle needs --by WHO and --because WHY: --${name} is missing`)
    if (text.length <= MOST_CHARACTERS[name]) return text
    throw new UsageError(`--${name} has ${text.length} characters: shorten it to ${MOST_CHARACTERS[name]}`)
  }) as [string, string]
  return { decision, by, because, isConfirmed: values.yes, isJson: values.json }
}

function decisionOf({ as: word, reference }: { readonly as?: string; readonly reference?: string }): ReviewDecision {
  if (word !== undefined && reference !== undefined) throw new UsageError('--as and --reference exclude each other')
  if (reference !== undefined && reference.trim() !== '') return { reference: reference.trim() }
  const known = DECISIONS.find((one) => one === word)
  if (known !== undefined) return known
  throw new UsageError(
    `settle needs --as ${DECISIONS.join(', --as ')}, or --reference ID: \`show\` says which is possible`,
  )
}

interface Named {
  readonly file?: string
  readonly store?: string
  readonly schema?: string
}

function placeOf({ file, store: given, schema }: Named, variable: string | undefined): Place {
  if (file !== undefined && given !== undefined) throw new UsageError('--file and --store exclude each other')
  const store = given ?? (file === undefined && variable !== '' ? variable : undefined)
  if (store !== undefined) return { ...addressOf(store), schema }
  if (schema !== undefined) throw new UsageError('--schema is for --store: a SQLite file has no schemas')
  if (file !== undefined && file !== '') return { dialect: 'sqlite', file }
  throw new UsageError('--file or --store is missing: the SQLite database, or the address of another one')
}

const SCHEMES = {
  'postgres:': 'postgresql',
  'postgresql:': 'postgresql',
  'mysql:': 'mysql',
  'mariadb:': 'mysql',
} as const

/** The address may hold a password: no message shows it. */
function addressOf(text: string): { readonly dialect: 'postgresql' | 'mysql'; readonly url: URL } {
  const url = URL.parse(text)
  const dialect = (SCHEMES as Readonly<Record<string, 'postgresql' | 'mysql'>>)[url?.protocol ?? '']
  if (url !== null && dialect !== undefined) return { dialect, url }
  throw new UsageError(
    `--store (or ${STORE_VARIABLE}) must be an address such as postgres://user@host/database or mysql://user@host/database`,
  )
}

function migrationOf({ for: given, dialect: named, schema, out, from }: ReturnType<typeof parsed>['values']) {
  const tool = TOOL_NAMES.find((one) => one === given)
  if (tool === undefined) throw new UsageError(`migration needs --for ${TOOL_NAMES.join(', --for ')}`)
  if (named === undefined) throw new UsageError(`migration needs --dialect ${DIALECTS.join(' or --dialect ')}`)
  const dialect = dialectOf(named)
  if (schema !== undefined && dialect !== 'postgresql') throw new UsageError('--schema is for --dialect postgresql')
  if (schema !== undefined && !SCHEMA.isRight(schema)) throw new UsageError(`--schema must be ${SCHEMA.wanted}`)
  if (from !== undefined && !/^\d{1,4}$/.test(from)) throw new UsageError('--from must be a version, such as 1')
  return { tool, dialect, schema, out, from: from === undefined ? undefined : Number(from) }
}

const TOOL_NAMES = Object.keys(TOOLS) as readonly ToolName[]
const DIALECTS = Object.keys(queries) as readonly DialectName[]

function dialectOf(dialect: string): DialectName {
  const known = DIALECTS.find((one) => one === dialect)
  if (known !== undefined) return known
  throw new UsageError(`--dialect must be ${DIALECTS.join(' or ')}, not ${dialect}`)
}
