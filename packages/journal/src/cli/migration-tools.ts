import type { DialectName } from '@tallystick/durable/schema'
import { TABLES } from '../store/schema/migrations.ts'

/** What a migration does, as SQL without parameters. */
export interface Code {
  /** The version that the tables have afterwards. */
  readonly version: number
  readonly up: readonly string[]
  /** How it is taken back while nothing is recorded. `undefined`: it is not. */
  readonly down:
    | { readonly lock: string | undefined; readonly recorded: string; readonly drop: readonly string[] }
    | undefined
}

/** How the shop writes its modules. */
export interface Language {
  readonly extension: string
  readonly isTyped: boolean
  readonly isEsm: boolean
}

/** What else a migration depends on. */
interface Surroundings {
  /** Milliseconds since 1970. */
  readonly now: number
  readonly dialect: DialectName
  readonly language: Language
  /** The text of a file of the shop's migrations. */
  textOf(path: string): string | undefined
}

interface WrittenFile {
  /** Below the folder of the migrations. */
  readonly path: string
  readonly text: string
  /** Whether the tool has this file already, which lists its migrations. */
  readonly isReplaced?: boolean
}

interface Tool {
  /** Where it looks for migrations unless it is told otherwise. */
  readonly folder: string
  files(code: Code, surroundings: Surroundings): readonly WrittenFile[]
  /** What keeps its own comparison of database and models from the tables. */
  advice(dialect: DialectName, schema: string | undefined): string
}

const nameOf = ({ version }: Code) => `tallystick_journal_v${version}`
/** 20301231235959, in UTC. */
const stampOf = (now: number) => new Date(now).toISOString().replaceAll(/\D/g, '').slice(0, 14)
const headOf = ({ version }: Code) => `The tables of @tallystick/journal, version ${version}.`

/** A tool whose migrations are modules. */
interface ModuleTool {
  readonly folder: string
  readonly advice: Tool['advice']
  /** Without its extension. */
  file(code: Code, now: number): string
  readonly shape: (code: Code, now: number) => Shape
}

interface Shape {
  /** What it imports to run, and for its types: the names, and from where. */
  readonly imports?: readonly [string, string]
  readonly types?: readonly [string, string]
  /** The name of a class and what it extends, and what is between this and its methods. Without it there are two functions. */
  readonly inClass?: {
    readonly name: string
    readonly heritage: string
    readonly typedHeritage?: string
    readonly first?: string
    readonly isOverriding?: boolean
  }
  readonly parameter: string
  readonly type: string
  /** What begins and ends the work of a function. */
  readonly around?: readonly [readonly string[], readonly string[]]
  run(statement: string): string
  /** @param query the name of a constant */
  rows(query: string): string
}

function moduleTool({ folder, advice, file, shape }: ModuleTool): Tool {
  return {
    folder,
    advice,
    files: (code, { now, language }) => [
      { path: `${file(code, now)}.${language.extension}`, text: moduleOf(code, shape(code, now), language) },
    ],
  }
}

function moduleOf(code: Code, shape: Shape, language: Language): string {
  const { imports, types, inClass } = shape
  const { isTyped, isEsm } = language
  const methods = [
    ...functionOf('up', upOf(shape), shape, language),
    '',
    ...functionOf('down', downOf(code, shape), shape, language),
  ]
  const heritage = (isTyped ? inClass?.typedHeritage : undefined) ?? inClass?.heritage
  const named = inClass && `class ${inClass.name}${heritage ? ` ${heritage}` : ''} {`
  const lines = [
    ...(imports
      ? [isEsm ? `import { ${imports[0]} } from '${imports[1]}'` : `const { ${imports[0]} } = require('${imports[1]}')`]
      : []),
    ...(types && isTyped ? [`import type { ${types[0]} } from '${types[1]}'`] : []),
    '',
    `// ${headOf(code)}`,
    ...listOf('statements', code.up),
    ...(code.down ? ['', ...listOf('drops', code.down.drop), `const recorded = ${literal(code.down.recorded)}`] : []),
    '',
    ...(inClass
      ? [
          isEsm ? `export ${named}` : `exports.${inClass.name} = ${named}`,
          ...(inClass.first ? [`  ${inClass.first}`, ''] : []),
          ...indented(methods),
          '}',
        ]
      : methods),
  ]
  return `${lines.join('\n').trim()}\n`
}

function functionOf(
  name: string,
  body: readonly string[],
  shape: Shape,
  { isTyped, isEsm }: Language,
): readonly string[] {
  const { parameter, type, inClass, around: [before, after] = [[], []] } = shape
  const head = `${name}(${parameter}${isTyped && parameter ? `: ${type}` : ''})${isTyped ? ': Promise<void>' : ''} {`
  const start = inClass
    ? `${isTyped && inClass.isOverriding ? 'override ' : ''}async `
    : isEsm
      ? 'export async function '
      : `exports.${name} = async function `
  return [start + head, ...indented([...before, ...(after.length > 0 ? indented(body) : body), ...after]), '}']
}

function upOf({ run }: Shape): readonly string[] {
  return [`for (const statement of statements) ${run('statement')}`]
}

function downOf({ down }: Code, { run, rows }: Shape): readonly string[] {
  if (down === undefined) return [`throw new Error('${NO_WAY_BACK}')`]
  return [
    ...(down.lock === undefined ? [] : [run(literal(down.lock))]),
    `const [found] = ${rows('recorded')}`,
    `if (found) throw new Error('${RECORDED}')`,
    `for (const statement of drops) ${run('statement')}`,
  ]
}

const RECORDED = 'The tables of @tallystick/journal say what was paid: this drops them only while they are empty'
const NO_WAY_BACK = 'This step of @tallystick/journal is not taken back: its tables say what was paid'

function listOf(name: string, statements: readonly string[]): readonly string[] {
  return [`const ${name} = [`, ...statements.map((statement) => `  ${literal(statement)},`), ']']
}

function literal(text: string): string {
  return `\`${text.replaceAll(/[\\`]|\$(?=\{)/g, '\\$&')}\``
}

function indented(lines: readonly string[]): readonly string[] {
  return lines.map((line) => (line === '' ? line : `  ${line}`))
}

/** For a tool whose migrations are files of statements, without a way back. */
function sqlText(code: Code, separator: string): string {
  return `-- ${headOf(code)}\n${code.up.map((statement) => `${statement};`).join(separator)}\n`
}

const listed = TABLES.map((name) => `'${name}'`).join(', ')
const none = (what: string) => () => `${what} compares no tables: nothing else is to be set.`

const typeorm = moduleTool({
  folder: 'src/migrations',
  advice: () => 'TypeORM drops no table that it does not know: nothing else is to be set.',
  file: ({ version }, now) => `${now}-TallystickJournalV${version}`,
  shape: ({ version }, now) => {
    const name = `TallystickJournalV${version}${now}`
    return {
      types: ['MigrationInterface, QueryRunner', 'typeorm'],
      inClass: { name, heritage: '', typedHeritage: 'implements MigrationInterface', first: `name = '${name}'` },
      parameter: 'queryRunner',
      type: 'QueryRunner',
      run: (statement) => `await queryRunner.query(${statement})`,
      rows: (query) => `await queryRunner.query(${query})`,
    }
  },
})

const knex = moduleTool({
  folder: 'migrations',
  advice: none('Knex'),
  file: (code, now) => `${stampOf(now)}_${nameOf(code)}`,
  shape: () => ({
    types: ['Knex', 'knex'],
    parameter: 'knex',
    type: 'Knex',
    run: (statement) => `await knex.raw(${statement})`,
    rows: (query) => `await knex.select('found').from(knex.raw(\`(\${${query}}) as journal\`))`,
  }),
})

const kysely = moduleTool({
  folder: 'migrations',
  advice: none('Kysely'),
  file: (code, now) => `${now}_${nameOf(code)}`,
  shape: () => ({
    imports: ['sql', 'kysely'],
    types: ['Kysely', 'kysely'],
    parameter: 'db',
    type: 'Kysely<unknown>',
    run: (statement) => `await sql.raw(${statement}).execute(db)`,
    rows: (query) => `(await sql.raw(${query}).execute(db)).rows`,
  }),
})

const sequelize = moduleTool({
  folder: 'migrations',
  advice: none('Sequelize'),
  file: (code, now) => `${stampOf(now)}-${nameOf(code)}`,
  shape: () => ({
    types: ['QueryInterface', 'sequelize'],
    // As sequelize-cli calls it, and as Umzug does.
    parameter: 'given',
    type: 'QueryInterface | { context: QueryInterface }',
    around: [
      [
        "const { sequelize } = 'context' in given ? given.context : given",
        'await sequelize.transaction(async (transaction) => {',
      ],
      ['})'],
    ],
    run: (statement) => `await sequelize.query(${statement}, { transaction })`,
    rows: (query) => `(await sequelize.query(${query}, { transaction }))[0]`,
  }),
})

const mikroOrm = moduleTool({
  folder: 'migrations',
  advice: (_, schema) => {
    const setting =
      schema === undefined ? 'skipTables: [/^journal_/], ignoreRoutines: true' : `ignoreSchema: ['${schema}']`
    return `MikroORM drops what it does not know. Add to its configuration: schemaGenerator: { ${setting} }`
  },
  file: (code, now) => `Migration${stampOf(now)}_${nameOf(code)}`,
  shape: (code, now) => ({
    imports: ['Migration', '@mikro-orm/migrations'],
    inClass: { name: `Migration${stampOf(now)}_${nameOf(code)}`, heritage: 'extends Migration', isOverriding: true },
    parameter: '',
    type: '',
    run: (statement) => `await this.execute(${statement})`,
    rows: (query) => `await this.execute(${query})`,
  }),
})

const drizzle: Tool = {
  folder: 'drizzle',
  advice: (dialect, schema) =>
    dialect === 'postgresql' && schema !== undefined
      ? `drizzle-kit push leaves the schema ${schema} alone as long as schemaFilter does not name it.`
      : "drizzle-kit push drops tables that it does not know. Add to drizzle.config.ts: tablesFilter: ['!journal_*']",
  files: (code, { now, dialect, textOf }) => {
    const list = 'meta/_journal.json'
    const known = textOf(list)
    const { entries, ...head } = (
      known === undefined ? { version: '7', dialect, entries: [] } : JSON.parse(known)
    ) as DrizzleList
    const last = entries.at(-1)
    const idx = (last?.idx ?? -1) + 1
    const tag = `${String(idx).padStart(4, '0')}_${nameOf(code)}`
    // Drizzle runs what is later than the last one that it has run.
    const when = Math.max(now, (last?.when ?? 0) + 1)
    const entry = { idx, version: DRIZZLE_VERSIONS[dialect] ?? '7', when, tag, breakpoints: true }
    const text = JSON.stringify({ ...head, entries: [...entries, entry] }, undefined, 2)
    return [
      { path: `${tag}.sql`, text: sqlText(code, '\n--> statement-breakpoint\n') },
      { path: list, text, isReplaced: true },
    ]
  },
}

/** What drizzle-kit calls the form of its files. */
const DRIZZLE_VERSIONS: Readonly<Record<string, string>> = { postgresql: '7', sqlite: '6', mysql: '5' }

/** The list of migrations that drizzle-kit keeps. */
interface DrizzleList {
  readonly entries: readonly { readonly idx: number; readonly when: number }[]
}

const prisma: Tool = {
  folder: 'prisma/migrations',
  advice: (dialect, schema) => {
    if (schema !== undefined)
      return `Prisma leaves the schema ${schema} alone as long as its datasource does not name it.`
    const external = dialect === 'postgresql' ? listed.replaceAll("'journal", "'public.journal") : listed
    return [
      'Prisma drops tables that it does not know. Add to prisma.config.ts:',
      '  experimental: { externalTables: true },',
      `  tables: { external: [${external}] },`,
    ].join('\n')
  },
  files: (code, { now }) => [{ path: `${stampOf(now)}_${nameOf(code)}/migration.sql`, text: sqlText(code, '\n\n') }],
}

/** The tools whose migrations the command writes. */
export const TOOLS = { prisma, typeorm, knex, drizzle, 'mikro-orm': mikroOrm, sequelize, kysely } as const

export type ToolName = keyof typeof TOOLS
