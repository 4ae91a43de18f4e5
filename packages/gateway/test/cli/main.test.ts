import { type ChildProcess, execFileSync, type StdioOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, closeSync, constants, openSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { createServer as createHttpServer, request } from 'node:http'
import { connect, createServer, Socket } from 'node:net'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { testDatabase } from '@tallystick/test-postgres'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { newVaultKeys } from '../../src/index.ts'
import { pooledRandomness } from '../../src/runtime/system.ts'
import { folderOf } from '../support/folder.ts'
import { SHOP, sale, status } from '../support/signed-requests.ts'

const MAIN = join(import.meta.dirname, '../../src/cli/main.ts')
/** Half of the time of a start goes into compiling TypeScript, so what was compiled once is kept. */
const NODE_COMPILE_CACHE = join(import.meta.dirname, '../../node_modules/.cache/node')
const MERCHANT = { login: 'shop', controlKey: SHOP.controlKey, endpoints: [{ id: 1111 }] }
const CONFIGURATION = { port: 0, metricsPort: 0, sandboxPort: 0, acquirer: 'simulator', merchants: [MERCHANT] }

const OPERATOR_KEY = 'a0c1b7f2d4e9836551f0c2ab9d7e4410'

/** Runs the command from its sources, and keeps what it prints. */
function command(...args: string[]) {
  return commandWith({}, ...args)
}

type Environment = Readonly<Record<string, string | undefined>>

function commandWith(environment: Environment, ...args: string[]) {
  return commandIn(undefined, environment, ...args)
}

function commandIn(cwd: string | undefined, environment: Environment, ...args: string[]) {
  const child = spawn(process.execPath, ['--conditions=@tallystick/source', MAIN, ...args], {
    cwd,
    env: { ...process.env, NODE_COMPILE_CACHE, TALLYSTICK_OPERATOR_KEY: OPERATOR_KEY, ...environment },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const said = { out: '', error: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said.out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said.error += text))
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, ...said }))
  return { child, said, ended }
}

function configured(configuration: object = CONFIGURATION): string {
  return join(folderOf({ 'gateway.json': JSON.stringify(configuration) }), 'gateway.json')
}

/** Waits for the line of the log with this message. */
async function line(
  child: Pick<ChildProcess, 'exitCode'> & { readonly stdout: Readable },
  said: { readonly out: string; readonly error: string },
  message: string,
): Promise<Record<string, string>> {
  const closed = once(child.stdout, 'close')
  for (;;) {
    const found = said.out.split('\n').find((text) => text.includes(`"msg":"${message}"`))
    if (found !== undefined) return JSON.parse(found)
    if (child.exitCode !== null) throw new Error(`The command ended with ${child.exitCode}: ${said.out}${said.error}`)
    await Promise.race([once(child.stdout, 'data'), closed])
  }
}

/** Starts the command, and waits until it listens. */
async function started(configuration: object = CONFIGURATION, ...args: string[]) {
  const running = command('--config', configured(configuration), ...args)
  const { address = '', metrics = '', sandbox, faultSeed } = await line(running.child, running.said, 'listening')
  return { ...running, address, metrics, sandbox, faultSeed, origin: new URL(address).origin }
}

/** Where a command writes its log and its errors, with a reader that the test can stop. */
async function unreadLog(kind: string) {
  if (kind === 'socket') {
    // What Node calls a pipe is a pair of sockets.
    const stdio: StdioOptions = ['ignore', 'pipe', 'pipe']
    return {
      args: { stdio },
      log: ({ stdout, stderr }: ChildProcess, said: { error: string }): Readable => {
        if (stdout === null || stderr === null) throw new Error('no pipe')
        stderr.setEncoding('utf8').on('data', (text: string) => (said.error += text))
        return stdout
      },
    }
  }
  const file = join(folderOf({}), 'log')
  execFileSync('mkfifo', [file])
  const reading = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
  const writing = openSync(file, 'w')
  const stdio: StdioOptions = ['ignore', writing, writing]
  return {
    args: { stdio },
    log: (): Readable => {
      closeSync(writing)
      return new Socket({ fd: reading, readable: true, writable: false })
    },
  }
}

/** Sends that many requests that nobody has signed over one connection, and reads the answers. */
async function floodAt(port: number, requests: number): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  socket.write('GET /nowhere HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(requests))
  let answered = 0
  let rest = ''
  for await (const text of socket.setEncoding('latin1')) {
    const parts = `${rest}${text}`.split(/HTTP\/1\.1 (?:404|503)/)
    answered += parts.length - 1
    rest = (parts.at(-1) ?? '').slice(-12)
    if (answered === requests) break
  }
  expect(answered).toBe(requests)
}

function send(origin: string, { url, method, headers, body }: ReturnType<typeof sale>): Promise<Response> {
  return fetch(origin + url, { method, headers: headers as Record<string, string>, body })
}

/** A port that is taken, by a server that ends no connection. */
async function listening() {
  const server = createServer({ allowHalfOpen: true })
  onTestFinished(() => void server.close())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  return { server, port }
}

const KEYS = newVaultKeys(pooledRandomness(), 'first')

/** Writes the configuration of a gateway whose store is a server. */
function shared(store: string, configuration: object = {}): string {
  const text = JSON.stringify({ ...CONFIGURATION, store, vaultKeyFile: 'vault.keys', ...configuration })
  return join(folderOf({ 'gateway.json': text, 'vault.keys': KEYS.reveal() }), 'gateway.json')
}

/** How PostgreSQL refuses a user: an ErrorResponse of 28 bytes, with severity, code and message. */
const REFUSAL = 'E\0\0\0\x1cSFATAL\0C28000\0Mnot you\0\0'

describe('the command', () => {
  test('serves what it is configured to: the interface, its health and its metrics', async () => {
    const { origin, metrics, child, said, ended } = await started()
    const sold = await send(origin, sale())
    expect([sold.status, await sold.json()]).toMatchObject([200, { type: 'async-response', 'end-point-id': '1111' }])
    expect(await (await send(origin, status({ client_orderid: 'inv-1' }))).json()).toMatchObject({ status: 'approved' })
    const wrongOnes = await send(origin, { ...sale(), body: 'a=1' })
    expect(wrongOnes.status).toBe(403)
    expect(await (await fetch(`${origin}/healthz`)).text()).toBe('ok\n')
    expect(await (await fetch(`${origin}/readyz`)).text()).toBe('ready\n')
    expect(await (await fetch(metrics)).text()).toContain('tallystick_requests_total{operation="sale",status="200"} 1')
    child.kill('SIGTERM')
    expect(await ended).toMatchObject({ code: 0, error: '' })
    const lines = said.out
      .trim()
      .split('\n')
      .map((text): Record<string, unknown> => JSON.parse(text))
    const decided = lines.splice(
      lines.findIndex(({ msg }) => msg === 'decided'),
      1,
    )
    expect(decided).toMatchObject([{ clientOrderId: 'inv-1', kind: 'sale', status: 'approved', endpointId: '1111' }])
    expect(lines.map(({ msg }) => msg)).toEqual([
      expect.stringMatching(/^acquirer: is the simulator/),
      expect.stringMatching(/^store: is memory/),
      'listening',
      'answered',
      'answered',
      'answered',
      'stopping',
      'stopped',
    ])
    expect(lines[2]).toMatchObject({ store: 'memory' })
    expect(
      lines.filter(({ msg }) => msg === 'answered').map(({ operation, httpStatus }) => [operation, httpStatus]),
    ).toEqual([
      ['sale', 200],
      ['status', 200],
      ['sale', 403],
    ])
    for (const secret of [SHOP.controlKey, '4444333322221111', 'john.smith']) expect(said.out).not.toContain(secret)
  })

  test('takes port, store and sandbox from its command line, and finishes the answers under way when it is told to stop', async () => {
    const file = { ...CONFIGURATION, port: 1, store: '/nowhere/gateway.db' }
    const { origin, child, said, ended } = await started(file, '--port', '0', '--store', 'memory', '--sandbox')
    const refused = await send(origin, { ...sale(), body: 'a=1' })
    expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining('Sandbox: ')])
    const { url, method, headers, body } = sale()
    const { hostname, port } = new URL(origin)
    const begun = request({ hostname, port, path: url, method, headers: { ...headers, 'content-length': body.length } })
    const answered = once(begun, 'response')
    begun.write(body.slice(0, 20))
    // Once the server has answered a later request, it has the head of this one.
    await once(begun, 'socket').then(([socket]) => socket.connecting && once(socket, 'connect'))
    await fetch(`${origin}/healthz`)
    child.kill('SIGHUP')
    await line(child, said, 'stopping')
    // The signal comes twice under npm: from the terminal, and passed on by npm.
    child.kill('SIGHUP')
    // On a connection of its own, since one that is kept alive may bring a last request.
    const another = request({ hostname, port, path: '/healthz', agent: false }).end()
    await expect(once(another, 'response')).rejects.toThrow(/ECONNREFUSED|ECONNRESET|socket hang up/)
    begun.end(body.slice(20))
    const [response] = await answered
    expect([response.statusCode, response.headers.connection]).toEqual([200, 'close'])
    response.resume()
    expect(await ended).toMatchObject({ code: 0, error: '' })
  })

  test('goes on if nobody reads its log any more, says so, and counts it', async () => {
    const { origin, metrics, child, said } = await started()
    const complained = once(child.stderr, 'data')
    child.stdout.destroy()
    for (const clientOrderId of ['inv-1', 'inv-2']) {
      expect((await send(origin, sale({ client_orderid: clientOrderId }))).status).toBe(200)
    }
    await complained
    expect(said.error).toBe(
      'tallystick-gateway: the log cannot be written to the standard output (EPIPE); payments go on, but log lines are lost\n',
    )
    expect(await (await fetch(metrics)).text()).toContain('tallystick_failures_total 1')
    child.stderr.destroy()
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([0, null])
  })

  test.runIf(process.platform !== 'win32').for(['pipe', 'socket'])(
    '[F-B4] the log loses lines and counts them while the reader of its %s stands still, and every request is answered',
    async (kind) => {
      const { args, log } = await unreadLog(kind)
      const child = spawn(process.execPath, ['--conditions=@tallystick/source', MAIN, '--config', configured()], args)
      onTestFinished(() => void child.kill('SIGKILL'))
      const said = { out: '', error: '' }
      const reader = log(child, said)
      reader.setEncoding('utf8').on('data', (text: string) => (said.out += text))
      const { address = '', metrics = '' } = await line({ exitCode: null, stdout: reader }, said, 'listening')
      reader.pause()
      const { origin, port } = new URL(address)
      await floodAt(Number(port), 10_000)
      expect((await fetch(`${origin}/healthz`)).status).toBe(200)
      expect((await send(origin, sale())).status).toBe(200)
      const counted = async () =>
        Number(/^tallystick_log_lines_lost_total (\d+)$/m.exec(await (await fetch(metrics)).text())?.[1])
      expect(await counted()).toBeGreaterThan(100)
      const gaps = () =>
        [...said.out.matchAll(/"lost":(\d+),"msg":"lines of the log were lost"}\n/g)].map(([, lost]) => Number(lost))
      const told = () =>
        (said.out + said.error).split('written to the standard output (its reader stands still)').length - 1
      reader.resume()
      // A reader that still takes something while it stands still lets lines through, and then there are several gaps.
      await vi.waitFor(async () => expect(gaps().reduce((sum, lost) => sum + lost, 0)).toBe(await counted()), 20_000)
      await vi.waitFor(() => expect(told()).toBeGreaterThan(0), 20_000)
      expect(told()).toBeLessThanOrEqual(gaps().length)
    },
  )

  test('says where it serves behind a proxy, and serves there', async () => {
    const { address, origin, child, ended } = await started({
      ...CONFIGURATION,
      publicUrl: 'https://gate.example.com/pay',
    })
    expect(address).toBe(`${origin}/pay`)
    expect((await fetch(`${address}/api/v2/sale/1111`)).status).toBe(405)
    child.kill('SIGTERM')
    expect(await ended).toMatchObject({ code: 0 })
  })

  test('has, as a sandbox, a port for tests, shows its seed, and its clock can be advanced', async () => {
    const faults = ['--sandbox', '--faults', 'reply-lost-after-commit', '--fault-seed', '4711']
    const { origin, sandbox = '', faultSeed, child, ended } = await started(CONFIGURATION, ...faults)
    expect([new URL(sandbox).hostname, faultSeed]).toEqual(['127.0.0.1', 4711])
    await expect(send(origin, sale())).rejects.toThrow('fetch failed')
    const { orders } = (await (await fetch(`${sandbox}/orders`)).json()) as { orders: object[] }
    expect(orders).toMatchObject([{ clientOrderId: 'inv-1', status: 'approved', faults: ['reply-lost-after-commit'] }])
    const body = JSON.stringify({ duration: '2d' })
    expect((await fetch(`${sandbox}/clock/advance`, { method: 'POST', body })).status).toBe(401)
    const headers = { authorization: `Bearer ${OPERATOR_KEY}` }
    const advanced = await fetch(`${sandbox}/clock/advance`, { method: 'POST', body, headers })
    const { now } = (await advanced.json()) as { now: string }
    expect(Date.parse(now)).toBeGreaterThan(Date.now() + 86_400_000)
    expect((await fetch(`${origin}/__sandbox`)).status).toBe(404)
    child.kill('SIGTERM')
    expect(await ended).toMatchObject({ code: 0, error: '' })
  })

  test('asks the running gateway to send callbacks again', async () => {
    const { origin, metrics, child, ended } = await started()
    const { port } = new URL(metrics)
    const config = configured({ ...CONFIGURATION, metricsPort: Number(port) })
    const resend = (orderId: string) => command('resend', orderId, '--config', config).ended
    const called = { server_callback_url: 'https://shop.invalid/callback' }
    const made = async (fields: Record<string, string>) => {
      const reply = await send(origin, sale(fields))
      return ((await reply.json()) as { 'paynet-order-id': string })['paynet-order-id']
    }
    const [known, uncalled] = [
      await made({ ...called, client_orderid: 'inv-1' }),
      await made({ client_orderid: 'inv-2' }),
    ]
    const [done, ...others] = await Promise.all([known, uncalled, '123456789012345'].map(resend))
    expect(done).toEqual({ code: 0, out: `1 callbacks of ${known} are sent again\n`, error: '' })
    expect(others.map(({ code, out, error }) => [code, out, error])).toEqual(
      [uncalled, '123456789012345'].map((orderId) => [
        2,
        '',
        `tallystick-gateway: no callback is sent: there is no order or callback ${orderId}, or it has no callback address, no outcome yet, or a merchant that is not configured\n`,
      ]),
    )
    child.kill('SIGINT')
    expect(await ended).toMatchObject({ code: 0 })
    expect(await resend('123456789012345')).toMatchObject({
      code: 2,
      error: `tallystick-gateway: no gateway answers at http://127.0.0.1:${port}; is it running?\n`,
    })
  })

  test('[F-D12] shows what is stored in a SQLite file while the gateway runs', async () => {
    const { origin, metrics, address, child, ended } = await started({ ...CONFIGURATION, store: 'gateway.db' })
    const { port } = new URL(metrics)
    const config = configured({ ...CONFIGURATION, metricsPort: Number(port) })
    const ask = (...args: string[]) => command(...args, '--config', config).ended
    const bought = async (fields: Record<string, string>) => {
      const reply = await send(origin, sale(fields))
      return ((await reply.json()) as { 'paynet-order-id': string })['paynet-order-id']
    }
    const first = await bought({ client_orderid: 'inv-1', amount: '12.34' })
    const second = await bought({ client_orderid: first, cvv2: '116' })
    const rows = async (...args: string[]) => {
      const { out } = await ask('orders', '--json', ...args)
      return out.split('\n').flatMap((text) => (text === '' ? [] : [JSON.parse(text)]))
    }
    expect((await rows()).map(({ orderId }) => orderId)).toEqual([second, first])
    const [latest] = await rows('--limit', '1')
    expect(await rows('--limit', '1', '--cursor', latest.cursor)).toMatchObject([{ orderId: first, amount: '12.34' }])
    expect((await ask('orders', '--status', 'approved', '--since', '1h')).out).toMatch(
      new RegExp(`^CREATED.*\\n.*  ${first}  approved  12.34 EUR  shop inv-1\\n$`),
    )
    expect(await ask('orders', '--limit', '1')).toMatchObject({ code: 0, error: expect.stringContaining('--cursor ') })
    expect((await ask('order', 'inv-1')).out).toContain('merchant 12.34 EUR')
    // The first one's id is also what the merchant calls the second.
    const both = await ask('order', first)
    expect([both.code, both.out.split('\n').length, both.error]).toEqual([
      1,
      4,
      expect.stringContaining('2 orders have this id'),
    ])
    expect(await ask('order', second, '--json')).toMatchObject({ code: 0, error: '' })
    expect(JSON.parse((await ask('order', second, '--json')).out)).toMatchObject({
      operations: [{ kind: 'sale', status: 'declined', errorCode: '116' }],
    })
    expect(await ask('order', 'inv-3')).toMatchObject({ code: 1, out: '', error: expect.stringContaining('no order') })
    expect(await ask('callbacks', '--given-up')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^GIVEN UP.*\n$/),
    })
    expect(await ask('orders', '--limit', '2000')).toMatchObject({
      code: 2,
      error: expect.stringContaining('answered 400: orders: limit must be a whole number from 1 to 1000'),
    })
    const other = { TALLYSTICK_OPERATOR_KEY: 'f0c1b7f2d4e9836551f0c2ab9d7e4410' }
    expect(await commandWith(other, 'orders', '--url', `http://127.0.0.1:${port}`).ended).toMatchObject({
      code: 2,
      out: '',
      error: expect.stringMatching(/does not accept the operator key in TALLYSTICK_OPERATOR_KEY/),
    })
    expect(await command('orders', '--url', new URL(address).origin).ended).toMatchObject({
      code: 2,
      error: expect.stringContaining("with 404, is not the gateway's metricsPort"),
    })
    child.kill('SIGTERM')
    expect(await ended).toMatchObject({ code: 0 })
  })

  test('makes the running gateway write an outcome', async () => {
    const { origin, metrics, child, said, ended } = await started()
    const config = configured({ ...CONFIGURATION, metricsPort: Number(new URL(metrics).port) })
    const reply = await send(origin, sale({ cvv2: '217' }))
    const { 'paynet-order-id': orderId } = (await reply.json()) as { 'paynet-order-id': string }
    const write = (word: string) =>
      command('outcome', `${orderId}-1`, word, '--why', 'told by the bank', '--by', 'anna', '--config', config).ended
    expect(await write('approved')).toEqual({ code: 0, out: `the operation ${orderId}-1 is approved\n`, error: '' })
    expect(await write('declined')).toMatchObject({
      code: 2,
      error: 'tallystick-gateway: the gateway answered 409: the operation has ended as approved\n',
    })
    expect(await line(child, said, 'operator')).toMatchObject({
      who: 'anna',
      from: '127.0.0.1',
      subject: `${orderId}-1`,
      before: 'unknown',
      after: 'approved',
      why: 'told by the bank',
    })
    child.kill('SIGTERM')
    expect(await ended).toMatchObject({ code: 0 })
  })

  test('[F-B2] the operator key is made in a file for its owner alone, which the commands read', async () => {
    const { port } = await listening()
    const config = configured({ ...CONFIGURATION, metricsPort: port })
    const bare = { TALLYSTICK_OPERATOR_KEY: undefined }
    expect((await commandWith(bare, 'resend', '123456789012345', '--config', config).ended).error).toMatch(
      /^tallystick-gateway: the operator key is missing: set TALLYSTICK_OPERATOR_KEY to that of the gateway /,
    )
    // Its metricsPort is taken, so it ends, but not before it has its key.
    expect(await commandWith(bare, '--config', config).ended).toMatchObject({ code: 2 })
    const file = join(dirname(config), 'operator.key')
    expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual([
      expect.stringMatching(/^[\da-f]{64}\n$/),
      0o600,
    ])
    chmodSync(file, 0o644)
    expect(await commandWith(bare, 'resend', '123456789012345', '--config', config).ended).toMatchObject({
      code: 2,
      error: `tallystick-gateway: operatorKeyFile: ${file} has mode 0644, so every user of this machine may read it: chmod 600 ${file}\n`,
    })
  })

  test.each([
    [200, 'text/html', '<h1>Welcome</h1>'],
    [401, 'text/html', '<h1>Log in</h1>'],
    [200, 'text/plain', 'ok'],
    [200, 'application/json', '{"items":1}'],
  ])('takes no %i with %s of another program for the word of the gateway', async (status, type, body) => {
    const other = createHttpServer((_, response) => response.writeHead(status, { 'content-type': type }).end(body))
    await once(other.listen(0, '127.0.0.1'), 'listening')
    const { port } = other.address() as { port: number }
    const config = configured({ ...CONFIGURATION, metricsPort: port })
    const asking = [
      ['resend', '123456789012345'],
      ['outcome', '123456789012345-1', 'approved', '--why', 'told by the bank'],
      ['orders'],
    ].map((args) => command(...args, '--config', config).ended)
    for (const { code, out, error } of await Promise.all(asking))
      expect([code, out, error]).toEqual([
        2,
        '',
        expect.stringContaining(`what answers at http://127.0.0.1:${port}, with ${status}, `),
      ])
    other.closeAllConnections()
    other.close()
  })

  test('asks for callbacks to be sent again at an IPv6 address', async () => {
    const config = configured({ ...CONFIGURATION, metricsHost: '::1', metricsPort: 1 })
    expect(await command('resend', '123456789012345', '--config', config).ended).toMatchObject({
      code: 2,
      error: 'tallystick-gateway: no gateway answers at http://[::1]:1; is it running?\n',
    })
  })

  test('asks nobody if the configuration does not say at which port', async () => {
    expect(await command('resend', '123456789012345', '--config', configured()).ended).toMatchObject({
      code: 2,
      error:
        'tallystick-gateway: metricsPort: is 0, which is any free port: choose one, so that the gateway can be found, or give its address by --url\n',
    })
  })

  /** What a shell would send. */
  const curl = /^ {2}curl (\S+) -H '([^':]+): ([^']+)' -d '([^']+)'$/m

  /** Starts a sandbox without a file, and waits until it listens. `printed`: the variables for a shop. */
  async function ownSandbox(environment: Environment, ...args: string[]) {
    const cwd = folderOf()
    const none = { TALLYSTICK_OPERATOR_KEY: undefined, TALLYSTICK_CONTROL_KEY: undefined }
    const running = commandIn(cwd, { ...none, ...environment }, '--sandbox', ...args)
    const { address = '', sandbox = '' } = await line(running.child, running.said, 'listening')
    await vi.waitFor(() => expect(running.said.error).toMatch(curl), 20_000)
    const variables = running.said.error.matchAll(/^ {2}export (TALLYSTICK_\w+)=(\S+)$/gm)
    const printed: Record<string, string> = Object.fromEntries([...variables].map(([, name, value]) => [name, value]))
    return { ...running, cwd, address, sandbox, printed }
  }

  test('[F-C21] [F-E10] starts as a sandbox without a file, prints what a shop needs, where the workbench is and a command that pays, and leaves no file', async () => {
    const { cwd, address, sandbox, said, printed } = await ownSandbox({}, '--port', '0')
    const { TALLYSTICK_CONTROL_KEY: controlKey = '', TALLYSTICK_OPERATOR_KEY: operatorKey = '', ...rest } = printed
    expect(rest).toEqual({
      TALLYSTICK_BASE_URL: address,
      TALLYSTICK_LOGIN: 'test',
      TALLYSTICK_ENDPOINT: '1',
      TALLYSTICK_SANDBOX: new URL(sandbox).origin,
    })
    for (const key of [controlKey, operatorKey]) {
      expect(key).toMatch(/^[\da-f]{64}$/)
      expect(said.out).not.toContain(key)
    }
    const workbench = `${new URL(sandbox).origin}/?token=${operatorKey}`
    expect(said.error).toContain(`\nThe workbench, a page that shows what happens:\n  ${workbench}\n`)
    const allowed = { method: 'POST', headers: { authorization: `Bearer ${operatorKey}` } }
    const [, url = '', header = '', value = '', body = ''] = curl.exec(said.error) ?? []
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const paid = await fetch(url, { method: 'POST', headers: { ...form, [header]: value }, body })
    expect([paid.status, await paid.json()]).toMatchObject([200, { type: 'async-response', 'end-point-id': '1' }])
    expect((await fetch(`${sandbox}/settle`, allowed)).status).toBe(200)
    const signer = { login: 'test', endpointId: '1', controlKey }
    const own = sale({ client_orderid: 'own', cvv2: '116' }, signer)
    expect((await send(new URL(address).origin, own)).status).toBe(200)
    expect((await fetch(`${sandbox}/settle`, allowed)).status).toBe(200)
    const { orders } = (await (await fetch(`${sandbox}/orders`)).json()) as { orders: object[] }
    expect(orders).toMatchObject([
      { clientOrderId: 'own', login: 'test', status: 'declined' },
      { status: 'approved', amount: '10.42', currency: 'EUR' },
    ])
    expect(readdirSync(cwd)).toEqual([])
  })

  test('[F-C21] a sandbox keeps the keys of its environment, which it does not print, and takes free ports if its own are taken', async () => {
    const controlKey = 'c1b7f2d4e9836551f0c2ab9d7e441077'
    const own = { TALLYSTICK_CONTROL_KEY: controlKey, TALLYSTICK_OPERATOR_KEY: OPERATOR_KEY }
    // One of the two has none of the usual ports, whatever else runs on this machine.
    const both = await Promise.all([ownSandbox(own), ownSandbox(own)])
    for (const { address, sandbox, said } of both) {
      const { origin } = new URL(address)
      expect(said.error).toContain('\n  # TALLYSTICK_CONTROL_KEY is set\n')
      expect(said.error).toContain(`\n  ${new URL(sandbox).origin}/  (it asks for TALLYSTICK_OPERATOR_KEY)\n`)
      for (const key of [controlKey, OPERATOR_KEY]) expect(said.error + said.out).not.toContain(key)
      const signer = { login: 'test', endpointId: '1', controlKey }
      expect((await send(origin, sale({}, signer))).status).toBe(200)
      const allowed = { method: 'POST', headers: { authorization: `Bearer ${OPERATOR_KEY}` } }
      expect((await fetch(`${sandbox}/settle`, allowed)).status).toBe(200)
      const moved =
        new URL(sandbox).port === '9465' ? '' : `\nsandboxPort: 9465 is taken, so it is ${new URL(sandbox).port}\n`
      expect(said.error).toContain(moved)
    }
    expect(new Set(both.map(({ sandbox }) => sandbox)).size).toBe(2)
  })

  // Elsewhere 127.0.0.2 is no address of the machine.
  test.runIf(process.platform === 'linux')(
    '[F-C21] a sandbox that is opened to others has the interface and the workbench on every address',
    async () => {
      const key = { TALLYSTICK_OPERATOR_KEY: OPERATOR_KEY }
      const { address, sandbox, printed } = await ownSandbox(key, '--port', '0', '--host', '0.0.0.0')
      // Nobody can call 0.0.0.0, on which it listens.
      const called = [address, new URL(sandbox).origin].map((each) => each.replace('0.0.0.0', '127.0.0.1'))
      expect([printed['TALLYSTICK_BASE_URL'], printed['TALLYSTICK_SANDBOX']]).toEqual(called)
      expect([new URL(address).hostname, new URL(sandbox).hostname]).toEqual(['0.0.0.0', '0.0.0.0'])
      for (const path of [`:${new URL(address).port}/readyz`, `:${new URL(sandbox).port}/`])
        expect((await fetch(`http://127.0.0.2${path}`)).status).toBe(200)
    },
  )

  test('[F-C21] a sandbox does not take another port than its command line names', async () => {
    const { port } = await listening()
    expect(await command('--sandbox', '--port', `${port}`).ended).toMatchObject({
      code: 2,
      error: `tallystick-gateway: port: ${port} on 127.0.0.1 is taken (EADDRINUSE): choose another for "port"\n`,
    })
  })

  test.runIf(process.platform !== 'win32')('[F-B16] a signal does not open the inspector', async () => {
    const { origin, child, said } = await started()
    child.kill('SIGUSR1')
    expect(await (await fetch(`${origin}/healthz`)).text()).toBe('ok\n')
    child.kill('SIGTERM')
    await once(child, 'exit')
    expect(said.error).toBe('')
  })

  test.runIf(process.platform === 'linux')('[F-B16] a password on its command line is not shown', async () => {
    const { port } = await listening()
    const store = `postgres://shop:hunter2-hunter2@127.0.0.1:${port}/payments`
    const { child, said } = command('--config', shared('memory'), '--store', store)
    const shown = () => readFileSync(`/proc/${child.pid}/cmdline`, 'latin1')
    await vi.waitFor(() => expect(shown()).toMatch(/^tallystick-gateway/), 20_000)
    expect(shown()).not.toContain('hunter2')
    expect(said.out + said.error).not.toContain('hunter2')
  })

  test('prints its version', async () => {
    expect(await command('--version').ended).toMatchObject({ code: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) })
  })

  test('makes a key file for its owner alone, and never over another one', async () => {
    const file = join(folderOf(), 'vault.keys')
    expect(await command('keys', file).ended).toMatchObject({ code: 0, out: '', error: '' })
    const made = readFileSync(file, 'utf8')
    expect(Object.keys(JSON.parse(made))).toEqual(['current', 'wrapping', 'fingerprint'])
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(await command('keys', file).ended).toMatchObject({
      code: 2,
      error: expect.stringContaining('exists already'),
    })
    expect(readFileSync(file, 'utf8')).toBe(made)
  })
})

describe('the command ends with 2, names what is wrong, and quotes no key', () => {
  const key = 'hunter2-3f9c1a7be2d04c58a6e1f7b09d2c4e83'
  const merchant = { login: 'shop', controlKey: key, endpoints: [{ id: 1 }] }

  test('a setting', async () => {
    const configuration = { ...CONFIGURATION, merchants: [{ ...merchant, endpoints: [{ id: 1 }, { id: 1 }] }] }
    const { code, error } = await command('--config', configured(configuration)).ended
    expect(code).toBe(2)
    expect(error).toMatch(/^tallystick-gateway: merchants: two endpoints or groups have the same id/)
    expect(error).not.toMatch(/hunter2|\n\s+at /)
  })

  test.for([
    ['--store', 'postgress://shop:hunter2-hunter2@127.0.0.1/payments'],
    ['postgres://shop:hunter2-hunter2@127.0.0.1/payments'],
  ])('the address of a database in the wrong place: %s', async (args) => {
    const { code, error } = await command('--config', configured(), ...args).ended
    expect(code).toBe(2)
    expect(error).toMatch(/address/)
    expect(error).not.toContain('hunter2')
  })

  test('a port that is taken', async () => {
    const { port } = await listening()
    expect(await command('--config', configured({ ...CONFIGURATION, metricsPort: port })).ended).toMatchObject({
      code: 2,
      error: `tallystick-gateway: metricsPort: ${port} on 127.0.0.1 is taken (EADDRINUSE): choose another for "metricsPort"\n`,
    })
  })

  test('a setting, or a port that is taken, while the store is a server: its connections do not keep the process alive', async () => {
    const { url, close } = await testDatabase()
    onTestFinished(close)
    const { port } = new URL(url)
    expect(await command('--config', shared(url, { merchants: [MERCHANT, MERCHANT] })).ended).toMatchObject({
      code: 2,
      error: expect.stringMatching(/^tallystick-gateway: merchants: two have the same login/),
    })
    expect(await command('--config', shared(url, { metricsPort: Number(port) })).ended).toMatchObject({
      code: 2,
      error: expect.stringContaining(`metricsPort: ${port} on 127.0.0.1 is taken`),
    })
  })

  test('a database that refuses and ends no connection, even while something waits for an answer: it is cut off', async () => {
    const server = await listening()
    const own = await listening()
    await new Promise((closed) => own.server.close(closed))
    const { ended } = command(
      '--config',
      shared(`postgres://shop@127.0.0.1:${server.port}/payments`, { port: own.port }),
    )
    const [asking] = await once(server.server, 'connection')
    const ready = fetch(`http://127.0.0.1:${own.port}/readyz`).catch(() => 'cut off')
    expect(await (await fetch(`http://127.0.0.1:${own.port}/healthz`)).text()).toBe('ok\n')
    asking.write(REFUSAL)
    expect(await ended).toMatchObject({
      code: 2,
      error:
        'tallystick-gateway: store: The database refuses: not you (https://tallystick.github.io/tallystick/errors/gateway.html#unwritable)\n',
    })
    expect(await ready).toBe('cut off')
  })

  test.for(['host', 'metricsHost'])('an address that is not of this machine: %s', async (setting) => {
    const configuration = { ...CONFIGURATION, [setting]: '192.0.2.1' }
    expect(await command('--config', configured(configuration)).ended).toMatchObject({
      code: 2,
      error: `tallystick-gateway: ${setting}: 192.0.2.1 is no address of this machine (EADDRNOTAVAIL); 0.0.0.0 stands for all of its addresses\n`,
    })
  })

  test('faults without a sandbox', async () => {
    expect(await command('--config', configured(), '--fault-seed', '1').ended).toMatchObject({
      code: 2,
      error: 'tallystick-gateway: faults: for a sandbox alone; add --sandbox, or "sandbox": true\n',
    })
  })

  test('a configuration that does not exist', async () => {
    expect(await command('--config', '/nowhere/g.json').ended).toMatchObject({
      code: 2,
      error: 'tallystick-gateway: /nowhere/g.json cannot be read (ENOENT)\n',
    })
  })
})
