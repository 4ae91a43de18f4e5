/**
 * Loads what speaks to PostgreSQL only for a command that needs it: a shop with a SQLite file needs no `pg`.
 *
 * @throws Error that says what to install if that is missing
 */
export async function withPostgres<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load()
  } catch (error) {
    throw isMissing(error) ? new Error('PostgreSQL needs a package that is not there: npm install pg') : error
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'
}
