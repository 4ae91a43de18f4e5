import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import type { DialectName, Migration } from '@tallystick/durable/schema'
import { MARKER, MIGRATIONS, statementsOf, TABLES } from '../store/schema/migrations.ts'
import { type MigrationRequest, UsageError } from './arguments.ts'
import { type Code, type Language, TOOLS } from './migration-tools.ts'

/** Where the command is run, and when. */
export interface Workplace {
  readonly folder: string
  /** Milliseconds since 1970. */
  readonly now: number
}

/**
 * Writes a migration of the shop's own tool that makes the journal's tables. Gives the paths of its files, and what keeps the tool
 * from comparing them with the shop's models.
 *
 * @throws Error if the folder has this migration already
 */
export function writeMigration(
  { tool, dialect, schema, out, from: given }: MigrationRequest,
  { folder, now }: Workplace,
  migrations: readonly Migration[] = MIGRATIONS,
): string {
  const { folder: usual, files: filesOf, advice } = TOOLS[tool]
  const shown = out ?? usual
  const place = join(folder, shown)
  const isThere = existsSync(place)
  if (out === undefined && !isThere) {
    throw new UsageError(`there is no folder ${shown}: name the one of your migrations by --out`)
  }
  const present = isThere ? readdirSync(place) : []
  const [from, to] = [given ?? Math.max(0, ...present.map(versionIn)), migrations.length]
  const same = present.find((name) => versionIn(name) === to)
  if (same !== undefined) throw new Error(`${join(shown, same)} is there already; ${to} is the newest version`)
  if (from >= to) throw new UsageError(`there are no steps after version ${from}: ${to} is the newest`)
  const code = codeOf(migrations.slice(from), dialect, schema)
  const files = filesOf(code, {
    now,
    dialect,
    language: languageOf(folder, present),
    textOf: (path) => (existsSync(join(place, path)) ? readFileSync(join(place, path), 'utf8') : undefined),
  })
  for (const { path, text, isReplaced } of files) {
    mkdirSync(dirname(join(place, path)), { recursive: true })
    writeFileSync(join(place, path), text, { flag: isReplaced ? 'w' : 'wx' })
  }
  return [...files.map(({ path }) => join(shown, path)), '', advice(dialect, schema), ''].join('\n')
}

/** The version up to which a file of ours makes the tables; 0 for any other. */
function versionIn(name: string): number {
  return Number(/tallystick_?journal_?v(\d+)/i.exec(name)?.[1] ?? 0)
}

function codeOf(steps: readonly Migration[], dialect: DialectName, schema: string | undefined): Code {
  const places = new RegExp(`"(?:${[...TABLES, MARKER].join('|')})"`, 'g')
  const within = (statement: string) =>
    schema === undefined ? statement : statement.replaceAll(places, (name) => `${quoted(schema)}.${name}`)
  const version = steps.at(-1)?.version ?? 0
  const statements = steps.flatMap((step) => statementsOf(step, dialect)).map(within)
  return {
    version,
    up: schema === undefined ? statements : inOwnSchema(statements, schema, version),
    down: steps[0]?.version === 1 ? droppingOf(dialect, within) : undefined,
  }
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

/**
 * What resets a development database, such as `prisma migrate reset`, knows nothing of the schema: the tables are there when the
 * migration runs the next time.
 */
function inOwnSchema(statements: readonly string[], schema: string, version: number): readonly string[] {
  const isRepeatable = (statement: string) => statement.startsWith('create table if not exists')
  const table = `${quoted(schema)}."journal_version"`
  const once = [
    'do $journal$ begin',
    `if exists (select from ${table} where version >= ${version}) then return; end if;`,
    ...statements.filter((statement) => !isRepeatable(statement)).map((statement) => `${statement};`),
    'end $journal$',
  ]
  return [`create schema if not exists ${quoted(schema)}`, ...statements.filter(isRepeatable), once.join('\n')]
}

const RECORDING = ['journal_intents', 'journal_orphan_orders'] as const
const QUOTES: Readonly<Record<string, string>> = { mysql: '`' }
/** What the marker is, where it is one of the schema's. */
const MARKERS: Readonly<Record<string, string>> = { postgresql: 'function', mysql: 'procedure' }

function droppingOf(dialect: DialectName, within: (statement: string) => string): Code['down'] {
  const quote = QUOTES[dialect] ?? '"'
  const named = (name: string) => within(`${quote}${name}${quote}`)
  const recording = RECORDING.map(named)
  const marker = MARKERS[dialect]
  return {
    // So that no process writes a payment between the look and the drop.
    lock: dialect === 'postgresql' ? `lock table ${recording.join(', ')}` : undefined,
    recorded: `${recording.map((table) => `select 1 as found from ${table}`).join(' union all ')} limit 1`,
    drop: [
      ...TABLES.map((name) => `drop table ${named(name)}`),
      ...(marker === undefined ? [] : [`drop ${marker} if exists ${named(MARKER)}`]),
    ],
  }
}

/** As the newest of the shop's migrations, or as its project says. */
function languageOf(folder: string, present: readonly string[]): Language {
  const ofFile = (name: string | undefined) => LANGUAGES.find((one) => `.${one}` === extname(name ?? ''))
  const isModule = () => {
    const manifest = join(folder, 'package.json')
    return existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).type === 'module'
  }
  const newest = present.filter((name) => ofFile(name) && !name.endsWith('.d.ts')).sort()
  const extension = ofFile(newest.at(-1)) ?? (existsSync(join(folder, 'tsconfig.json')) ? 'ts' : 'js')
  const isTyped = /^[mc]?ts$/.test(extension)
  return { extension, isTyped, isEsm: isTyped || extension === 'mjs' || (extension === 'js' && isModule()) }
}

const LANGUAGES = ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs'] as const
