import { BRAND_OPTIONS, BRAND_ROWS } from '../../arguments/brand.ts'
import { CONTROL_KEY_ROW, KEY_OPTIONS } from '../../arguments/keys.ts'
import { httpAddress, objectIn, type parse, UsageError } from '../../arguments/parse.ts'
import type { HelpPart } from '../../help.ts'
import type { ListenAddress, World } from '../../world.ts'

export const CERTIFY_HELP: readonly HelpPart[] = [
  'tallystick certify gateway: tries a gateway as a client meets it, and says where it differs from the interface',
  {
    heading: 'Usage',
    commands: [
      'tallystick certify gateway --base-url https://sandbox.example.com/paynet \\',
      '  --login shop --endpoint 1111 --key-file control.key',
    ],
  },
  'It makes payments, holds, returns and forms: point it at a test endpoint. Each line is one thing on which a client ' +
    'relies, with the part of the specification that says so. The exit code is 0 if nothing differs, 1 if something ' +
    'does, or if a line could not be tried because something else answered than the gateway, such as a proxy, or nobody. If ' +
    'the gateway refuses the key, or is not reached, it says so and tries nothing else. A certificate that no ' +
    'usual authority signed is trusted if the variable NODE_EXTRA_CA_CERTS names its file.',
  {
    heading: 'Options',
    rows: [
      ['--endpoint ID', 'of a test endpoint that can sell, hold, return and show a form'],
      ['--login LOGIN', "the merchant's login"],
      CONTROL_KEY_ROW,
      ['--private-key-file FILE', "the merchant's RSA key in PEM; without it, nothing that RSA-SHA256 signs is tried"],
      ...BRAND_ROWS,
      [
        '--card FILE',
        'JSON with a test card that is approved: cardNumber, cardPrintedName, expireMonth, expireYear, cvv2; default: ' +
          '4444555566661111 with the CVV 123',
      ],
      ['--declined-card FILE', 'one that is declined; default, without --card: that card with the CVV 116'],
      ['--three-ds-card FILE', 'one that needs 3-D Secure; default, without --card: that card with the CVV 321'],
      ['--amount AMOUNT', 'of each payment, in major units, above 1.00; default 10.42'],
      ['--currency CODE', 'default USD'],
      ['--deadline SECONDS', 'how long an outcome may take; default 60'],
      [
        '--callback-url URL',
        'this machine, as the gateway reaches it, such as http://shop.example:8080/; listens on the port of this ' +
          'address',
      ],
      [
        '--callback-listen HOST:PORT',
        'where to listen instead, such as 127.0.0.1:8080, if a tunnel or a proxy has the address of --callback-url ' +
          'and passes callbacks on',
      ],
      [
        '--proxy URL',
        'a proxy on the way to an https gateway, such as http://proxy.example.com:3128; the page of a form is opened ' +
          'without it',
      ],
      ['--only TEXT', 'only what has this text in its line'],
      ['--allow-plain-http', 'for a gateway without TLS in a network of your own'],
      ['--json', 'prints a JSON object for each result, on a line of its own, as soon as there is one'],
    ],
  },
]

export const CERTIFY_OPTIONS = {
  ...BRAND_OPTIONS,
  endpoint: { type: 'string' },
  login: { type: 'string' },
  ...KEY_OPTIONS,
  card: { type: 'string' },
  'declined-card': { type: 'string' },
  'three-ds-card': { type: 'string' },
  amount: { type: 'string', default: '10.42' },
  currency: { type: 'string', default: 'USD' },
  deadline: { type: 'string', default: '60' },
  'callback-url': { type: 'string' },
  'callback-listen': { type: 'string' },
  proxy: { type: 'string' },
  only: { type: 'string', default: '' },
  'allow-plain-http': { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
} as const

export type CertifyValues = ReturnType<typeof parse<typeof CERTIFY_OPTIONS>>['values']

/** The card of each payment, as texts. */
export interface CertifyCard {
  readonly cardNumber: string
  readonly cardPrintedName: string
  readonly expireMonth: string
  readonly expireYear: string
  readonly cvv2: string
}

/** The test card of the family, whose CVV makes its sandboxes approve (gaps part 10). */
const TEST_CARD: CertifyCard = {
  cardNumber: '4444555566661111',
  cardPrintedName: 'JOHN SMITH',
  expireMonth: '12',
  expireYear: '2039',
  cvv2: '123',
}

/** The CVV with which those sandboxes decline, and with which they ask for 3-D Secure. */
const CVV = { declined: '116', threeDs: '321' }

export interface CertifyCards {
  /** The card of each payment that is to be approved. */
  readonly card: CertifyCard
  /** What the endpoint does with another card than the family's is unknown, unless it is told. */
  readonly declinedCard: CertifyCard | undefined
  readonly threeDsCard: CertifyCard | undefined
}

/** @throws UsageError */
export function cardsFrom(
  files: Pick<CertifyValues, 'card' | 'declined-card' | 'three-ds-card'>,
  world: World,
): CertifyCards {
  const other = (file: string | undefined, cvv2: string) => {
    if (file !== undefined) return cardIn(file, world)
    return files.card === undefined ? { ...TEST_CARD, cvv2 } : undefined
  }
  return {
    card: files.card === undefined ? TEST_CARD : cardIn(files.card, world),
    declinedCard: other(files['declined-card'], CVV.declined),
    threeDsCard: other(files['three-ds-card'], CVV.threeDs),
  }
}

/** From a file, because a number on the command line is stored by the shell. @throws UsageError */
function cardIn(file: string, { read }: World): CertifyCard {
  const given = objectIn(read(file)) ?? {}
  const names = Object.keys(TEST_CARD)
  if (names.some((name) => typeof given[name] !== 'string')) {
    throw new UsageError(`${file} must hold a JSON object with the texts ${names.join(', ')}`)
  }
  // It would change the payments, and the gateway would be blamed for it.
  const other = Object.keys(given).find((name) => !names.includes(name))
  if (other !== undefined) throw new UsageError(`${file}: ${other} is no part of a card: leave it out`)
  return given as unknown as CertifyCard
}

/** Where the gateway sends callbacks, and where they arrive: behind a tunnel or a proxy these are two addresses. */
export interface CallbackPlace {
  readonly url: string
  readonly listenAt: ListenAddress
}

interface Given {
  readonly 'callback-url'?: string | undefined
  readonly 'callback-listen'?: string | undefined
}

/** `undefined` if callbacks are not asked for. @throws UsageError */
export function callbackPlaceOf({ 'callback-url': url, 'callback-listen': at }: Given): CallbackPlace | undefined {
  if (url === undefined) {
    if (at === undefined) return undefined
    throw new UsageError(`--callback-url is missing: where the gateway reaches what listens at ${at}`)
  }
  const address = httpAddress(url, '--callback-url', 'http://shop.example:8080/')
  if (address.username !== '' || address.password !== '')
    throw new UsageError('--callback-url takes an address without user name and password')
  return { url: address.href, listenAt: at === undefined ? ownPort(address) : listenAddress(at) }
}

/** Without a tunnel or a proxy, the gateway calls this machine itself. */
function ownPort({ protocol, port }: URL): ListenAddress {
  if (protocol === 'http:') return { host: undefined, port: port === '' ? 80 : Number(port) }
  throw new UsageError(
    'an https --callback-url needs --callback-listen HOST:PORT: ' +
      'where the tunnel or proxy that has the certificate passes callbacks on to, such as 127.0.0.1:8080',
  )
}

const LISTEN_ADDRESS = /^(?:(?:\[([\da-f:]+)\]|([\w.-]+)):)?([1-9]\d{0,4})$/i

/** `8080`, `127.0.0.1:8080` or `[::1]:8080`. */
function listenAddress(text: string): ListenAddress {
  const [, v6, host, port = ''] = LISTEN_ADDRESS.exec(text) ?? []
  if (port !== '' && Number(port) <= 65_535) return { host: v6 ?? host, port: Number(port) }
  throw new UsageError('--callback-listen takes HOST:PORT or PORT, such as 127.0.0.1:8080')
}
