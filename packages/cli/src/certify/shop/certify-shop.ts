import { createRecording, type Recording, recordingPage } from '@tallystick/gateway'
import { controlKey } from '../../arguments/keys.ts'
import { parse, UsageError } from '../../arguments/parse.ts'
import type { World } from '../../world.ts'
import { askForFile } from './questions.ts'
import { asJson, asJunit, linesOf, sumOf } from './report.ts'
import { runScenarios } from './run-scenarios.ts'
import { type ShopSettings, startSandbox } from './sandbox.ts'
import type { Scenario } from './scenario.ts'
import { SCENARIOS } from './scenarios.ts'
import { environmentOf, openShop } from './shop.ts'
import { readShopFile, type ShopFile } from './shop-file.ts'

const OPTIONS = {
  list: { type: 'boolean', default: false },
  only: { type: 'string', default: '' },
  port: { type: 'string', default: '9464' },
  login: { type: 'string', default: 'certify' },
  endpoint: { type: 'string', default: '1' },
  'key-file': { type: 'string' },
  concurrency: { type: 'string', default: '8' },
  json: { type: 'boolean', default: false },
  junit: { type: 'string' },
  recording: { type: 'string' },
} as const

/** So that a shop has to be set up only once. It guards nothing: this gateway moves no money, and only this machine reaches it. */
const USUAL_KEY = 'CE271F1E-0000-4000-8000-000000000001'

const USUAL_FILE = 'tallystick-shop.json'

export async function runCertifyShop(args: readonly string[], world: World): Promise<number> {
  const { values, positionals } = parse('certify shop', args, OPTIONS)
  const [name = USUAL_FILE, strange] = positionals
  if (strange !== undefined) throw new UsageError(`${strange} is not understood: see tallystick certify shop --help`)
  const scenarios = chosen(values.only)
  if (values.list) {
    world.print(listed(scenarios))
    return 0
  }
  const file = readShopFile(await textOf(name, positionals.length === 0, world), name)
  const recording = createRecording()
  const concurrency = wholeNumber(values.concurrency, '--concurrency')
  const sandbox = await startSandbox(settingsFrom(values, world), {
    port: wholeNumber(values.port, '--port', 65_535),
    recording,
    world,
  })
  try {
    if (!values.json) world.print(setUp(sandbox.settings, file))
    const shop = await openShop(file, sandbox.settings, world)
    try {
      const onResult = (result: Parameters<typeof asJson>[0]) =>
        world.print(values.json ? asJson(result, values.recording) : linesOf(result, world.columns, values.recording))
      const results = await runScenarios(scenarios, { world, shop, sandbox, recording, concurrency, onResult })
      if (!values.json) world.print(`\n${sumOf(results)}\n`)
      if (values.junit !== undefined) world.write(values.junit, asJunit(results))
      if (values.recording !== undefined) world.write(values.recording, await written(recording, values.recording))
      return results.some(({ verdict }) => verdict === 'wrong') ? 1 : 0
    } finally {
      await shop.close()
    }
  } finally {
    await sandbox.close()
  }
}

/** @throws UsageError if it cannot be read, and nobody can be asked */
async function textOf(file: string, isUsual: boolean, world: World): Promise<string> {
  try {
    return world.read(file)
  } catch (error) {
    if (!isUsual || !(error instanceof UsageError)) throw error
    if (world.isTerminal) return await askForFile(file, world)
    throw new UsageError(`${error.message}: it says how the shop is reached, as tallystick certify shop --help shows`)
  }
}

/** As a page that opens from a file, or as lines for the workbench. */
async function written(recording: Recording, file: string): Promise<string> {
  const lines = recording.ndjson()
  return file.endsWith('.html') ? await recordingPage(lines, { title: 'tallystick certify shop' }) : lines
}

/** @throws UsageError if there is none */
function chosen(only: string): readonly Scenario[] {
  const texts = only.split(',').map((text) => text.trim().toLowerCase())
  const isOne = (text: string) => SCENARIOS.some(({ id }) => id === text)
  const found = SCENARIOS.filter(({ id, group }) =>
    texts.some((text) => (isOne(text) ? id === text : id.includes(text) || group === text)),
  )
  if (found.length > 0) return found
  throw new UsageError(`--only: there is no scenario ${only}: see tallystick certify shop --list`)
}

function listed(scenarios: readonly Scenario[]): string {
  const longest = Math.max(...scenarios.map(({ id }) => id.length))
  const line = ({ id, group, title, waits }: Scenario) =>
    `${group.padEnd(11)}${(waits ? 'waits' : '').padEnd(7)}${id.padEnd(longest + 2)}${title}\n`
  return scenarios.map(line).join('')
}

function wholeNumber(text: string, option: string, most = 1000): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= most) return Number(text)
  throw new UsageError(`${option} takes a whole number up to ${most}`)
}

function settingsFrom(
  values: { readonly login: string; readonly endpoint: string; readonly 'key-file'?: string | undefined },
  world: World,
): Omit<ShopSettings, 'baseUrl'> {
  const isGiven = values['key-file'] !== undefined || Boolean(world.environment['TALLYSTICK_CONTROL_KEY'])
  return {
    login: values.login,
    endpointId: values.endpoint,
    controlKey: isGiven ? controlKey(values, world) : USUAL_KEY,
  }
}

/** What the shop has to be set up with. A key that was given is not printed. */
function setUp(settings: ShopSettings, { start }: ShopFile): string {
  const shown = { ...settings, controlKey: settings.controlKey === USUAL_KEY ? USUAL_KEY : '(the key that you gave)' }
  const lines = Object.entries(environmentOf(shown)).map(([variable, value]) => `  ${variable}=${value}\n`)
  const how = start === undefined ? 'The shop must have these settings:' : `${start}\nis started with these settings:`
  return `${how}\n${lines.join('')}\n`
}
