import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { once } from 'node:events'
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Binaries, readyBinaries, type ServerUser, serverUser } from './binaries.ts'

/** `fast` closes the connections and writes a checkpoint; `immediate` is a crash: the next start recovers from the log. */
export type StopMode = 'fast' | 'immediate'

export interface TestServer {
  /** The URL of the database `postgres`. The port stays the same after `stop` and `start`. */
  readonly url: string
  stop(mode: StopMode): Promise<void>
  /** Starts it again on the same data, and waits until it accepts connections. */
  start(): Promise<void>
  /** Stops it and removes its folder. */
  close(): Promise<void>
}

export interface TestServerOptions {
  /** Whether a commit reaches the disk. Default `true`. Only tests that crash the machine need it. */
  readonly durable?: boolean
  /** More settings of the server, as in `postgresql.conf`. */
  readonly settings?: Readonly<Record<string, string>>
}

/** Tests connect often, and a random password needs no slow digest. */
const QUICK_PASSWORD = ['-c', 'scram_iterations=1']

const SIGNALS = { fast: 'SIGINT', immediate: 'SIGQUIT' } as const
const PORT_TRIES = 5
/** Below the ports that systems assign for port 0, so that a stopped server finds its port free when it starts again. */
const FIRST_PORT = 20_000
const END_OF_PORTS = 32_000

/** Starts a server as a child of this process, in a folder of its own. It ends with this process at the latest. */
export async function testServer(options: TestServerOptions = {}): Promise<TestServer> {
  const user = serverUser()
  const folder = mkdtempSync(join(tmpdir(), 'tallystick-postgres-'))
  giveTo(folder, user)
  const removeAll = () => rmSync(folder, { recursive: true, force: true })
  try {
    const place: Place = { user, folder, binaries: await readyBinaries(user, folder) }
    const password = initialise(place)
    return await runningServer(place, password, settingsOf(options), removeAll)
  } catch (error) {
    removeAll()
    throw error
  }
}

interface Place {
  readonly user: ServerUser
  readonly folder: string
  readonly binaries: Binaries
}

function settingsOf({ durable = true, settings }: TestServerOptions): string[] {
  const all = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '300',
    ...(durable ? {} : { fsync: 'off', full_page_writes: 'off' }),
    ...settings,
  }
  return Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

async function runningServer(
  place: Place,
  password: string,
  settings: readonly string[],
  removeAll: () => void,
): Promise<TestServer> {
  let { port, running } = await startOnFreePort(place, settings)
  const killAtExit = () => {
    running.kill('SIGQUIT')
    removeAll()
  }
  process.once('exit', killAtExit)
  const stop = async (mode: StopMode) => {
    if (running.exitCode === null && running.signalCode === null) {
      running.kill(SIGNALS[mode])
      await once(running, 'exit')
    }
  }
  return {
    url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    stop,
    start: async () => {
      running = await launch(place, settings, port)
    },
    close: async () => {
      process.off('exit', killAtExit)
      await stop('immediate')
      removeAll()
    },
  }
}

function initialise({ user, folder, binaries }: Place): string {
  const password = randomBytes(12).toString('hex')
  const file = join(folder, 'password')
  writeFileSync(file, password)
  giveTo(file, user)
  const flags = [
    '--auth=password',
    '--username=postgres',
    `--pwfile=${file}`,
    '--encoding=UTF8',
    '--locale=C',
    '--no-sync',
    ...QUICK_PASSWORD,
  ]
  const made = spawnSync(binaries.initdb, [`--pgdata=${dataFolder(folder)}`, ...flags], {
    ...user,
    cwd: folder,
    encoding: 'utf8',
  })
  rmSync(file)
  if (made.status !== 0) {
    throw new Error(`initdb failed: ${made.error?.message ?? made.stderr}`)
  }
  return password
}

/** Another process may take the port between the search and its use: then this tries another port. */
async function startOnFreePort(place: Place, settings: readonly string[], tries = PORT_TRIES) {
  const port = await freePort()
  try {
    return { port, running: await launch(place, settings, port) }
  } catch (error) {
    if (tries <= 1) {
      throw error
    }
    return startOnFreePort(place, settings, tries - 1)
  }
}

function launch({ user, folder, binaries }: Place, settings: readonly string[], port: number): Promise<ChildProcess> {
  const flags = ['-D', dataFolder(folder), '-p', String(port), ...settings]
  const running = spawn(binaries.postgres, flags, {
    ...user,
    cwd: folder,
    env: { ...process.env, LC_MESSAGES: 'C' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  return new Promise((resolve, reject) => {
    let said = ''
    running.stderr.setEncoding('utf8').on('data', (text: string) => {
      // Kept until the server runs, for the error message. Read even afterwards, so that the pipe never fills up.
      if (said !== READY) {
        said += text
        if (said.includes(READY)) {
          said = READY
          resolve(running)
        }
      }
    })
    running.once('error', reject)
    running.once('exit', () => reject(new Error(`PostgreSQL did not start: ${said}`)))
  })
}

const READY = 'database system is ready to accept connections'

async function freePort(): Promise<number> {
  const port = randomInt(FIRST_PORT, END_OF_PORTS)
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return await freePort()
  }
  server.close()
  await once(server, 'close')
  return port
}

function dataFolder(folder: string): string {
  return join(folder, 'data')
}

function giveTo(path: string, { uid, gid }: ServerUser): void {
  if (uid !== undefined && gid !== undefined) {
    chownSync(path, uid, gid)
  }
}
