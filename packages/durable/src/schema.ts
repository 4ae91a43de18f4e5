import {
  type CompiledQuery,
  type CreateTableBuilder,
  DummyDriver,
  Kysely,
  MysqlAdapter,
  MysqlIntrospector,
  MysqlQueryCompiler,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely'

/** MySQL's is that of MariaDB as well. Only the journal has it. */
export type DialectName = 'sqlite' | 'postgresql' | 'mysql'

/** Kysely as a compiler for each database: it runs no statement. The stores run them, in transactions of their own. */
export function compilers<Tables>(): Readonly<Record<DialectName, Kysely<Tables>>> {
  return {
    sqlite: new Kysely<Tables>({
      dialect: {
        createDriver: () => new DummyDriver(),
        createAdapter: () => new SqliteAdapter(),
        createQueryCompiler: () => new SqliteQueryCompiler(),
        createIntrospector: (database) => new SqliteIntrospector(database),
      },
    }),
    postgresql: new Kysely<Tables>({
      dialect: {
        createDriver: () => new DummyDriver(),
        createAdapter: () => new PostgresAdapter(),
        createQueryCompiler: () => new PostgresQueryCompiler(),
        createIntrospector: (database) => new PostgresIntrospector(database),
      },
    }),
    mysql: new Kysely<Tables>({
      dialect: {
        createDriver: () => new DummyDriver(),
        createAdapter: () => new MysqlAdapter(),
        createQueryCompiler: () => new MysqlQueryCompiler(),
        createIntrospector: (database) => new MysqlIntrospector(database),
      },
    }),
  }
}

/** One step of a schema, written once for all databases. A released step is never changed: a later change is another step. */
export interface Migration {
  /** Its place among all steps, from 1. */
  readonly version: number
  readonly name: string
  /**
   * The earliest version whose processes can work on the tables after this step. Steps that only add do not raise it, so that old and
   * new processes run side by side while they are replaced one after the other.
   */
  readonly worksWith: number
  /** @param schema of PostgreSQL, if the statements are to name it */
  readonly statements: (dialect: DialectName, schema?: string) => readonly CompiledQuery[]
}

/** The version of tables that exist, and the earliest version of a process that can work on them. */
export interface PresentVersion {
  readonly version: number
  readonly worksWith: number
}

/** There are no tables yet. */
export const NO_VERSION: PresentVersion = { version: 0, worksWith: 0 }

/** The type of whole numbers that can hold a time. */
export function wholeOf(dialect: DialectName): 'integer' | 'bigint' {
  return dialect === 'sqlite' ? 'integer' : 'bigint'
}

/**
 * What a table needs to be strict. SQLite checks types only in strict tables. MySQL has engines without transactions, and collations
 * that call two texts equal: by case, by accents, by blanks at their end. MySQL and MariaDB call the collation that does not
 * differently, and each reads its own kind of comment.
 */
const STRICT = {
  sqlite: sql`strict`,
  mysql: sql`engine = InnoDB default character set utf8mb4 collate /*!80017 utf8mb4_0900_bin */ /*M!100200 utf8mb4_nopad_bin */`,
}

export function strict<Table extends string, Column extends string>(
  table: CreateTableBuilder<Table, Column>,
  dialect: DialectName,
) {
  return dialect === 'postgresql' ? table : table.modifyEnd(STRICT[dialect])
}

/** The table of the steps that were taken. */
export interface VersionTable {
  version: number
  name: string
  works_with: number
  /** Milliseconds since 1970. */
  made_at: number
}

/** Where it is. */
export interface VersionTablePlace {
  readonly dialect: DialectName
  readonly table: string
  /** As for a migration. */
  readonly schema?: string | undefined
}

const queries = compilers<Readonly<Record<string, VersionTable>>>()

function queriesIn({ dialect, schema }: VersionTablePlace) {
  return schema === undefined ? queries[dialect] : queries[dialect].withSchema(schema)
}

export function createVersionTable(place: VersionTablePlace): CompiledQuery {
  const table = queriesIn(place)
    .schema.createTable(place.table)
    .ifNotExists()
    .addColumn('version', 'integer', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('works_with', 'integer', (column) => column.notNull())
    .addColumn('made_at', wholeOf(place.dialect), (column) => column.notNull())
  return strict(table, place.dialect).compile()
}

/** By the database's clock, so that tables made by hand have it as well. */
const NOW_MS = {
  sqlite: sql<number>`cast(strftime('%s', 'now') as integer) * 1000`,
  postgresql: sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`,
  // Not `unix_timestamp`, which reads the local hour that daylight saving time repeats.
  mysql: sql<number>`timestampdiff(microsecond, '1970-01-01', utc_timestamp(3)) div 1000`,
}

/** Notes that a step was taken. */
export function noteOf({ version, name, worksWith }: Migration, place: VersionTablePlace): CompiledQuery {
  const values = { version, name, works_with: worksWith, made_at: NOW_MS[place.dialect] }
  return queriesIn(place).insertInto(place.table).values(values).compile()
}

/** The newest step: its one row is for `presentVersionOf`. */
export function newestStep(place: VersionTablePlace): CompiledQuery<Pick<VersionTable, 'version' | 'works_with'>> {
  return queriesIn(place)
    .selectFrom(place.table)
    .select(['version', 'works_with'])
    .orderBy('version', 'desc')
    .limit(1)
    .compile()
}

/** Drivers give whole numbers as numbers, as `bigint` or as texts. */
export function presentVersionOf(row: Readonly<Record<string, unknown>> | undefined): PresentVersion {
  return row === undefined ? NO_VERSION : { version: Number(row['version']), worksWith: Number(row['works_with']) }
}

/** What each step that was not taken yet does, with its note. The statements of one step go to the database together. */
export function stepsAfter(
  { version }: PresentVersion,
  migrations: readonly Migration[],
  place: VersionTablePlace,
): readonly (readonly CompiledQuery[])[] {
  return migrations.slice(version).map((step) => [...step.statements(place.dialect, place.schema), noteOf(step, place)])
}
