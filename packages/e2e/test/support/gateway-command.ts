import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** Where a gateway that was started as a command listens, as its log has it. */
export interface Addresses {
  readonly address: string
  readonly metrics: string
}

/** The command `tallystick-gateway` in a process of its own. */
export interface GatewayCommand {
  readonly pid: number
  /** Once it listens. `undefined`: it ended before. */
  readonly listening: Promise<Addresses | undefined>
  /** Its exit code; `null` after a signal that ended it. */
  readonly exited: Promise<number | null>
  stdout(): string
  stderr(): string
  signal(name: NodeJS.Signals): void
}

const MAIN = new URL('../../../gateway/src/cli/main.ts', import.meta.url).pathname

/** @param cacheFolder where Node stores what it compiled, so that the second start is as fast as a build's */
export function gatewayCommand(args: readonly string[], cacheFolder: string): GatewayCommand {
  const child = spawn(process.execPath, ['--conditions=@tallystick/source', MAIN, ...args], {
    env: { ...process.env, NODE_COMPILE_CACHE: cacheFolder },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // It must not outlive the process that started it, however that ends.
  const end = () => void child.kill('SIGKILL')
  process.once('exit', end)
  const exited = once(child, 'close').then(() => {
    process.off('exit', end)
    return child.exitCode
  })
  const said = { stdout: '', stderr: '' }
  const listening = Promise.withResolvers<Addresses | undefined>()
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    said.stdout += chunk
    const addresses = addressesIn(said.stdout)
    if (addresses !== undefined) listening.resolve(addresses)
  })
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    said.stderr += chunk
  })
  return {
    pid: child.pid ?? 0,
    listening: Promise.race([listening.promise, exited.then(() => undefined)]),
    exited,
    stdout: () => said.stdout,
    stderr: () => said.stderr,
    signal: (name) => void child.kill(name),
  }
}

function addressesIn(log: string): Addresses | undefined {
  const line = log.split('\n').find((text) => text.includes('"msg":"listening"') && text.endsWith('}'))
  return line === undefined ? undefined : JSON.parse(line)
}
