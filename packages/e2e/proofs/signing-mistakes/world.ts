import { generateKeyPairSync } from 'node:crypto'
import type { RecordedEvent } from '@tallystick/core'
import type { GatewayReply } from '@tallystick/core/internal'
import { createGateway, createSandbox, type Gateway, type GatewayRequest, listen } from '@tallystick/gateway'
import type { Random } from '@tallystick/proof-kit'

export type Pair = readonly [name: string, value: string]
type Recorded<Type extends RecordedEvent['type']> = Extract<RecordedEvent, { readonly type: Type }>

/** A field as the sandbox shows it. */
export interface Field {
  readonly name: string
  readonly field?: string
  readonly value: string
}

export const LOGIN = 'shop'
export const RIVAL = 'rival'
export const ENDPOINT = '1111'
export const GROUP = '77'

const pair = (modulusLength: number) =>
  generateKeyPairSync('rsa', {
    modulusLength,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
export const ours = pair(2048)
export const another = pair(2048)
export const short = pair(1024)

/** A gateway with its sandbox. */
export type World = Awaited<ReturnType<typeof newWorld>>

/** @param isListening whether programs can reach it; otherwise its address is a public one */
export async function newWorld(random: Random, { isListening }: { readonly isListening: boolean }) {
  const key = random.pick([
    // As gateways make them.
    [8, 4, 4, 4, 12].map((length) => `${random.text(length - 1, '0123456789ABCDEF')}A`).join('-'),
    `b${random.text(20, 'ABCDEFabcdef0123456789')}+/=${random.text(10, 'ABCdef')}-Z`,
  ])
  const door = isListening ? await listen((request) => gateway.handle(request), { lingerMs: 0 }) : undefined
  const baseUrl = `${door?.origin ?? 'https://gate.example.com'}/paynet`
  const endpoints = [{ id: ENDPOINT }, { id: '1112' }]
  const gateway: Gateway = createGateway({
    sandbox: true,
    publicUrl: baseUrl,
    merchants: [
      {
        login: LOGIN,
        controlKey: key,
        publicKey: ours.publicKey,
        endpoints,
        groups: [{ id: GROUP, endpoints: [ENDPOINT, '1112'] }],
      },
      { login: RIVAL, controlKey: random.text(32, '0123456789abcdef'), endpoints: [{ id: '2222' }] },
    ],
  })
  const sandbox = createSandbox(gateway)
  let last: { request?: Recorded<'request'>; reply?: Recorded<'reply'> } = {}
  gateway.recording?.subscribe((event, id) => {
    if (event.type === 'request') last = { request: { version: 1, id, ...event } }
    if (event.type === 'reply') last = { ...last, reply: { version: 1, id, ...event } }
  })

  async function ask<Body>(method: 'GET' | 'POST', path: string, body?: object): Promise<Body> {
    const sent = body === undefined ? '' : JSON.stringify(body)
    const reply = await sandbox({ method, url: `/__sandbox${path}`, headers: {}, body: sent })
    return JSON.parse(reply.body) as Body
  }

  /** Hands over a request, and gives what was recorded of it. */
  async function hand(request: GatewayRequest): Promise<{
    readonly said: GatewayReply
    readonly request: Recorded<'request'>
    readonly reply: Recorded<'reply'>
  }> {
    const said = await gateway.handle(request)
    const { request: asked, reply } = last
    if (asked === undefined || reply === undefined) throw new Error('the recording has no reply')
    return { said, request: asked, reply }
  }

  const examples = new Map<string, readonly Field[]>()
  async function exampleOf(operation: string): Promise<readonly Field[]> {
    const known = examples.get(operation)
    if (known !== undefined) return known
    const { example } = await ask<{ example: readonly Field[] }>('GET', `/operations/${operation}`)
    examples.set(operation, example)
    return example
  }

  /** Has the sandbox send an operation, changed by the names of the models. */
  async function carryOut(operation: string, changes: Readonly<Record<string, string>> = {}) {
    const fields = (await exampleOf(operation)).map(({ name, field = '', value }) => [name, changes[field] ?? value])
    const { httpStatus } = await ask<{ httpStatus: number }>('POST', '/requests', {
      operation,
      fields: Object.fromEntries(fields),
    })
    if (httpStatus !== 200 || last.reply === undefined) throw new Error(`${operation} is answered ${httpStatus}`)
    await gateway.settled()
    return last.reply
  }

  return {
    baseUrl,
    key,
    ask,
    hand,
    exampleOf,
    carryOut,
    last: () => last.reply,
    close: async () => {
      await door?.close()
      await gateway.close()
    },
  }
}
