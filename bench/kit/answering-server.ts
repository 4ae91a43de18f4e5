/**
 * Answers every request on persistent connections as the server of its path does, and does nothing else, to measure only the
 * client. Speaks just enough HTTP for clients that send `content-length`.
 */
import { createServer, type Socket } from 'node:net'
import { portOf, report } from './processes.ts'

/** @param delayMs How long it waits before an answer. */
const { delayMs } = JSON.parse(process.argv[2] ?? '{}') as { readonly delayMs: number }

const HEAD_END = Buffer.from('\r\n\r\n')

const server = createServer({ noDelay: true }, (socket) => {
  let rest: Buffer = Buffer.alloc(0)
  socket.on('error', () => socket.destroy())
  socket.on('data', (chunk: Buffer) => {
    rest = answerWhole(rest.byteLength === 0 ? chunk : Buffer.concat([rest, chunk]), socket)
  })
})

/** Answers the complete requests, and returns the remaining bytes. */
function answerWhole(bytes: Buffer, socket: Socket): Buffer {
  let at = 0
  for (;;) {
    const headEnd = bytes.indexOf(HEAD_END, at)
    if (headEnd < 0) return bytes.subarray(at)
    const head = bytes.toString('latin1', at, headEnd)
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
    const end = headEnd + HEAD_END.byteLength + length
    if (bytes.byteLength < end) return bytes.subarray(at)
    const answer = answerTo(bytes.toString('latin1', at, end))
    at = end
    if (delayMs === 0) socket.write(answer)
    else setTimeout(() => socket.write(answer), delayMs)
  }
}

function answerTo(request: string): string {
  return request.startsWith('POST /paynet/') ? gatewayAnswer(request) : STRIPE_ANSWER
}

/** A gateway's reply to a sale or a payout, as in gaps part 2.2. All fields and all headers, since reading an answer is part of a call. */
function gatewayAnswer(request: string): string {
  return answerWith(
    ['content-type: application/vnd.pay+json', 'date: Mon, 23 Nov 2026 10:00:00 GMT', 'connection: keep-alive'],
    {
      type: 'async-response',
      'serial-number': '00000000-0000-0000-0000-000002d9b22a',
      'merchant-order-id': /client_orderid=([^&]*)/.exec(request)?.[1],
      'paynet-order-id': '6768788',
      'end-point-id': '22903',
    },
  )
}

/** Those that are null. */
const NULL_FIELDS = [
  'allowed_payment_method_types application application_fee_amount automatic_payment_methods canceled_at',
  'cancellation_reason customer customer_account excluded_payment_method_types last_payment_error',
  'managed_payments next_action on_behalf_of payment_method_configuration_details payment_record processing',
  'review setup_future_usage shipping source statement_descriptor statement_descriptor_suffix transfer_group',
].flatMap((names) => names.split(' '))

/** A payment intent that was confirmed at once, with each field that stripe-node 23.1.0 declares for every intent. */
const STRIPE_ANSWER = answerWith(
  [
    'server: nginx',
    'date: Mon, 23 Nov 2026 10:00:00 GMT',
    'content-type: application/json',
    'connection: keep-alive',
    'access-control-allow-credentials: true',
    'access-control-allow-methods: GET, HEAD, PUT, PATCH, POST, DELETE',
    'access-control-allow-origin: *',
    'access-control-expose-headers: Request-Id, Stripe-Manage-Version',
    'access-control-max-age: 300',
    'cache-control: no-cache, no-store',
    'request-id: req_0000000000000a',
    'stripe-version: 2026-10-28',
    'strict-transport-security: max-age=63072000; includeSubDomains; preload',
  ],
  {
    id: 'pi_000000000000000000000001',
    object: 'payment_intent',
    ...Object.fromEntries(NULL_FIELDS.map((name) => [name, null])),
    amount: 1042,
    amount_capturable: 0,
    amount_received: 1042,
    capture_method: 'automatic',
    client_secret: 'pi_000000000000000000000001_secret_0000000000000000000000001',
    confirmation_method: 'automatic',
    created: 1_795_428_000,
    currency: 'usd',
    description: 'Two cups of tea & a biscuit',
    latest_charge: 'ch_000000000000000000000001',
    livemode: false,
    metadata: { client_orderid: 'order-1-z', first_name: 'John', last_name: 'Smith', ipaddress: '192.0.2.1' },
    payment_method: 'pm_000000000000000000000001',
    payment_method_options: {
      card: { installments: null, mandate_options: null, network: null, request_three_d_secure: 'automatic' },
    },
    payment_method_types: ['card'],
    receipt_email: 'john.smith@example.com',
    status: 'succeeded',
  },
)

function answerWith(headers: readonly string[], body: Readonly<Record<string, unknown>>): string {
  const text = JSON.stringify(body)
  return ['HTTP/1.1 200 OK', ...headers, `content-length: ${text.length}`, '', text].join('\r\n')
}
report(await portOf(server))
