import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as later } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const guardian = fileURLToPath(new URL('./guardian.ts', import.meta.url))

/** One name for each checkout and user, so that all the workers of a test run find the same server. */
const name = `tallystick-postgres-${createHash('sha256')
  .update(`${guardian} ${process.getuid?.() ?? ''}`)
  .digest('hex')
  .slice(0, 16)}`

/** Where the guardian of the shared server listens. */
export const meetingPlace = process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), `${name}.sock`)

const TRIES = 600
const PAUSE_MILLISECONDS = 100

let shared: Promise<string> | undefined

/** The URL of the server that all workers share. It runs as long as one of them is connected to the guardian. */
export function sharedServer(): Promise<string> {
  shared ??= joinServer()
  return shared
}

async function joinServer(): Promise<string> {
  const present = await meet()
  if (present !== undefined) {
    return tell(present)
  }
  spawn(process.execPath, [guardian], { detached: true, stdio: 'ignore', env: withoutHooks() }).unref()
  for (let tried = 0; tried < TRIES; tried += 1) {
    await later(PAUSE_MILLISECONDS)
    const socket = await meet()
    if (socket !== undefined) {
      return tell(socket)
    }
  }
  throw new Error('the guardian of the PostgreSQL for tests did not start')
}

/** The guardian outlives the worker, so it must not inherit the worker's loader, inspector or coverage. */
function withoutHooks(): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: _, NODE_V8_COVERAGE: __, ...rest } = process.env
  return rest
}

async function meet(): Promise<Socket | undefined> {
  const socket = connect(meetingPlace)
  try {
    await once(socket, 'connect')
    return socket
  } catch {
    return undefined
  }
}

/** The guardian writes one line, once the server accepts connections. The socket stays open, but keeps no process alive. */
async function tell(socket: Socket): Promise<string> {
  socket.setEncoding('utf8')
  let line = ''
  for await (const text of socket.iterator({ destroyOnReturn: false })) {
    line += String(text)
    if (line.endsWith('\n')) {
      break
    }
  }
  socket.on('error', () => {}).unref()
  if (!line.startsWith('postgres://')) {
    throw new Error(`the PostgreSQL for tests did not start: ${line}`)
  }
  return line.trim()
}
