import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPool } from 'mysql2/promise'

const PROGRAMS = [
  '/usr/sbin/mariadbd',
  '/usr/libexec/mariadbd',
  '/usr/local/sbin/mariadbd',
  '/opt/homebrew/bin/mariadbd',
]
/** Where MariaDB is installed. */
export const mariaDbProgram = process.env['MARIADBD'] ?? PROGRAMS.find(existsSync)

/** A server of its own. It ends with this process at the latest. */
export async function mariaDbServer(program: string) {
  const server = await started(program)
  const root = createPool({ uri: server.url, multipleStatements: true, connectionLimit: 2 })
  let count = 0
  return {
    /** The address of a new database. */
    fresh: async (): Promise<string> => {
      count += 1
      const name = `shop${count}`
      await root.query(`create database ${name}`)
      return `${server.url}/${name}`
    },
    /** Statements of the shop, on a connection that ends after them. Gives the rows of the last one. */
    runIn: async (url: string, statements: string): Promise<readonly object[]> => {
      const pool = createPool({ uri: url, multipleStatements: true, connectionLimit: 1 })
      try {
        const [result] = await pool.query(statements)
        const rows = Array.isArray(result) ? result : []
        return (rows.findLast(Array.isArray) ?? rows).map((row: object) => ({ ...row }))
      } finally {
        await pool.end()
      }
    },
    /** Ends all connections to a database, as a server does that is restarted. */
    cut: async (url: string): Promise<void> => {
      const name = new URL(url).pathname.slice(1)
      const [found] = await root.query('select id from information_schema.processlist where db = ?', [name])
      for (const { id } of found as { readonly id: number }[]) await root.query(`kill ${id}`)
    },
    stop: async (): Promise<void> => {
      await root.end()
      server.stop()
    },
  }
}

interface Server {
  readonly url: string
  stop(): void
}

/** In a folder of its own. */
async function started(mariadbd: string): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'tallystick-mariadb-'))
  const data = join(folder, 'data')
  // A server refuses to run as root unless it is told to.
  const user = process.getuid?.() === 0 ? ['--user=root'] : []
  // At its start a server removes the temporary tables in its folder for them: also those of another one that is being set up.
  const own = ['--no-defaults', `--datadir=${data}`, `--tmpdir=${folder}`]
  const install = [...own, '--auth-root-authentication-method=normal', '--skip-test-db']
  const made = spawnSync('mariadb-install-db', [...install, ...user], { encoding: 'utf8' })
  if (made.status !== 0) throw new Error(`mariadb-install-db: ${made.error?.message ?? made.stdout + made.stderr}`)
  const port = await freePort()
  const place = [`--socket=${join(folder, 'socket')}`, `--port=${port}`, '--bind-address=127.0.0.1']
  // A test that is wrong waits no longer than this.
  const settings = ['--innodb-lock-wait-timeout=5']
  const running = spawn(mariadbd, [...own, ...place, ...settings, ...user], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const stop = () => {
    running.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  process.once('exit', stop)
  await accepting(running)
  return {
    url: `mysql://root@127.0.0.1:${port}`,
    stop: () => {
      process.off('exit', stop)
      stop()
    },
  }
}

function accepting(running: ChildProcess): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let said = ''
  running.stderr?.on('data', (chunk) => {
    said += String(chunk)
    if (said.includes('ready for connections')) resolve()
  })
  running.once('exit', () => reject(new Error(`mariadbd has ended: ${said}`)))
  return promise
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}
