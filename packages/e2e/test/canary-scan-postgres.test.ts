import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestServer, testServer } from '@tallystick/test-postgres'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { canaryGateway } from './support/canary-gateway.ts'
import { expectClean } from './support/expect-clean.ts'
import { madeValues } from './support/made-values.ts'
import { type Channel, MADE_IN_TEXT, scan } from './support/secret-scan.ts'
import { linesOf, postgresCells } from './support/stored-cells.ts'
import { UNTIL_DUE, wireTap } from './support/wire-tap.ts'

const home = mkdtempSync(join(tmpdir(), 'canary-postgres-'))
afterAll(() => rmSync(home, { recursive: true }))

test('[S2-04] [S5.1-02] a gateway on PostgreSQL puts no card number, no CVV and no key out', {
  timeout: 180_000,
}, async () => {
  const server = await testServer({ durable: false })
  const tap = await wireTap(server.url)
  try {
    const options = { home: join(home, 'keys'), cacheFolder: join(home, 'compiled'), store: tap.url, sandbox: true }
    const gateway = await canaryGateway(options)
    const running = await postgresCells(server.url)
    const told = await gateway.stop()
    const left = await postgresCells(server.url)
    const data = await dataFolder(server)
    await server.stop('fast')
    const innocent = [...madeValues(running), ...madeValues(left), ...MADE_IN_TEXT]
    const channels: readonly Channel[] = [
      ...told.map((channel) => ({ ...channel, innocent: [...innocent, ...(channel.innocent ?? [])] })),
      { name: 'values while it runs', bytes: linesOf(running), innocent },
      { name: 'values afterwards', bytes: linesOf(left), innocent },
      { name: 'statements', bytes: tap.sent(), innocent: [...innocent, UNTIL_DUE, new URL(server.url).password] },
    ]
    expectClean(channels, gateway.secrets)
    // The values in these files came in by the statements. In binary files four digits are chance, but longer secrets are not.
    const long = gateway.secrets.filter(({ isShort }) => isShort !== true)
    expect(scan([{ name: 'files', bytes: bytesIn(data) }], long)).toEqual([])
  } finally {
    tap.close()
    await server.close()
  }
})

async function dataFolder({ url }: TestServer): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ data_directory: string }>('SHOW data_directory')
    return rows[0]?.data_directory ?? ''
  } finally {
    await client.end()
  }
}

function bytesIn(folder: string): Buffer {
  const files = readdirSync(folder, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile())
  return Buffer.concat(files.map(({ parentPath, name }) => readFileSync(join(parentPath, name))))
}
