/** Random requests are signed as Python's oauthlib signs them. */
import { readFileSync, writeFileSync } from 'node:fs'
import { counted, type Order, type Outcome, prove, type Random } from '@tallystick/proof-kit'
import {
  decodeParameters,
  hmacKey,
  parseAuthorizationHeader,
  type RsaPrivateKey,
  type RsaPublicKey,
  rsaPrivateKey,
  rsaPublicKey,
  signatureBaseString,
  signControl,
  signOAuth,
  verifyOAuth,
} from '../src/index.ts'
import type { OAuthHeader } from '../src/internal.ts'
import { privatePem, publicPem } from '../test/rsa-key-pair.ts'
import { type Answer, askOauthlib } from './oauthlib.ts'
import { anyWireRequest, type WireRequest } from './random-request.ts'

/** One request in so many is signed with RSA. */
const RSA_SHARE = 50
const CORPUS = new URL('corpus/oauthlib.json', import.meta.url)

/** A request with the answer that oauthlib gave; in the corpus only HMAC, so that no private key is in the repository. */
type Case = readonly [WireRequest, Answer]

await prove({
  name: 'differential',
  meaning:
    "Signs and verifies random requests here and in Python's oauthlib, and compares; --quick compares with recorded\n" +
    'answers and needs no Python.',
  runs: { of: 'requests', long: 100_000, quick: 300 },
  flags: { record: 'so many answers to record anew for --quick' },
  run: (order) => {
    const { isQuick, runs, random, flags } = order
    if (flags['record'] !== undefined) return record(random, Number(flags['record']))
    const rsa = { privateKey: rsaPrivateKey(privatePem), publicKey: rsaPublicKey(publicPem) }
    const cases = isQuick ? readCorpus().slice(0, runs) : askOauthlib(requests(random, runs), privatePem)
    return compareAll(cases, rsa, order)
  },
})

async function compareAll(
  cases: AsyncIterable<Case> | Iterable<Case>,
  rsa: RsaPair,
  { runs, progress }: Order,
): Promise<Outcome> {
  const findings: string[] = []
  let done = 0
  for await (const [request, answer] of cases) {
    const different = differences(request, answer, rsa)
    if (different.length > 0) findings.push(`${different.join(', ')}: ${JSON.stringify(request)}`)
    progress(++done, runs)
  }
  const figure = counted`${done} requests against oauthlib, ${findings.length} differences`
  return { figure, findings: done === runs ? findings : [...findings, `not all ${runs} were compared`] }
}

/** The keys for requests that are signed with RSA. */
type RsaPair = { readonly privateKey: RsaPrivateKey; readonly publicKey: RsaPublicKey }

/** In what our signing and verifying of a request departs from the answer of the other implementation. */
function differences(request: WireRequest, answer: Answer, rsa: RsaPair): string[] {
  const parameters = decodeParameters(request.body)
  const { method, secret, httpMethod, url, timestamp } = request
  const hmac = { method: 'HMAC-SHA1', key: hmacKey(secret) } as const
  const signer = method === 'HMAC-SHA1' ? hmac : ({ method, key: rsa.privateKey } as const)
  const verifier = method === 'HMAC-SHA1' ? hmac : ({ method, key: rsa.publicKey } as const)
  const { authorization, body } = signOAuth({ ...request, ...signer, parameters })
  const header = readHeader(authorization)
  const baseString = signatureBaseString({ ...request, parameters: decodeParameters(body) })
  const theirs = { ...header, signature: answer.signature }
  const verdict = verifyOAuth({ ...verifier, httpMethod, url, parameters, header: theirs, now: timestamp })
  return [
    baseString === answer.baseString ? '' : 'base string',
    header.signature === answer.signature ? '' : 'signature',
    verdict.ok ? '' : 'verification',
    signControl({ terms: request.terms, key: request.controlKey }) === answer.control ? '' : 'control',
  ].filter((name) => name !== '')
}

function readHeader(authorization: string): OAuthHeader {
  const parsed = parseAuthorizationHeader(authorization)
  if (!parsed.ok) throw new Error(`our own header was refused: ${parsed.reason}`)
  return parsed.header
}

function* requests(random: Random, count: number): Generator<WireRequest> {
  for (let done = 1; done <= count; done++) yield anyWireRequest(random, done % RSA_SHARE === 0)
}

async function record(random: Random, most: number): Promise<Outcome> {
  const cases: Case[] = []
  const isShort = ({ method, body }: WireRequest) => method === 'HMAC-SHA1' && body.length < 300
  const short = [...requests(random, most * 2)].filter(isShort)
  for await (const answered of askOauthlib(short.slice(0, most), '')) cases.push(answered)
  writeFileSync(CORPUS, `[\n${cases.map((answered) => JSON.stringify(answered)).join(',\n')}\n]\n`)
  const findings = cases.length === most ? [] : [`not all ${most} were answered`]
  return { figure: counted`${cases.length} answers of oauthlib recorded`, findings }
}

function readCorpus(): readonly Case[] {
  return JSON.parse(readFileSync(CORPUS, 'utf8')) as readonly Case[]
}
