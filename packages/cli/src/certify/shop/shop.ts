import { UsageError } from '../../arguments/parse.ts'
import type { Exchanged, RunningCommand, World } from '../../world.ts'
import type { ShopSettings } from './sandbox.ts'
import { countIn, filledIn, type ShopFile, type ShopRequest, shows, textAt, type Values } from './shop-file.ts'

/** What a shop says of an order. `unreadable`: nothing of what the file has signs for. */
export type ShopState = 'paid' | 'notPaid' | 'pending' | 'unreadable'

/** The shop, from outside. */
export interface Shop {
  readonly file: ShopFile
  readonly send: (request: ShopRequest, values: Values, timeoutMs?: number) => Promise<Exchanged>
  readonly state: (values: Values) => Promise<{ readonly state: ShopState; readonly answer: string }>
  readonly takenBack: (values: Values) => Promise<string | undefined>
  /** How often the goods of an order were delivered. `undefined`: the file says nothing of it, or it cannot be read. */
  readonly effects: (values: Values) => Promise<number | undefined>
  readonly canRestart: boolean
  /** Ends its process at once. Only if it can be restarted. */
  readonly kill: () => Promise<void>
  /** Starts it again, and waits until it answers. */
  readonly restart: () => Promise<void>
  readonly close: () => Promise<void>
}

/** A shop takes this long to start, on a busy machine. */
const START_MS = 120_000
const START_AGAIN_MS = 1000
const LOOK_EVERY_MS = 200

/** @throws UsageError if it does not answer */
export async function openShop(file: ShopFile, settings: ShopSettings, world: World): Promise<Shop> {
  const environment = environmentOf(settings)
  let running: RunningCommand | undefined

  const send: Shop['send'] = async (request, values, timeoutMs) => {
    const { method, url, headers, body } = filledIn(request, values)
    return await world.exchange({ method, url, headers, body, ...(timeoutMs === undefined ? {} : { timeoutMs }) })
  }

  const answers = async () => await send(file.outcome.request, { order: 'nobody' }, 5000)
  const origin = () => new URL(file.outcome.request.url.replaceAll(/[{}]/g, '')).origin

  async function start(isAgain: boolean): Promise<void> {
    let exitCode: number | null | undefined
    const run = (command: string) => {
      exitCode = undefined
      running = world.execute(command, environment)
      void running.ended.then((code) => {
        exitCode = code
      })
    }
    if (file.start !== undefined) run(file.start)
    let seen = ''
    for (const end = world.now() + START_MS; world.now() < end; await pause(LOOK_EVERY_MS, world)) {
      const answer = await answers()
      if (!('failure' in answer)) return
      seen = answer.failure
      if (file.start === undefined || !exitCode) continue
      if (!isAgain) break
      // As whatever keeps a shop running does it: what its killed process held may not be free at once.
      await pause(START_AGAIN_MS, world)
      run(file.start)
    }
    const printed = running?.printed() ?? ''
    const how = exitCode ? `, and "start" has ended with exit code ${exitCode}` : ''
    throw new UsageError(
      `nobody answers at ${origin()} (${seen})${how}` +
        (printed === '' ? ': start the shop, with the settings above' : `; the shop has printed:\n${printed}`),
    )
  }

  let killed: Promise<void> | undefined
  async function kill(): Promise<void> {
    running?.kill()
    await running?.ended
    if (file.kill !== undefined) await world.execute(file.kill, environment).ended
  }

  if (file.start !== undefined && !('failure' in (await answers())))
    throw new UsageError(`something answers at ${origin()} before "start" has run: end it first`)
  await start(false)
  return {
    file,
    send,
    state: async (values) => {
      const answer = await send(file.outcome.request, values)
      if ('failure' in answer) return { state: 'unreadable', answer: answer.failure }
      const shown = (['paid', 'notPaid', 'pending'] as const).filter((state) => shows(answer.body, file.outcome[state]))
      const said = `${answer.status} ${answer.body.slice(0, 200)}`
      if (shown.length > 1)
        return { state: 'unreadable', answer: `${said}, which has the signs of ${shown.join(' and ')}` }
      return { state: shown[0] ?? 'unreadable', answer: said }
    },
    takenBack: async (values) => {
      const { request, takenBack } = file.outcome
      if (takenBack === undefined) return undefined
      const answer = await send(request, values)
      return 'failure' in answer ? undefined : textAt(answer.body, takenBack)
    },
    effects: async (values) => {
      const { effects } = file
      if (effects === undefined) return undefined
      if ('file' in effects.from) return countIn(textOf(effects.from.file, world), effects, values)
      const answer = await send(effects.from, values)
      return 'failure' in answer ? undefined : countIn(answer.body, effects, values)
    },
    canRestart: file.start !== undefined || file.restart !== undefined,
    kill: async () => {
      killed = kill()
      await killed
    },
    restart: async () => {
      // Whoever waits for an answer of the shop knows of its end before `kill` does.
      await killed
      if (file.start === undefined && file.restart !== undefined) await world.execute(file.restart, environment).ended
      await start(true)
    },
    close: async () => {
      running?.kill()
      await running?.ended
    },
  }
}

/** What the shop has to be set up with. */
export function environmentOf({ baseUrl, login, controlKey, endpointId }: ShopSettings) {
  return {
    TALLYSTICK_BASE_URL: baseUrl,
    TALLYSTICK_LOGIN: login,
    TALLYSTICK_CONTROL_KEY: controlKey,
    TALLYSTICK_ENDPOINT: endpointId,
  }
}

export function pause(milliseconds: number, { schedule }: Pick<World, 'schedule'>): Promise<void> {
  return new Promise((resolve) => schedule(milliseconds, resolve))
}

/** A file that nothing was written to yet has nothing. */
function textOf(file: string, { read }: World): string {
  try {
    return read(file)
  } catch {
    return ''
  }
}
