/** Sends callbacks to a shop on the runtime: right, forged, large, cut, and a thousand copies at once. */
import { connect } from 'node:net'
import { join } from 'node:path'
import { signedCallback, startGateway, testControlKey } from '@tallystick/testing'
import { FORM, statusOf } from '../harness/status-of.ts'
import type { Running } from './runtime.ts'
import { merchantOf } from './try-payments.ts'

const COPIES = 1000
/** Larger than any callback may be. */
const LARGE = 3_000_000

export async function tryCallbacks(running: Running, folder: string): Promise<readonly string[]> {
  const journals = ['none', 'memory', ...(running.hasSockets ? ['sqlite'] : [])]
  const findings: string[] = []
  for (const journal of journals) {
    for (const path of ['/callback', '/hono']) {
      const file = join(folder, `${journal}${path.replace('/', '-')}-${Date.now()}.db`)
      const wrong = await tryShop(running, { journal, path, file })
      findings.push(...wrong.map((text) => `callbacks to ${path}, journal ${journal}: ${text}`))
    }
  }
  return findings
}

async function tryShop(running: Running, { path, ...shop }: { journal: string; path: string; file: string }) {
  await using gateway = await startGateway()
  const merchant = merchantOf(gateway)
  const address = running.origin + path
  await running.ask('/shop', { ...shop, merchant, callbackUrl: address })
  const { outcome, clientOrderId, orderId } = await running.ask<Paid>('/pay')
  await gateway.settled()
  const callback = { status: 'approved', orderId, clientOrderId, type: 'sale', amount: '10.42' }
  const form = signedCallback(callback, merchant.controlKey)
  const forged = signedCallback(callback, testControlKey())
  const post = (body: string) => statusOf(address, { body })
  const answers = {
    paid: outcome,
    get: await statusOf(`${address}?${form}`),
    post: await post(form),
    forged: await statusOf(`${address}?${forged}`),
    put: await statusOf(address, { method: 'PUT', body: form }),
    large: await post(`${form}&x=${'y'.repeat(LARGE)}`),
    twice: await statusOf(`${address}?${form}&${form}`),
    empty: await post(''),
  }
  const expected = { paid: 'accepted', get: 200, post: 200, forged: 403, put: 405, large: 400, twice: 400, empty: 400 }
  await cut(address, form)
  const copies = await Promise.all(
    Array.from({ length: COPIES }, (_, n) => (n % 2 === 0 ? statusOf(`${address}?${form}`) : post(form))),
  )
  const effects = await running.ask<readonly string[]>('/effects')
  const refused = copies.filter((status) => status !== 200)
  return [
    ...(JSON.stringify(answers) === JSON.stringify(expected) ? [] : [`answered ${JSON.stringify(answers)}`]),
    ...(refused.length === 0 ? [] : [`${refused.length} of ${COPIES} copies were answered ${refused[0]}`]),
    ...(effects.length === 1 ? [] : [`${effects.length} effects: ${effects.join(', ')}`]),
  ]
}

interface Paid {
  readonly outcome: string
  readonly clientOrderId: string
  readonly orderId: string
}

/** Ends a connection within the body. Some servers answer then, others do not; none may do anything else. */
function cut(url: string, form: string): Promise<void> {
  const { hostname, port, pathname } = new URL(url)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname)
    socket.on('close', () => resolve()).on('error', () => {})
    const head = `POST ${pathname} HTTP/1.1\r\nhost: x\r\ncontent-type: ${FORM['content-type']}\r\n`
    socket.write(`${head}content-length: ${form.length + 50}\r\n\r\n${form}`, () => socket.resetAndDestroy())
  })
}
