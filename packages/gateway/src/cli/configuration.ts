import * as z from 'zod'
import { FAULT_NAMES } from '../faults/faults.ts'

/**
 * The configuration file of the command: what a gateway is made of, and where it listens. The checks, the types and the JSON
 * Schema that is shipped all come from this one definition.
 */

const ENDPOINT_ID = z.union([z.int().positive(), z.string().regex(/^[1-9]\d{0,18}$/, 'must be a whole number')], {
  // A missing id gets the same message as any other missing setting.
  error: ({ input }) => (input === undefined ? undefined : 'must be a whole number from 1 on, as a number or a text'),
})
const DURATION = z.templateLiteral(
  [z.int().min(0), z.enum(['ms', 's', 'm', 'h', 'd', 'w'])],
  'must be like 30s, 24h or 7d',
)
const AMOUNT = z.string().regex(/^\d{1,10}(\.\d{1,4})?$/, 'must be in major units with a dot, like 10.50')
const PORT = z.int().min(0).max(65_535)

const Endpoint = z
  .strictObject({
    id: ENDPOINT_ID.describe('The id in the path.'),
    currencies: z
      .array(z.string().regex(/^[A-Z]{3}$/, 'must be three capital letters'))
      .min(1)
      .optional()
      .describe('The currencies that it accepts, as ISO 4217 letters. Default: all.'),
    requiredFields: z
      .array(z.string())
      .optional()
      .describe('Fields that the acquirer requires although the interface does not, by their names in the models.'),
    limits: z
      .strictObject({ min: AMOUNT.optional(), max: AMOUNT.optional() })
      .optional()
      .describe('The smallest and the largest amount of one order, in major units.'),
    settleAfter: DURATION.optional().describe(
      'How long until a sold or captured amount settles, from its final status. Default 24h.',
    ),
    holdFor: DURATION.optional().describe('How long an authorization holds funds. Default 7d.'),
    payoutCheckFor: DURATION.optional().describe(
      'How long after its approval a payout-check can be paid. Default 15m.',
    ),
    formLifetime: DURATION.optional().describe(
      'How long a customer has for a hosted form, and again for 3DS. Default 30m.',
    ),
    charges: z
      .strictObject({
        time: z
          .string()
          .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be HH:MM')
          .optional()
          .describe('The time of day. Default 00:00.'),
        timeZone: z
          .string()
          .min(1)
          .optional()
          .describe('The time zone of that day, such as Europe/Berlin. Default UTC.'),
      })
      .optional()
      .describe('The time of day at which recurring payments charge.'),
    notifyUrl: z
      .url('must be a whole address, as https://shop.example.com/payments')
      .optional()
      .describe(
        'The callback address for later captures, reversals and chargebacks if the order names no notify_url, and for the outcome if it names no server_callback_url either.',
      ),
    descriptor: z.string().min(1).max(128).optional().describe('What customers read on their card statements.'),
    callbackAmount: z
      .enum(['operation', 'payment'])
      .optional()
      .describe(
        "The amount in the callback of a later capture, reversal or chargeback: of that operation, or of the payment, as the family's PHP library expects. Default operation.",
      ),
    unknownAs: z
      .enum(['unknown', 'processing'])
      .optional()
      .describe(
        "The status of a callback, and of the return of the customer's browser, while the outcome is unknown; the family's PHP library takes unknown for an error. Default unknown.",
      ),
  })
  .describe('An endpoint that a merchant sends requests to.')

const Group = z
  .strictObject({
    id: ENDPOINT_ID.describe('The id in the path, after /group/.'),
    endpoints: z
      .array(ENDPOINT_ID)
      .min(1)
      .describe("Ids of the merchant's endpoints. A request goes to the first one that accepts its currency."),
  })
  .describe('A group of endpoints under one id, which routes by currency.')

const Merchant = z.strictObject({
  login: z.string().min(1).max(20).describe('The merchant login, which is also the OAuth consumer key.'),
  controlKey: z.string().min(1).optional().describe('The merchant control key. Give either this or controlKeyFile.'),
  controlKeyFile: z.string().min(1).optional().describe('The file that holds the control key.'),
  publicKeyFile: z
    .string()
    .min(1)
    .optional()
    .describe('The file of an RSA public key in PEM, at least 2048 bits: verifies the v4 operations.'),
  endpoints: z.array(Endpoint).min(1),
  groups: z.array(Group).optional(),
})

const Faults = z
  .strictObject({
    seed: z.int().min(0).optional().describe('The same seed gives the same faults. Default: a random seed.'),
    only: z.array(z.enum(FAULT_NAMES)).min(1).optional().describe('The faults to draw from. Default: all.'),
    probability: z.number().min(0).max(1).optional().describe('How likely an order is to have a fault. Default 1.'),
  })
  .describe('In a sandbox: every order draws a fault.')

export const Configuration = z
  .strictObject({
    $schema: z.string().optional(),
    port: PORT.default(8080).describe('The port of the interface. 0 picks any free port.'),
    host: z
      .string()
      .min(1)
      .default('127.0.0.1')
      .describe('The address that port is on. 0.0.0.0: all addresses of the machine.'),
    metricsPort: PORT.default(9464).describe(
      'The port of /metrics, and of the commands that go to the running gateway.',
    ),
    metricsHost: z.string().min(1).default('127.0.0.1').describe('The address that metricsPort is on.'),
    operatorKeyFile: z
      .string()
      .min(1)
      .optional()
      .describe(
        'The file of the key that the commands for the running gateway, and changes of a sandbox, are sent with; made at the first start. Default: operator.key beside this file. The variable TALLYSTICK_OPERATOR_KEY overrides it.',
      ),
    basePath: z
      .string()
      .regex(/^(\/[\w.~-]+)*$/, 'must begin with a slash and end without one')
      .optional()
      .describe('The path that all addresses begin with. Default: the path of publicUrl, or /paynet without one.'),
    publicUrl: z
      .url('must be a whole address, as https://gate.example.com/paynet')
      .optional()
      .describe(
        'The address that merchants call, with the path. OAuth signatures are checked against it. Default: host, port and basePath, with 127.0.0.1 if host is all addresses of the machine.',
      ),
    store: z
      .string()
      .min(1)
      .default('memory')
      .describe('A database file; postgres://USER@HOST/DATABASE, which many gateways can share; or memory.'),
    acquirer: z
      .enum(['simulator'])
      .optional()
      .describe(
        'The bank. simulator decides by the CVV and moves no money; outside a sandbox it has to be asked for. A bank of your own needs a program.',
      ),
    allowPlainConnection: z
      .boolean()
      .default(false)
      .describe('Whether the connection to a PostgreSQL on another machine may go without sslmode=verify-full.'),
    vaultKeyFile: z
      .string()
      .min(1)
      .optional()
      .describe(
        'The file of the keys that card numbers are encrypted under. With a database file it is made on the first start, and the default is the name of the store with .keys appended.',
      ),
    replyFormat: z
      .enum(['json', 'classic'])
      .default('json')
      .describe('How to answer callers that do not send Accept: application/vnd.pay+json. json: they are refused.'),
    sandbox: z
      .boolean()
      .default(false)
      .describe('For tests: callbacks may go to this machine, a 403 explains itself, and there is a port for tests.'),
    sandboxPort: PORT.default(9465).describe('In a sandbox: the port of /__sandbox, for tests.'),
    sandboxHost: z.string().min(1).default('127.0.0.1').describe('The address that sandboxPort is on.'),
    faults: Faults.optional(),
    allowRepeats: z
      .boolean()
      .default(false)
      .describe('Whether a merchant may use a client order id again for another order.'),
    numericIds: z
      .boolean()
      .default(false)
      .describe('Whether JSON replies hold the order id of an acknowledgement and every error code as numbers.'),
    maxConcurrentRequests: z
      .int()
      .positive()
      .default(1000)
      .describe('The most requests to work on at once. Any more get a 503.'),
    maxConcurrentRequestsPerMerchant: z
      .int()
      .positive()
      .optional()
      .describe(
        'The most requests of one merchant to work on at once. Default: half of maxConcurrentRequests, or all if there is one merchant.',
      ),
    maxConnections: z
      .int()
      .positive()
      .optional()
      .describe(
        'The most connections at port. If there are more, the longest idle one is closed. Default: what the limit of files of the process leaves, at most 10000.',
      ),
    maxTriesPerCard: z
      .int()
      .positive()
      .optional()
      .describe(
        'How often a card may be tried within an hour at one merchant without being approved. Default: 10, and without a limit in a sandbox or with the simulator.',
      ),
    maxTriesPerAddress: z
      .int()
      .positive()
      .optional()
      .describe(
        'How often cards may be tried within an hour on the hosted forms of one merchant from one address without being approved. Default: 100, and without a limit in a sandbox or with the simulator.',
      ),
    trustedProxies: z
      .array(z.string().min(1))
      .optional()
      .describe(
        'The proxies whose X-Forwarded-For says where a request comes from: addresses and networks such as 10.0.0.0/8. [] if there is none. Default: none, and under an https publicUrl the tries from private addresses are not counted.',
      ),
    maxCallbackConnections: z
      .int()
      .positive()
      .default(256)
      .describe('The most callbacks under way at once. More of them wait.'),
    maxCallbackConnectionsPerMerchant: z
      .int()
      .positive()
      .optional()
      .describe('The most callbacks under way at once for one merchant. Default: a quarter of maxCallbackConnections.'),
    exponents: z
      .enum(['always-2', 'iso-4217'])
      .default('always-2')
      .describe('How many decimals a currency has: always 2, or as in ISO 4217.'),
    threeDsMethodWaitSeconds: z
      .int()
      .min(1)
      .max(60)
      .default(10)
      .describe('How long a page waits for the 3DS method frame (conflict C13).'),
    logLevel: z
      .enum(['silent', 'error', 'warn', 'info', 'debug'])
      .default('info')
      .describe('The lowest level that is logged. info: every request; warn: callbacks that were not acknowledged.'),
    merchants: z.array(Merchant).min(1).describe('Who may call.'),
  })
  .describe('Configuration of tallystick-gateway. File names are relative to this file.')

export type Configuration = z.infer<typeof Configuration>

/** The JSON Schema that the package ships, for editors. */
export function configurationSchema(): Readonly<Record<string, unknown>> {
  return z.toJSONSchema(Configuration, { io: 'input' })
}
