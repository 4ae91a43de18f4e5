import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { WireRequest } from './random-request.ts'

export type Answer = { readonly baseString: string; readonly signature: string; readonly control: string }

const PYTHON = '/usr/bin/python3'
const BATCH = 500

/**
 * Asks oauthlib about requests, in batches, in order.
 *
 * @throws When Python or oauthlib is missing: apt-get install python3-oauthlib.
 */
export async function* askOauthlib(
  requests: Iterable<WireRequest>,
  rsaKey: string,
): AsyncGenerator<readonly [WireRequest, Answer]> {
  const python = spawn(PYTHON, [new URL('oauthlib-signer.py', import.meta.url).pathname], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const answers = createInterface({ input: python.stdout })[Symbol.asyncIterator]()
  python.stdin.write(`${JSON.stringify({ rsaKey })}\n`)
  try {
    for (const batch of batches(requests)) {
      python.stdin.write(batch.map((request) => `${JSON.stringify(request)}\n`).join(''))
      for (const request of batch) {
        const { value, done } = await answers.next()
        if (done === true) throw new Error('oauthlib stopped: is python3-oauthlib installed for /usr/bin/python3?')
        yield [request, JSON.parse(value) as Answer]
      }
    }
  } finally {
    python.stdin.end()
  }
}

function* batches(requests: Iterable<WireRequest>): Generator<WireRequest[]> {
  let batch: WireRequest[] = []
  for (const request of requests) {
    batch.push(request)
    if (batch.length === BATCH) {
      yield batch
      batch = []
    }
  }
  if (batch.length > 0) yield batch
}
