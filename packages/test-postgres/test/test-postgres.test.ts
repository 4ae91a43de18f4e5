import { testDatabase, testServer } from '@tallystick/test-postgres'
import pg from 'pg'
import { expect, test } from 'vitest'

async function ask(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

test('databases are separate, and gone when they are closed', async () => {
  const [first, second] = await Promise.all([testDatabase(), testDatabase()])
  await ask(first.url, 'CREATE TABLE one (id int)')
  await expect(ask(second.url, 'SELECT * FROM one')).rejects.toThrow('does not exist')
  await Promise.all([first.close(), second.close()])
  await expect(ask(first.url, 'SELECT 1')).rejects.toThrow('does not exist')
})

test('committed rows survive a stop with immediate', async () => {
  const server = await testServer()
  try {
    await ask(server.url, 'CREATE TABLE kept AS SELECT 42 AS answer')
    await server.stop('immediate')
    await expect(ask(server.url, 'SELECT 1')).rejects.toThrow('ECONNREFUSED')
    await server.start()
    expect(await ask(server.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }])
  } finally {
    await server.close()
  }
})
