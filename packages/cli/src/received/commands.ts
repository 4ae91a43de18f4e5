import type { Profile } from '@tallystick/core'
import { errorUrl } from '@tallystick/core/internal'
import { BRAND_OPTIONS, BRAND_ROWS, profileOf } from '../arguments/brand.ts'
import { CONTROL_KEY_ROW, controlKey, keyIn } from '../arguments/keys.ts'
import { httpAddress, parse, secondsSince1970, UsageError } from '../arguments/parse.ts'
import type { Command } from '../command.ts'
import { type HelpPart, wrapped, wrappedBehind } from '../help.ts'
import type { World } from '../world.ts'
import { diagnoseCallback, diagnoseRequest } from './diagnose-request.ts'
import { type Diagnosis, isRight, type Known, refusalWords, type Suspicion, unjudged } from './diagnosis.ts'
import { addressOf, callbackQuery, type Received, readReceived } from './received.ts'

const OPTIONS = {
  ...BRAND_OPTIONS,
  request: { type: 'string' },
  url: { type: 'string' },
  body: { type: 'string' },
  authorization: { type: 'string' },
  callback: { type: 'string' },
  'key-file': { type: 'string' },
  'public-key-file': { type: 'string' },
  'other-key-file': { type: 'string', multiple: true },
  'signed-text': { type: 'string' },
  login: { type: 'string' },
  at: { type: 'string' },
} as const

export const RECEIVED_HELP: readonly HelpPart[] = [
  {
    heading: 'What was sent, in one of three ways',
    rows: [
      [
        '--request FILE',
        'the request as logs and proxies show it: a line with method and path, headers, an empty line, the body; or ' +
          'what curl --verbose prints, or a curl command; - is the standard input. Line breaks in the body are left out. What the file ' +
          'does not show is given by --body and --authorization',
      ],
      [
        '--url URL --body FORM [--authorization HEADER]',
        'its parts; for a control, the path is enough; --body - reads the form from the standard input',
      ],
      [
        '--callback URL',
        "the address of a callback or of a customer's return, with its query, the query alone, or the line of an access log with it; - is the standard input",
      ],
    ],
  },
  {
    heading: 'Options',
    rows: [
      CONTROL_KEY_ROW,
      ['--public-key-file FILE', "the merchant's public RSA key in PEM, for operations that are signed by RSA-SHA256"],
      [
        '--other-key-file FILE',
        "a key that may have been used instead, such as the sandbox's; may be given more than once",
      ],
      ['--signed-text FILE', 'the text that the sender signed, key included, if it is known'],
      ['--login LOGIN', "the merchant's login, which may have been signed instead of the id in the path"],
      ['--at SECONDS', 'when the request arrived, in seconds since 1970; default: when it says that it was signed'],
      ...BRAND_ROWS,
    ],
  },
]

/** What the doctor says of what the arguments name. @throws UsageError */
export function ask(command: 'verify' | 'explain', args: readonly string[], world: World): Diagnosis {
  const { values, positionals } = parse(command, args, OPTIONS)
  if (positionals.length > 0)
    throw new UsageError(`what was sent is given by an option: see tallystick ${command} --help`)
  const known = knownFrom(values, world)
  const ways = [values.request, values.url, values.callback].filter((way) => way !== undefined)
  if (ways.length !== 1) throw new UsageError('give one of --request, --url and --callback')
  if (values.callback !== undefined) return diagnoseCallback(callbackQuery(textOf(values.callback, world)), known)
  return diagnoseRequest(receivedFrom(values, known.profile, world), known)
}

type Values = ReturnType<typeof parse<typeof OPTIONS>>['values']

function receivedFrom(values: Values, { baseUrl }: Profile, world: World): Received {
  const { request, url = '', authorization } = values
  const body = values.body === undefined ? undefined : textOf(values.body, world).trim()
  if (request !== undefined) {
    const shown = readReceived(world.read(request), baseUrl)
    return { ...shown, authorization: authorization ?? shown.authorization, body: body ?? shown.body }
  }
  if (!url.startsWith('/')) httpAddress(url, '--url', 'https://gate.example.com/paynet/api/v2/sale/1111')
  return { method: 'POST', ...addressOf(url, new Map(), baseUrl), body: body ?? '', authorization }
}

function knownFrom(values: Values, world: World): Known {
  const signedText = values['signed-text']
  return {
    profile: profileOf(values, world),
    controlKey: () => controlKey(values, world),
    publicKey: () => publicKey(values['public-key-file'], world),
    otherKeys: (values['other-key-file'] ?? []).map((file) => keyIn(file, world)),
    signedText: signedText === undefined ? undefined : signedTextIn(signedText, world),
    login: values.login,
    at: values.at === undefined ? undefined : secondsSince1970(values.at, '--at'),
  }
}

/** It ends with a key, which may be another one. */
function signedTextIn(file: string, { read, secrets }: World): string {
  const text = read(file).replace(/\r?\n$/, '')
  if (text !== '') secrets.add(text)
  return text
}

function publicKey(file: string | undefined, world: World): string {
  if (file !== undefined) return world.read(file)
  throw new UsageError('--public-key-file is missing: this operation is signed by RSA-SHA256')
}

function textOf(given: string, { read }: World): string {
  return given === '-' ? read('-') : given
}

export const verify: Command = {
  name: 'verify',
  summary: 'says whether a request or a callback is signed correctly',
  help: [
    'tallystick verify: says whether a request or a callback is signed correctly',
    {
      heading: 'Usage',
      commands: [
        'tallystick verify --request request.txt --key-file control.key',
        "tallystick verify --callback 'https://shop.example/cb?...&control=...' \\",
        '  --key-file control.key',
      ],
    },
    'The exit code is 0 if it is, 1 if not.',
    ...RECEIVED_HELP,
  ],
  run: async (args, world) => {
    const diagnosis = ask('verify', args, world)
    world.print(verdictWords(diagnosis))
    return isRight(diagnosis) ? 0 : 1
  },
}

function verdictWords(diagnosis: Diagnosis): string {
  if (diagnosis.refusal !== undefined) return refusalWords(diagnosis)
  return `${diagnosis.what} is ${isRight(diagnosis) ? 'right' : 'wrong; tallystick explain says more'}\n`
}

export const explain: Command = {
  name: 'explain',
  summary: 'names the mistake behind a signature that is refused',
  help: [
    'tallystick explain: names the mistake behind a signature that is refused',
    {
      heading: 'Usage',
      commands: [
        'tallystick explain --request request.txt --key-file control.key',
        'tallystick explain --url https://gate.example.com/paynet/api/v2/sale/1111 \\',
        "  --body 'client_orderid=...&control=...' --key-file control.key",
      ],
    },
    'It tries one mistake after the other until it gets what was sent. The exit code is 0 if the signature is right, 1 ' +
      'if not. What it prints quotes the request with cards masked, and never a key.',
    ...RECEIVED_HELP,
  ],
  run: async (args, world) => {
    const diagnosis = ask('explain', args, world)
    world.print(`${refusalWords(diagnosis)}${diagnosis.what} is ${explanationWords(diagnosis, world.columns)}\n`)
    return isRight(diagnosis) ? 0 : 1
  },
}

function explanationWords({ explanation, suspicion, signedAt }: Diagnosis, columns: number | undefined): string {
  if (explanation.explained) {
    const { cause, advice, received, comparison } = explanation
    const differs = received === undefined ? [] : ['', comparison, '']
    return [`wrong: ${cause}`, advice, ...differs, errorUrl('signatures', cause)].join('\n')
  }
  if (explanation.right) return ['right', ...unjudged(signedAt)].join('\n')
  const { expected, isCutShort } = explanation
  const why = isCutShort
    ? ['The request is too long to try every mistake: a shorter one may be explained.']
    : unexplained(suspicion, columns)
  return ['wrong', ...why, ...(expected === undefined ? [] : ['', `expected: ${expected}`])].join('\n')
}

function unexplained({ tried, remaining, proof }: Suspicion, columns: number | undefined): readonly string[] {
  return [
    wrapped(`No single mistake explains it. One at a time, these were tried: ${tried}.`, 0, columns),
    'What remains, and nothing here tells which:',
    ...remaining.map((each) => wrappedBehind('-', each, 2, columns)),
    proof,
  ]
}
