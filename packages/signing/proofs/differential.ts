/**
 * Random requests are signed as Python's oauthlib signs them.
 *
 *     pnpm prove differential [--quick] [--runs n] [--seed n] [--record n]
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { type Order, type Outcome, prove, type Random, withCommas } from '@tallystick/proof-kit'
import { rsaPrivateKey, rsaPublicKey } from '../src/index.ts'
import { differences, type RsaPair } from './compare.ts'
import { newPair } from './new-pair.ts'
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
    const pem = newPair()
    const rsa = { privateKey: rsaPrivateKey(pem.privateKey), publicKey: rsaPublicKey(pem.publicKey) }
    const cases = isQuick ? readCorpus().slice(0, runs) : askOauthlib(requests(random, runs), pem.privateKey)
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
  return {
    ok: findings.length === 0 && done === runs,
    figure: `${withCommas(done)} requests against oauthlib, ${findings.length} differences`,
    findings,
  }
}

function* requests(random: Random, count: number): Generator<WireRequest> {
  for (let done = 1; done <= count; done++) yield anyWireRequest(random, done % RSA_SHARE === 0)
}

async function record(random: Random, most: number): Promise<Outcome> {
  const cases: Case[] = []
  const short = [...requests(random, most * 2)].filter(
    ({ method, body }) => method === 'HMAC-SHA1' && body.length < 300,
  )
  for await (const answered of askOauthlib(short.slice(0, most), '')) cases.push(answered)
  writeFileSync(CORPUS, `[\n${cases.map((answered) => JSON.stringify(answered)).join(',\n')}\n]\n`)
  return { ok: cases.length === most, figure: `${withCommas(cases.length)} answers of oauthlib recorded`, findings: [] }
}

function readCorpus(): readonly Case[] {
  return JSON.parse(readFileSync(CORPUS, 'utf8')) as readonly Case[]
}
