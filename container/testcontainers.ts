import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { GenericContainer, type StartedTestContainer, Wait } from 'testcontainers'

/** What a client of the sandbox is given: `createPaymentClient(merchant)`. */
export interface Merchant {
  readonly baseUrl: string
  readonly login: string
  readonly endpointId: string
  readonly controlKey: string
}

export interface StartedTallystick {
  readonly merchant: Merchant
  /** The port for tests and the workbench: its page is at the root, its requests are under `/__sandbox`. */
  readonly sandbox: string
  /** Opens the workbench, and is the bearer token of the requests that need one. */
  readonly operatorKey: string
  readonly container: StartedTestContainer
  stop(): Promise<void>
}

/**
 * Starts a sandbox in a container, for tests in any runner. In Node's own process `startGateway()` of `@tallystick/testing` does the
 * same without a container, and faster.
 *
 * The container is in the network of this machine: a sandbox sends callbacks to the machine that it is on and to public addresses, but
 * to no other private one. In Docker Desktop that has to be switched on ("Enable host networking").
 */
export async function startTallystick(image = 'tallystick'): Promise<StartedTallystick> {
  const [controlKey, operatorKey] = [newKey(), newKey()]
  const port = await freePort()
  const container = await new GenericContainer(image)
    .withNetworkMode('host')
    .withEnvironment({
      TALLYSTICK_CONTROL_KEY: controlKey,
      TALLYSTICK_OPERATOR_KEY: operatorKey,
      HEALTH: `http://127.0.0.1:${port}/readyz`,
    })
    .withCommand(['--sandbox', '--port', String(port)])
    .withWaitStrategy(Wait.forLogMessage(/"listening"/))
    .start()
  const { publicUrl, sandbox } = await listening(container)
  return {
    merchant: { baseUrl: publicUrl, login: 'test', endpointId: '1', controlKey },
    sandbox: new URL(sandbox).origin,
    operatorKey,
    container,
    stop: async () => void (await container.stop()),
  }
}

interface Listening {
  readonly publicUrl: string
  readonly sandbox: string
}

/** What the log says once it listens. */
async function listening(container: StartedTestContainer): Promise<Listening> {
  const logs = await container.logs()
  let text = ''
  for await (const chunk of logs) {
    text += chunk
    const line = /\{.*"listening".*\}/.exec(text)?.[0]
    if (line !== undefined) return JSON.parse(line)
  }
  throw new Error('the log ended before the sandbox listened')
}

function newKey(): string {
  return randomBytes(32).toString('hex')
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' && address !== null ? address.port : 0
}
