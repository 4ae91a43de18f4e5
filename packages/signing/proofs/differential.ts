import { readFileSync, writeFileSync } from 'node:fs'
import { rsaPrivateKey, rsaPublicKey } from '../src/index.ts'
import type { Random } from '../test/random.ts'
import { type Outcome, type Progress, prove } from './command.ts'
import { differences, type RsaPair } from './compare.ts'
import { newPair } from './new-pair.ts'
import { type Answer, askOauthlib } from './oauthlib.ts'
import { anyWireRequest, type WireRequest } from './random-request.ts'

const LONG = 100_000
/** One request in so many is signed with RSA. */
const RSA_SHARE = 50
const RECORDED = 300
const CORPUS = new URL('corpus/oauthlib.json', import.meta.url)

/** A request with the answer that oauthlib gave; in the corpus only HMAC, so that no private key is in the repository. */
type Case = readonly [WireRequest, Answer]

await prove({
  name: 'differential',
  meaning: `Signs and verifies ${LONG} random requests here and in Python's oauthlib, and compares; --quick compares with ${RECORDED} recorded answers and needs no Python.`,
  flags: { count: `how many requests in place of ${LONG}`, record: 'how many answers to record anew for --quick' },
  run: async ({ isQuick, flags }, random, progress) => {
    const pem = newPair()
    const rsa = { privateKey: rsaPrivateKey(pem.privateKey), publicKey: rsaPublicKey(pem.publicKey) }
    if (flags['record'] !== undefined) return record(random, Number(flags['record']))
    if (isQuick) return compareAll(readCorpus(), rsa, RECORDED, progress)
    const count = Number(flags['count'] ?? LONG)
    return compareAll(askOauthlib(requests(random, count), pem.privateKey), rsa, count, progress)
  },
})

async function compareAll(
  cases: AsyncIterable<Case> | Iterable<Case>,
  rsa: RsaPair,
  count: number,
  progress: Progress,
): Promise<Outcome> {
  const found: string[] = []
  let done = 0
  for await (const [request, answer] of cases) {
    const different = differences(request, answer, rsa)
    if (different.length > 0) found.push(`${different.join(', ')}: ${JSON.stringify(request)}`)
    progress(++done, count)
  }
  for (const line of found.slice(0, 5)) process.stderr.write(`${line}\n`)
  return {
    ok: found.length === 0 && done === count,
    figure: `${done} requests against oauthlib, ${found.length} differences`,
  }
}

function* requests(random: Random, count: number): Generator<WireRequest> {
  for (let done = 1; done <= count; done++) yield anyWireRequest(random, done % RSA_SHARE === 0)
}

async function record(random: Random, count: number): Promise<Outcome> {
  const cases: Case[] = []
  const short = [...requests(random, count * 2)].filter(
    ({ method, body }) => method === 'HMAC-SHA1' && body.length < 300,
  )
  for await (const answered of askOauthlib(short.slice(0, count), '')) cases.push(answered)
  writeFileSync(CORPUS, `[\n${cases.map((answered) => JSON.stringify(answered)).join(',\n')}\n]\n`)
  return { ok: cases.length === count, figure: `${cases.length} answers of oauthlib recorded` }
}

function readCorpus(): readonly Case[] {
  return JSON.parse(readFileSync(CORPUS, 'utf8')) as readonly Case[]
}
