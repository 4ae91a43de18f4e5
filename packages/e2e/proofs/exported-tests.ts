/** A test that is copied from a recorded order is green, and red when the shop or the gateway changes. */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createCallbackHandler, createPaymentClient } from '@tallystick/client'
import { readRecording } from '@tallystick/core'
import { counted, type Order, type Outcome, prove } from '@tallystick/proof-kit'
import { startGateway } from '@tallystick/testing'
import { exportedTest, type Runner } from '@tallystick/workbench/exported-test'
import { wireNames } from '@tallystick/workbench/wire-names'
import { CONTROL_KEY, playSession } from './sessions/session.ts'

const root = join(import.meta.dirname, '../../..')
const RUNNERS: readonly Runner[] = ['vitest', 'jest', 'node:test']
/** At least so many of those with a planted fault have to be red. */
const RED_SHARE = 0.95

interface Copied {
  readonly name: string
  readonly runner: Runner
  readonly source: string
  readonly plant: Plant
}

type Plant = 'the shop fails' | 'the shop has another key' | 'the shop wants no more' | 'the bank decides otherwise'

async function run({ runs, random, progress, after }: Order): Promise<Outcome> {
  const shop = await openShop()
  after(shop.close)
  // Where the packages are found from.
  mkdirSync(join(root, 'packages/e2e/temp'), { recursive: true })
  const folder = mkdtempSync(join(root, 'packages/e2e/temp/exported-'))
  after(() => rmSync(folder, { recursive: true }))
  const copied: Copied[] = []
  while (copied.length < runs) {
    const seed = random.below(2 ** 31)
    shop.reset()
    const session = await playSession({ seed, orders: 2, callbackUrl: shop.callbackUrl, drawsFaults: false })
    const events = readRecording(session.recording)
    for (const orderId of session.orderIds.slice(0, runs - copied.length)) {
      const runner = RUNNERS[copied.length % RUNNERS.length] ?? 'vitest'
      const source = exportedTest(events, orderId, { runner, names: wireNames() })
      if (source === undefined) continue
      const isCalled = / \w+: \d+',$/m.test(/callbacks: \[(.*?)\],/s.exec(source)?.[1] ?? '')
      const plants: readonly Plant[] = isCalled
        ? ['the shop fails', 'the shop has another key', 'the shop wants no more', 'the bank decides otherwise']
        : ['the bank decides otherwise']
      copied.push({ name: `order-${copied.length}-${seed}`, runner, source, plant: random.pick(plants) })
    }
    progress(copied.length, 3 * runs)
  }
  shop.reset()
  const green = await runAll(copied, join(folder, 'green'))
  progress(2, 3)
  const reds = new Map<string, boolean>()
  for (const plant of new Set(copied.map((one) => one.plant))) {
    shop.reset(plant)
    const planted = copied
      .filter((one) => one.plant === plant)
      .map((one) => (plant === 'the bank decides otherwise' ? { ...one, source: withOtherBank(one.source) } : one))
    for (const [name, passed] of await runAll(planted, join(folder, plant.replaceAll(' ', '-'))))
      reds.set(name, !passed)
  }
  const notGreen = copied.filter(({ name }) => green.get(name) !== true)
  const notRed = copied.filter(({ name }) => reds.get(name) !== true)
  const findings = notGreen.map(({ name, runner, source }) => `${name} (${runner}) is not green:\n${source}`)
  if (notRed.length > copied.length * (1 - RED_SHARE)) {
    findings.push(...notRed.map(({ name, plant, source }) => `${name} stays green although ${plant}:\n${source}`))
  }
  const figure =
    counted`${copied.length} tests: ${copied.length - notGreen.length} green, ` +
    counted`${copied.length - notRed.length} red with a planted fault`
  return { figure, findings }
}

/** The acquirer of a gateway that approves what was declined, and declines the rest; so does a fault that decides in its place. */
function withOtherBank(source: string): string {
  const other = `const bank = simulator()
const other = async (asked) => {
  const said = await asked
  if (said?.status === 'declined' || said?.status === 'unknown') return { status: 'approved', approvalCode: '1', processorTxId: '1' }
  return said?.status === 'approved' ? { status: 'declined', errorCode: '100', errorMessage: 'Do not honour' } : said
}
const acquirer = {
  isSimulated: true,
  tokenize: (request) => bank.tokenize(request),
  execute: (request) => other(bank.execute(request)),
  authenticate: (request, result) => other(bank.authenticate(request, result)),
  lookup: (request) => other(bank.lookup(request)),
}
`
  const imported = `import { simulator } from '@tallystick/gateway'\n${source}`
  return imported
    .replace(/(?<='unknown-then-)(approved|declined)(?=')/g, (said) => (said === 'approved' ? 'declined' : 'approved'))
    .replace('await startGateway({', 'await startGateway({ acquirer,')
    .replace('\n// Recorded at', () => `\n${other}\n// Recorded at`)
}

/** Whether each is green. */
async function runAll(copied: readonly Copied[], folder: string): Promise<ReadonlyMap<string, boolean>> {
  mkdirSync(folder)
  const passed = new Map<string, boolean>()
  for (const runner of RUNNERS) {
    const own = copied.filter((one) => one.runner === runner)
    if (own.length === 0) continue
    const place = join(folder, runner.replace(':', '-'))
    mkdirSync(place)
    for (const { name, source } of own) writeFileSync(join(place, `${name}.test.mjs`), source)
    for (const [name, isGreen] of await RUN[runner](place, own)) passed.set(name, isGreen)
  }
  return passed
}

const require = createRequire(join(root, 'packages/testing/package.json'))
const moduleOf = (name: string, file: string) => join(require.resolve(`${name}/package.json`), '..', file)

type Results = Iterable<readonly [name: string, isGreen: boolean]>

const RUN: Readonly<Record<Runner, (place: string, own: readonly Copied[]) => Promise<Results>>> = {
  vitest: async (place) => {
    const conditions = "['@tallystick/source', 'module', 'node', 'development|production']"
    const config = `export default { resolve: { conditions: ${conditions} }, ssr: { resolve: { conditions: ${conditions} } },
      test: { include: ['*.test.mjs'], isolate: false, maxWorkers: 1, testTimeout: 30000 } }`
    writeFileSync(join(place, 'vitest.config.mjs'), config)
    const program = moduleOf('vitest', 'vitest.mjs')
    const report = join(place, 'report.json')
    await node([program, 'run', `--root=${place}`, '--reporter=json', `--outputFile=${report}`], place)
    return readReport(report)
  },
  jest: async (place) => {
    writeFileSync(join(place, 'package.json'), '{"type":"module"}')
    const program = moduleOf('jest', 'bin/jest.js')
    const match = `--testMatch=${place}/*.test.mjs`
    const report = join(place, 'report.json')
    const options = [
      '--watchman=false',
      '--json',
      `--outputFile=${report}`,
      '--maxWorkers=1',
      '--testTimeout=30000',
      match,
    ]
    await node(['--experimental-vm-modules', program, `--rootDir=${place}`, ...options], place)
    return readReport(report)
  },
  'node:test': async (place, own) => {
    const files = own.map(({ name }) => join(place, `${name}.test.mjs`))
    const options = ['--conditions=@tallystick/source', '--test', '--test-isolation=none', '--test-reporter=tap']
    const tap = await node([...options, '--test-timeout=30000', ...files], place)
    const titles = new Map(own.map(({ name, source }) => [/^test\((.*), async/m.exec(source)?.[1] ?? '', name]))
    return [...tap.matchAll(/^(not )?ok \d+ - (.*?)(?: # .*)?$/gm)].flatMap(([, not, title = '']) => {
      const name = titles.get(`'${title.replace(/\\([\\#])/g, '$1').replace(/[\\']/g, '\\$&')}'`)
      return name === undefined ? [] : [[name, not === undefined] as const]
    })
  },
}

interface JsonReport {
  readonly testResults: ReadonlyArray<{ readonly name: string; readonly status: string }>
}

function readReport(file: string): Results {
  const { testResults }: JsonReport = JSON.parse(readFileSync(file, 'utf8'))
  return testResults.map(
    ({ name, status }) => [/([^/]*)\.test\.mjs$/.exec(name)?.[1] ?? '', status === 'passed'] as const,
  )
}

async function node(args: readonly string[], cwd: string): Promise<string> {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(?:VITEST|JEST|NODE_TEST|NODE_OPTIONS|NODE_ENV|TEST$)/.test(name),
  )
  const env = { ...Object.fromEntries(own), NO_COLOR: '1', TALLYSTICK_CONTROL_KEY: CONTROL_KEY }
  return await new Promise((resolve) => {
    execFile(process.execPath, ['--no-warnings', ...args], { cwd, env, maxBuffer: 2 ** 28 }, (_, stdout) => {
      resolve(stdout)
    })
  })
}

/** A shop that verifies callbacks, and is down for the first callbacks of some orders. */
async function openShop() {
  let called = new Map<string, number>()
  let plant: Plant | undefined
  const gateway = await startGateway({ controlKey: CONTROL_KEY, socket: false })
  const handlerOf = (controlKey: string) =>
    createCallbackHandler({
      client: createPaymentClient({ ...gateway.merchant, controlKey }),
      inbox: { receive: async () => 'stored' },
    })
  const [own, other] = [handlerOf(CONTROL_KEY), handlerOf('0C3DBEB1-5E8F-4C1A-8E0B-7A4F9C1D2E3F')]
  const statusFor = async (url: string): Promise<number> => {
    const query = url.split('?')[1] ?? ''
    const clientOrderId = new URLSearchParams(query).get('client_orderid') ?? ''
    const count = (called.get(clientOrderId) ?? 0) + 1
    called.set(clientOrderId, count)
    if (plant === 'the shop fails') return 500
    if (plant === 'the shop wants no more') return 410
    // By the order, so that it is the same shop when the test runs.
    if (clientOrderId.endsWith('1') && count <= 2) return 503
    const handle = plant === 'the shop has another key' ? other : own
    return (await handle({ method: 'GET', query, headers: {}, body: '' })).status
  }
  const server = createServer((request, response) => {
    void statusFor(request.url ?? '').then((status) => response.writeHead(status).end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    callbackUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`,
    /** As it was at its start. */
    reset: (next?: Plant) => {
      called = new Map()
      plant = next
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await gateway.close()
    },
  }
}

await prove({
  name: 'exported-tests',
  meaning:
    'Orders are paid for at a shop, with faults and moves of the clock, and each is copied as a test for vitest, jest or node:test.\n' +
    'All tests must be green with the same shop. Then a fault is planted in the shop, or in the gateway where the shop took no\n' +
    'part: it answers otherwise, takes no callback for genuine, or another outcome is decided. At least 95 % must be red.',
  runs: { of: 'tests', long: 200, quick: 12 },
  run,
})
