import pg from 'pg'
import type { Statement } from '../../packages/gateway/src/store/postgres/statement.ts'

/** A program that does nothing but send recorded statements, one after the other, as `pg` is used by default. */
export async function bareProgram(connectionString: string, schema: string) {
  const client = new pg.Client({ connectionString })
  // The server may be gone before it, when something failed.
  client.on('error', () => {})
  await client.connect()
  return {
    /** @param statements those of the schema `recorded` */
    run: async (statements: readonly Statement[]) => {
      for (const { name, text, values } of statements) {
        const here = text.replaceAll('recorded.', `${schema}.`)
        await client.query({ ...(name === undefined ? {} : { name }), text: here, values: [...(values ?? [])] })
      }
    },
    close: () => client.end(),
  }
}
