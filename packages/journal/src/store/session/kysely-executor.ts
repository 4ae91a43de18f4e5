/** What runs a compiled query in any version of Kysely. */
export interface KyselyExecutor {
  executeQuery(query: never): Promise<{ readonly rows: readonly unknown[]; readonly numAffectedRows?: bigint }>
  getExecutor(): { readonly adapter: Adapter }
}

interface Adapter {
  readonly supportsReturning?: boolean
  readonly supportsTransactionalDdl?: boolean
}
