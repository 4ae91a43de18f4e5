/** The cause that the workbench shows of a mistake in signing is the true one, and "sign it right" is accepted. */
import { createHash, createHmac, createSign } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { GatewayRequest } from '@tallystick/gateway'
import { counted, type Order, type Outcome, prove, type Random } from '@tallystick/proof-kit'
import type { Draft } from '../../workbench/src/draft.ts'
import { LANGUAGES, type Language, snippetOf } from '../../workbench/src/snippets.ts'
import { anyBase, type Base, type Scheme } from './signing-mistakes/bases.ts'
import { CONTROL_MISTAKES, rightly, signingOf } from './signing-mistakes/control-mistakes.ts'
import { OAUTH_MISTAKES, oauthSigningOf, rightlyOAuth, rightSort } from './signing-mistakes/oauth-mistakes.ts'
import { type Runner, runnerOf } from './signing-mistakes/run-snippets.ts'
import { formOf, type Mistake, posted, rfc3986, type Truth, type Variant } from './signing-mistakes/variants.ts'
import { newWorld, ours, type World } from './signing-mistakes/world.ts'

const SCHEMES: readonly Scheme[] = ['control', 'HMAC-SHA1', 'RSA-SHA256']
/** So that both kinds of keys occur, and no world grows old. */
const OF_A_WORLD = 250
/** At least so many of a hundred causes have to be the true ones. */
const GOAL = 0.99
const EACH_LANGUAGE = { long: 200, quick: 6 }

await prove({
  name: 'signing-mistakes',
  meaning:
    'Requests of all three schemes are signed with one mistake each, of about eighty kinds that people make, by programs that share no code\n' +
    'with ours. The cause that the page shows must be the true one in 99 %. The request as the page puts it right must be accepted in all,\n' +
    'by turns as its code sends it and as the sandbox sends it again. The code that the page shows is run for a sample, in curl, TypeScript, PHP and Python.\n' +
    'Two mistakes that send the same request cannot be told apart, by whomever: either cause counts then. Such classes are found by making\n' +
    'every mistake of the list with the same request.',
  runs: { of: 'mistakes', long: 10_000, quick: 300 },
  flags: { each: 'how many of each language are run' },
  run: tryAll,
})

async function tryAll({ runs, random, isQuick, flags, folder, progress }: Order): Promise<Outcome> {
  const tally = { sent: 0, named: 0, shared: 0, right: 0, findings: [] as string[], missed: [] as string[] }
  while (tally.sent < runs) {
    const world = await newWorld(random, { isListening: false })
    for (let round = 0; round < OF_A_WORLD && tally.sent < runs; round++) {
      const made = await anyMistake(random, world, tally.sent++)
      await judge(made, world, tally)
    }
    await world.close()
    progress(tally.sent, runs)
  }
  const each = Number(flags['each'] ?? EACH_LANGUAGE[isQuick ? 'quick' : 'long'])
  const ran: string[] = []
  for (const language of LANGUAGES) ran.push(await runLanguage(language, each, random, folder, tally.findings))
  const { sent, named, shared, right, findings, missed } = tally
  if (named < GOAL * sent) findings.push(...missed)
  else for (const miss of missed.slice(0, 10)) process.stderr.write(`${miss}\n`)
  return {
    figure:
      counted`${sent} mistakes: the cause shown is true for ${named} (${((100 * named) / sent).toFixed(2)} %), of which ` +
      counted`${shared} send what another mistake sends as well; put right and accepted ${right}; run ${ran.join(', ')}`,
    findings,
  }
}

interface Made {
  readonly base: Base
  readonly name: string
  /** Of every mistake that sends the same. */
  readonly truths: readonly Truth[]
  readonly request: GatewayRequest
}

/** A request that is wrong by one mistake. */
async function anyMistake(random: Random, world: World, at: number): Promise<Made> {
  for (;;) {
    const scheme = random.pick(SCHEMES)
    const base = await anyBase(scheme, random, world, at)
    const { right, mistakes } = variantsOf(base, world)
    // As often as any other kind, however rarely a request lets it be made.
    const mistake = random.pick(mistakes)
    if (mistake.variants.length === 0) continue
    const { identity, request } = random.pick(mistake.variants)
    if (identity === right.identity) continue
    if (mistake.isRepeat === true) await world.hand(right.request())
    const same = mistakes.filter(({ variants }) => variants.some((each) => each.identity === identity))
    return { base, name: mistake.name, truths: [...new Set(same.map(({ truth }) => truth))], request: request() }
  }
}

interface Variants {
  readonly right: Variant
  readonly mistakes: ReadonlyArray<{
    readonly name: string
    readonly truth: Truth
    readonly isRepeat?: true | undefined
    readonly variants: readonly Variant[]
  }>
}

/** Every mistake of the list, made with this request. What sends the right request is none. */
function variantsOf(base: Base, world: World): Variants {
  if (base.scheme === 'control') {
    const signing = signingOf(base, world)
    return withVariants(rightly(signing), signing, CONTROL_MISTAKES)
  }
  const signing = oauthSigningOf(base, world)
  return withVariants(rightlyOAuth(signing), signing, OAUTH_MISTAKES)
}

function withVariants<Signing>(right: Variant, signing: Signing, all: readonly Mistake<Signing>[]): Variants {
  const mistakes = all.map(({ name, truth, isRepeat, variants }) => {
    return { name, truth, isRepeat, variants: variants(signing).filter(({ identity }) => identity !== right.identity) }
  })
  return { right, mistakes }
}

interface Tally {
  sent: number
  named: number
  shared: number
  right: number
  readonly findings: string[]
  readonly missed: string[]
}

async function judge({ base, name, truths, request }: Made, world: World, tally: Tally): Promise<void> {
  const { reply, request: asked } = await world.hand(request)
  const { doctor, reason = '' } = reply.refusal ?? {}
  const what = `${base.scheme} ${base.operation}, ${name}`
  if (reply.verifiedBy !== undefined && reply.httpStatus === 200) {
    tally.findings.push(`${what}: the gateway takes it, so it is no mistake`)
    return
  }
  const shown = [doctor?.cause ?? '', doctor?.advice ?? reason]
  const isTrue = truths.some((truth) =>
    typeof truth === 'string' ? truth === shown[0] : shown[0] === '' && truth.test(shown[1] ?? ''),
  )
  if (isTrue) tally.named++
  else tally.missed.push(`${what}: the page shows ${shown.join(': ')}`)
  if (isTrue && truths.length > 1) tally.shared++
  const draft = await world.ask<Draft>('GET', `/requests/${asked.id}`)
  // One or the other: what acts on an order does so once.
  const { httpStatus, said } = await (tally.sent % 2 === 0 ? sentByCode(draft, world) : sentBySandbox(draft, world))
  if (httpStatus === 200) tally.right++
  else tally.findings.push(`${what}: put right it is answered ${httpStatus} ${said}`)
}

async function sentByCode(draft: Draft, world: World) {
  const { reply } = await world.hand(signedFrom(draft, world))
  return { httpStatus: reply.httpStatus, said: reply.refusal?.reason }
}

async function sentBySandbox({ operation, endpoint, fields }: Draft, world: World) {
  const request = {
    operation,
    endpoint: endpoint.id,
    fields: Object.fromEntries(fields.map(({ name, value }) => [name, value])),
  }
  const { httpStatus } = await world.ask<{ httpStatus: number }>('POST', '/requests', request)
  return { httpStatus, said: 'when the sandbox sends it again' }
}

/** What the code of the page does, done here: it joins the terms of the draft, or makes the base string of its fields. */
function signedFrom({ url, fields, signature, login }: Draft, world: World): GatewayRequest {
  const pairs = fields.map(({ name, value }) => [name, value] as const)
  if (signature === undefined) throw new Error('there is nothing to sign')
  if (signature.scheme === 'control') {
    const text = signature.terms.map((term) => term.text).join('') + world.key
    return posted(url, {}, formOf([...pairs, ['control', createHash('sha1').update(text).digest('hex')]]))
  }
  const oauth = [
    ['oauth_consumer_key', login],
    ['oauth_nonce', `n${process.hrtime.bigint()}`],
    ['oauth_signature_method', signature.scheme],
    ['oauth_timestamp', String(Math.floor(Date.now() / 1000))],
    ['oauth_version', '1.0'],
  ] as const
  const body = formOf(rightSort([...pairs, ...oauth]))
  const text = ['POST', rfc3986(signature.url), rfc3986(body)].join('&')
  const bytes =
    signature.scheme === 'HMAC-SHA1'
      ? createHmac('sha1', `${rfc3986(world.key)}&`)
          .update(text)
          .digest('base64')
      : createSign('sha256').update(text).sign(ours.privateKey, 'base64')
  const header = [...oauth, ['oauth_signature', bytes] as const].map(([name, value]) => `${name}="${rfc3986(value)}"`)
  return posted(url, { authorization: `OAuth ${header.join(', ')}` }, body)
}

/** Runs the code that the page shows, and looks at what has come to the gateway. Returns how many were accepted. */
async function runLanguage(
  language: Language,
  count: number,
  random: Random,
  parent: string,
  findings: string[],
): Promise<string> {
  const world = await newWorld(random, { isListening: true })
  const folder = join(parent, language)
  const runner = await openRunner(language, folder, world)
  let accepted = 0
  for (let at = 0; runner !== undefined && at < count; at++) {
    const { base, name, request } = await anyMistake(random, world, at)
    const { request: asked } = await world.hand(request)
    const draft = await world.ask<Draft>('GET', `/requests/${asked.id}`)
    const code = snippetOf(language, draft, 0)?.code ?? ''
    const before = world.last()?.id
    const printed = await runner.run(code)
    const reply = world.last()
    if (reply?.id !== before && reply?.httpStatus === 200 && reply.verifiedBy === base.scheme) accepted++
    else
      findings.push(`${language}, ${base.scheme} ${base.operation}, ${name}: ${reply?.httpStatus}\n${printed}\n${code}`)
  }
  runner?.close()
  await world.close()
  return runner === undefined ? `${language} not here` : `${accepted} of ${count} in ${language}`
}

async function openRunner(language: Language, folder: string, world: World): Promise<Runner | undefined> {
  mkdirSync(folder)
  const keyFile = join(folder, 'private-key.pem')
  writeFileSync(keyFile, ours.privateKey)
  const keys = { TALLYSTICK_CONTROL_KEY: world.key, TALLYSTICK_PRIVATE_KEY_FILE: keyFile }
  const runner = await runnerOf(language, folder, keys)
  if (runner === undefined)
    process.stderr.write(`signing-mistakes: ${language} is skipped: this machine has not what it needs\n`)
  return runner
}
