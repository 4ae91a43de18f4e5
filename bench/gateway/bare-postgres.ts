import pg from 'pg'
import type { Statement } from '../../packages/gateway/src/store/postgres/statement.ts'

/** A program that only sends recorded statements, one after the other, through `pg` with its defaults. */
export async function bareProgram(connectionString: string, schema: string) {
  const client = new pg.Client({ connectionString })
  // After a failure the server may end before this client.
  client.on('error', () => {})
  await client.connect()
  return {
    /** @param statements the statements, recorded in the schema `recorded` */
    run: async (statements: readonly Statement[]) => {
      for (const { name, text, values } of statements) {
        const here = text.replaceAll('recorded.', `${schema}.`)
        await client.query({ ...(name === undefined ? {} : { name }), text: here, values: [...(values ?? [])] })
      }
    },
    close: () => client.end(),
  }
}
