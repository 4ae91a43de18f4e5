/** The runtimes: which version is installed, and how it serves the program. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const BUN = '1.4.5'
const DENO = '2.9.6'
const WORKERD = '1.20261117.1'

/** The packages that hold the binaries of this platform. The packages `bun`, `deno` and `workerd` would choose among them. */
const BINARIES: Readonly<Record<string, readonly [bun: string, deno: string, workerd: string]>> = {
  'linux-x64': ['@oven/bun-linux-x64', '@deno/linux-x64-glibc', '@cloudflare/workerd-linux-64'],
  'linux-arm64': ['@oven/bun-linux-aarch64', '@deno/linux-arm64-glibc', '@cloudflare/workerd-linux-arm64'],
  'darwin-x64': ['@oven/bun-darwin-x64', '@deno/darwin-x64', '@cloudflare/workerd-darwin-64'],
  'darwin-arm64': ['@oven/bun-darwin-aarch64', '@deno/darwin-arm64', '@cloudflare/workerd-darwin-arm64'],
}
const [bun, deno, workerd] = BINARIES[`${process.platform}-${process.arch}`] ?? ['bun', 'deno', 'workerd']

export interface Runtime {
  readonly version: string
  /** The package of the binary and its version. */
  readonly installed?: readonly [name: string, version: string][]
  readonly command: (folder: string) => readonly [program: string, ...args: string[]]
  /** Whether it speaks with the client's own transport, and has `node:sqlite`. */
  readonly hasSockets: boolean
}

const MAIN = 'programs/main.ts'

export const RUNTIMES = {
  node: {
    version: `Node ${process.versions.node}`,
    command: () => [process.execPath, '--no-warnings', MAIN],
    hasSockets: true,
  },
  bun: {
    version: `Bun ${BUN}`,
    installed: [[bun, BUN]],
    command: (folder) => [join(folder, 'node_modules', bun, 'bin/bun'), MAIN],
    hasSockets: true,
  },
  deno: {
    version: `Deno ${DENO}`,
    installed: [[deno, DENO]],
    command: (folder) => [join(folder, 'node_modules', deno, 'deno'), 'run', '-A', MAIN],
    hasSockets: true,
  },
  workerd: {
    version: `workerd ${WORKERD}`,
    installed: [[workerd, WORKERD]],
    command: (folder) => [
      join(folder, 'node_modules', workerd, 'bin/workerd'),
      'serve',
      '--control-fd=1',
      'worker.capnp',
    ],
    hasSockets: false,
  },
} as const satisfies Readonly<Record<string, Runtime>>

export type RuntimeName = keyof typeof RUNTIMES

export interface Running extends Pick<Runtime, 'hasSockets'> {
  readonly origin: string
  ask<Answer>(part: string, settings?: object): Promise<Answer>
  stop(): Promise<void>
}

const PATIENCE_MS = 120_000

/** @throws Error with its output, if the runtime does not come up */
export async function start(name: RuntimeName, folder: string): Promise<Running> {
  const { command, hasSockets }: Runtime = RUNTIMES[name]
  const [program, ...args] = command(folder)
  // The client has to verify certificates whatever this variable says.
  const env = { ...process.env, NODE_TLS_REJECT_UNAUTHORIZED: '0', DENO_NO_UPDATE_CHECK: '1', DO_NOT_TRACK: '1' }
  const child = spawn(program, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let complaints = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints += text
  })
  const ended = once(child, 'close')
  const lines = createInterface(child.stdout)
  const first = await Promise.race([once(lines, 'line'), ended.then(() => undefined)])
  if (first === undefined) throw new Error(`${name} ended: ${complaints}`)
  const origin = originIn(String(first[0]))
  return {
    origin,
    hasSockets,
    ask: async (part, settings = {}) => {
      const signal = AbortSignal.timeout(PATIENCE_MS)
      const reply = await fetch(origin + part, { method: 'POST', body: JSON.stringify(settings), signal })
      const answer = (await reply.json()) as { readonly error?: string }
      if (typeof answer === 'object' && answer !== null && answer.error !== undefined) throw new Error(answer.error)
      return answer as never
    },
    stop: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** The program prints its address; workerd a line of JSON with the port. */
function originIn(line: string): string {
  return line.startsWith('http') ? line : `http://127.0.0.1:${(JSON.parse(line) as { readonly port: number }).port}`
}
