/** A gateway, or what it is compared with, in a process of its own. */
import {
  createCipheriv,
  createHmac,
  createPublicKey,
  createSecretKey,
  randomBytes,
  randomFillSync,
  verify,
} from 'node:crypto'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import {
  createGateway,
  listen,
  memoryStore,
  newVaultKeys,
  readVaultKeys,
  type SendCallback,
  simulator,
} from '@tallystick/gateway'
import { postgresStore } from '@tallystick/gateway/postgres'
import { sqliteStore } from '@tallystick/gateway/sqlite'
import type { Store } from '@tallystick/gateway/store'
import { bareProgram, type RecordedStatement, recordCommits } from './postgres.ts'
import { portOf, report } from './processes.ts'

export interface GatewaySetUp {
  readonly kind: keyof typeof kinds
  readonly login: string
  readonly controlKey: string
  readonly endpointId: string
  readonly publicKey: string
  /** The address for which the requests are signed. */
  readonly baseUrl: string
  /** Of a gateway: a file for SQLite, or a database; else it stores in memory. */
  readonly file?: string
  readonly database?: { readonly url: string; readonly schema: string; readonly isRecorded?: boolean }
  /** Of a gateway: where the callbacks of all shops go, on this machine. */
  readonly receiver?: string
  /** Of a gateway: whether it records everything. */
  readonly isRecording?: boolean
  /** Of `sameBytes`. */
  readonly page?: { readonly headers: Readonly<Record<string, string>>; readonly body: string }
}

const setUp = JSON.parse(process.argv[2] ?? '{}') as GatewaySetUp

/** The cryptography that no gateway can do without, in bare calls of Node: what a request costs at the least, beside HTTP. */
type Work = (body: string, fields: URLSearchParams) => void

/** RSA-SHA256 over the body. Verifying this signature costs as much as a right one over a text of the same length. */
function rsaOfBody(): Work {
  const key = createPublicKey(setUp.publicKey)
  const signature = Buffer.alloc(256, 1)
  return (body) => void verify('sha256', Buffer.from(body), key, signature)
}

/** HMAC-SHA1 over the body. */
function hmacOfBody(): Work {
  const key = createSecretKey(`${setUp.controlKey}&`, 'utf8')
  return (body) => void createHmac('sha1', key).update(body).digest('base64')
}

/** A card number under AES-256-GCM with a data key of many cards. */
function sealedCard(): Work {
  const dataKey = createSecretKey(randomBytes(32))
  return (_body, fields) => void encrypt(dataKey, Buffer.from(fields.get('credit_card_number') ?? ''))
}

function encrypt(key: Parameters<typeof createCipheriv>[1], plain: Uint8Array): Uint8Array {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(iv)
  return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

/** Parses the form, does the given work, and answers the same JSON: the least that any service of this kind does. */
function bare(work?: Work): Promise<number> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('latin1')
      const fields = new URLSearchParams(body)
      work?.(body, fields)
      const reply = JSON.stringify(acknowledgement(fields.get('client_orderid')))
      response.writeHead(200, {
        'content-type': 'application/vnd.pay+json',
        'cache-control': 'no-store',
        'content-length': Buffer.byteLength(reply),
      })
      response.end(reply)
    })
  })
  return portOf(server)
}

function acknowledgement(clientOrderId: string | null) {
  return {
    type: 'async-response',
    'serial-number': '00000000-0000-4000-8000-000000000000',
    'merchant-order-id': clientOrderId,
    'paynet-order-id': '123456789012345',
    'end-point-id': '253',
  }
}

/** Sends the same answer, with its headers, to every request. */
function sameBytes(): Promise<number> {
  const { headers = {}, body = '' } = setUp.page ?? {}
  const { connection: _, date: __, 'keep-alive': ___, ...own } = headers
  const server = createServer((_request, response) => {
    response.writeHead(200, own)
    response.end(body)
  })
  return portOf(server)
}

let takeRecorded: (() => readonly RecordedStatement[]) | undefined

/** Until November 2026 it took the name alone. */
function sqliteAt(file: string): Store {
  try {
    return sqliteStore({ file })
  } catch {
    return sqliteStore(file as never)
  }
}

async function openStore(): Promise<Store> {
  if (setUp.file !== undefined) return sqliteAt(setUp.file)
  if (setUp.database === undefined) return memoryStore()
  const { url: connectionString, schema, isRecorded } = setUp.database
  if (isRecorded === true) takeRecorded = recordCommits(schema)
  // Until November 2026 this was a promise of a store that was ready.
  const store: Store & { ready?(): Promise<void> } = await Promise.resolve(
    postgresStore({ connectionString, schema, onError }),
  )
  await store.ready?.()
  return store
}

/** Only a sandbox may call a shop on this machine, but the gateway is none: a sandbox costs more. */
async function senderTo(receiver: string): Promise<SendCallback> {
  const sources = join(import.meta.dirname, '../../packages/gateway/src')
  // The second is where it was until November 2026.
  const [file = ''] = ['callbacks/sender.ts', 'rims/callback-sender.ts'].filter((each) =>
    existsSync(join(sources, each)),
  )
  const sender = (await import(join(sources, file))).callbackSender({ sandbox: true })
  return (url) => sender.send(receiver + new URL(url).search)
}

async function gateway(): Promise<number> {
  const { login, controlKey, publicKey, endpointId: id, receiver, isRecording = false } = setUp
  const store = await openStore()
  const { handle } = createGateway({
    publicUrl: setUp.baseUrl,
    merchants: [{ login, controlKey, publicKey, endpoints: [{ id, currencies: ['USD', 'EUR'] }] }],
    store,
    vaultKeys: readVaultKeys(newVaultKeys((bytes) => void randomFillSync(bytes), 'bench').reveal()),
    acquirer: simulator(),
    ...(isRecording ? { recorder: (await import('@tallystick/gateway')).createRecording() } : {}),
    ...(receiver === undefined ? {} : { sendCallback: await senderTo(receiver) }),
    onError,
  })
  return Number(new URL((await listen(handle)).origin).port)
}

function onError(error: unknown): void {
  process.stderr.write(`${String(error)}\n`)
}

/** Microseconds that the bare program takes to send, into another schema, what was committed since the last question. */
async function timeBare(bareInto: string): Promise<{ readonly took: number }> {
  const { url = '', schema = '' } = setUp.database ?? {}
  const program = await bareProgram(url, { from: schema, into: bareInto })
  const statements = takeRecorded?.() ?? []
  const start = performance.now()
  await program.run(statements)
  const took = (performance.now() - start) * 1000
  await program.close()
  return { took }
}

const kinds = {
  bare: () => bare(),
  bareHmac: () => bare(hmacOfBody()),
  bareRsa: () => bare(rsaOfBody()),
  bareSeal: () => bare(sealedCard()),
  sameBytes,
  gateway,
}
report(await kinds[setUp.kind](), (question) => {
  const { bareInto } = question as { readonly bareInto?: string }
  return bareInto === undefined ? undefined : timeBare(bareInto)
})
