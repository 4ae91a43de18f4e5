/** `certify shop` finds each planted mistake of 25 shops, and nothing wrong in shops that are right. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { atOnce, counted, type Order, type Outcome, prove } from '@tallystick/proof-kit'
import { root } from '../../../scripts/workspace.ts'
import { type Language, MISTAKES, type Mistake } from '../shops/mistakes.ts'
import { shopFile } from '../shops/shop-file.ts'

/** Shops that run beside each other, which is what else the machine has to do. */
const AT_ONCE = 3

/** Below those that a system gives away: a shop that is killed must find its port free when it starts again. */
const PORTS = { from: 20_000, to: 32_000 }
let lastPort = PORTS.from + (process.pid % (PORTS.to - PORTS.from))

const CLI = join(root, 'packages/cli/src/runtime/main.ts')

await prove({
  name: 'certify-shop',
  meaning:
    'Small shops in TypeScript, PHP and Python make one mistake each, and `tallystick certify shop` has to find it by the\n' +
    'scenario that is meant for it, and to find nothing else but what follows from it. Shops that are right, ours among\n' +
    'them, are tried again and again beside each other, and nothing may be found. The quick form tries some mistakes by\n' +
    'their own scenario alone, and the same shops without the mistake. Needs `php` with curl, and `python3`.',
  runs: { of: 'runs of the shops that are right, in turn; in the quick form also of mistakes', long: 50, quick: 4 },
  flags: { only: 'what is tried: `mistakes`, `right`, or the name of a mistake or of a right shop' },
  run: everyShop,
})

interface Trial {
  readonly name: string
  readonly write: (place: Place) => Written
  /** Scenarios that must find something, and those that may. `undefined`: none may. */
  readonly mistake?: { readonly foundBy: string; readonly follows: readonly string[] }
  readonly only?: string | undefined
}

interface Place {
  readonly folder: string
  readonly port: number
}

interface Written {
  readonly file: object
  readonly cwd: string
  readonly environment: Readonly<Record<string, string>>
}

interface Result {
  readonly id: string
  readonly verdict: 'right' | 'wrong' | 'cannot be judged'
  readonly detail?: string
  readonly lines: readonly string[]
}

async function everyShop(order: Order): Promise<Outcome> {
  const { isQuick, runs, flags, random } = order
  const missing = (['php', 'python'] as const).filter((language) => !isThere(language))
  const planted = Object.entries(MISTAKES).filter(([, { language }]) => !missing.some((each) => each === language))
  const few = random.shuffle(planted).slice(0, runs)
  const { only } = flags
  const wanted = (trial: Trial) =>
    only === undefined || only === trial.name || only === (trial.mistake === undefined ? 'right' : 'mistakes')
  const shops = rightShops().filter(({ name }) => !missing.some((each) => name.startsWith(each)))
  const mistakes = (isQuick && only === undefined ? few : planted).map(withMistake)
  const right = Array.from({ length: runs }, (_, number) => shops[number % shops.length] ?? []).flat()
  const all = isQuick
    ? [...mistakes.map((trial) => ({ ...trial, only: trial.mistake?.foundBy })), ...few.map(withoutMistake)]
    : [...mistakes, ...right]
  const trials = random.shuffle(all.filter(wanted))
  const findings: string[] = []
  const done = { found: 0, clean: 0, trials: 0 }
  let judged = 0
  await atOnce(AT_ONCE, trials, async (trial) => {
    const results = await certify(trial, order)
    const wrong = typeof results === 'string' ? [results] : judge(trial, results)
    findings.push(...wrong.map((finding) => `${trial.name}: ${finding}`))
    if (typeof results !== 'string') judged += results.filter(({ verdict }) => verdict !== 'cannot be judged').length
    if (wrong.length === 0) done[trial.mistake === undefined ? 'clean' : 'found']++
    order.progress(++done.trials, trials.length)
  })
  const isOf = (isMistake: boolean) => trials.filter(({ mistake }) => (mistake !== undefined) === isMistake).length
  const without = missing.length === 0 ? '' : `without ${missing.join(' and ')}, which is not here: `
  return {
    figure:
      without +
      counted`${done.found} of ${isOf(true)} mistakes found, ${done.clean} of ${isOf(false)} runs of right shops clean, ` +
      counted`${judged} scenarios judged: ${findings.length} wrong`,
    findings,
  }
}

function withMistake([name, { language, isDirect, foundBy, follows = [] }]: [string, Mistake]): Trial {
  return {
    name,
    write: handwritten(language, { isDirect: isDirect === true, mistake: name }),
    mistake: { foundBy, follows },
  }
}

/** The same shop, right, by the scenario that finds the mistake. */
function withoutMistake([name, { language, isDirect, foundBy }]: [string, Mistake]): Trial {
  return {
    name: `${language} without ${name}`,
    write: handwritten(language, { isDirect: isDirect === true }),
    only: foundBy,
  }
}

function isThere(language: Language): boolean {
  const [command, ...tries] = language === 'php' ? ['php', '-r', 'curl_init();'] : ['python3', '-c', 'import sqlite3']
  return spawnSync(command ?? '', tries, { stdio: 'ignore' }).status === 0
}

function handwritten(
  language: Language | 'fetch',
  { isDirect = false, mistake = '' }: { readonly isDirect?: boolean; readonly mistake?: string } = {},
): Trial['write'] {
  return ({ folder, port }) => {
    const url = `http://127.0.0.1:${port}`
    return {
      file: shopFile(language, { url, log: join(folder, 'shop.log'), isDirect }),
      cwd: folder,
      environment: { PORT: String(port), SHOP_URL: url, SHOP_DATA: folder, MISTAKE: mistake },
    }
  }
}

/** A shop of the examples, at another port. */
function example(name: string): Trial['write'] {
  return ({ folder, port }) => {
    const cwd = join(root, 'examples', name)
    const file = readFileSync(join(cwd, 'tallystick-shop.json'), 'utf8').replaceAll(
      '127.0.0.1:3000',
      `127.0.0.1:${port}`,
    )
    return { file: JSON.parse(file), cwd, environment: { PORT: String(port), SHOP_DATABASE: join(folder, 'shop.db') } }
  }
}

function rightShops(): readonly Trial[] {
  const written = (['typescript', 'php', 'python'] as const).flatMap((language) => [
    { name: language, write: handwritten(language) },
    { name: `${language}, with a card form`, write: handwritten(language, { isDirect: true }) },
  ])
  const ours = ['express-shop', 'nest-shop', 'yours'].map((name) => ({
    name,
    write: example(name),
  }))
  return [{ name: 'fetch', write: handwritten('fetch') }, ...ours, ...written]
}

/** The verdicts, or what the command complains of. */
async function certify(
  { name, write, only }: Trial,
  { folder: parent, after }: Order,
): Promise<readonly Result[] | string> {
  const folder = mkdtempSync(join(parent, `${name.replaceAll(/\W+/g, '-')}-`))
  const port = await freePort()
  const gateway = await freePort()
  const { file, cwd, environment } = write({ folder, port })
  writeFileSync(join(folder, 'shop.json'), JSON.stringify(file))
  const chosen = only === undefined ? [] : ['--only', only]
  const child = spawn(
    process.execPath,
    [
      '--conditions=@tallystick/source',
      CLI,
      'certify',
      'shop',
      join(folder, 'shop.json'),
      '--json',
      '--port',
      String(gateway),
      ...chosen,
    ],
    { cwd, env: { ...process.env, ...environment }, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  after(() => child.kill())
  const [printed, complaints] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  if (child.exitCode !== 0 && child.exitCode !== 1) return `exit code ${child.exitCode}: ${complaints}`
  return printed
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
}

async function freePort(): Promise<number> {
  for (;;) {
    lastPort = lastPort < PORTS.to ? lastPort + 1 : PORTS.from
    const port = lastPort
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    server.close()
    await once(server, 'close')
    return port
  }
}

/** What is wrong about the verdicts. */
function judge({ mistake, only }: Trial, results: readonly Result[]): readonly string[] {
  const wrong = results.filter(({ verdict }) => verdict === 'wrong')
  if (results.length === 0) return ['nothing was tried']
  if (mistake === undefined) return wrong.map(shown)
  const { foundBy, follows } = mistake
  const missed = wrong.some(({ id }) => id === foundBy) ? [] : [`${foundBy} does not find it`]
  const expected = [foundBy, ...follows]
  const others = only === undefined ? wrong.filter(({ id }) => !expected.includes(id)) : []
  return [...missed, ...others.map(shown)]
}

function shown({ id, detail, lines }: Result): string {
  return [`${id} is called wrong: ${detail}`, ...lines].join('\n    ')
}
