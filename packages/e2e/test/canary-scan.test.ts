import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, test } from 'vitest'
import { canaryGateway } from './support/canary-gateway.ts'
import { expectClean } from './support/expect-clean.ts'
import { type FileRead, fileChannels, readNow } from './support/file-channels.ts'
import { madeValues } from './support/made-values.ts'
import { type Channel, LOCAL_PORT } from './support/secret-scan.ts'
import { linesOf, sqliteCells } from './support/stored-cells.ts'

const folder = mkdtempSync(join(tmpdir(), 'canary-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe.each([{ sandbox: true }, { sandbox: false }])('a gateway process, sandbox $sandbox', ({ sandbox }) => {
  test('[S2-04] [S5.1-02] puts no card number, no CVV and no key out', { timeout: 120_000 }, async () => {
    const home = join(folder, String(sandbox))
    const data = join(home, 'data')
    const file = join(data, 'gateway.db')
    mkdirSync(data, { recursive: true })
    const options = { home: join(home, 'keys'), cacheFolder: join(folder, 'compiled'), store: file, sandbox }
    const gateway = await canaryGateway(options)
    const [running, valuesRunning] = [filesIn(data, 'while it runs'), valuesIn(file, 'while it runs')]
    const told = await gateway.stop()
    const [left, valuesLeft] = [filesIn(data, 'afterwards'), valuesIn(file, 'afterwards')]
    const innocent = [...valuesLeft.innocent, ...valuesRunning.innocent, gateway.processId]
    const files = fileChannels([...running, ...left]).map((channel) => ({ ...channel, innocent }))
    const texts = told.map((channel) => ({ ...channel, innocent: [...innocent, ...(channel.innocent ?? [])] }))
    expectClean([...texts, ...files, valuesRunning, valuesLeft], gateway.secrets)
  })
})

/** Every file in the folder of the database, with its content. */
function filesIn(data: string, when: string): readonly FileRead[] {
  return readdirSync(data)
    .toSorted()
    .map((name) => readNow(join(data, name), when))
}

function valuesIn(file: string, when: string): Channel & Required<Pick<Channel, 'innocent'>> {
  const cells = sqliteCells(file)
  return { name: `values ${when}`, bytes: linesOf(cells), innocent: [...madeValues(cells), LOCAL_PORT] }
}
