import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { ReplyValues, Secret } from '@tallystick/core'
import { comparableMessage, issuerMessage } from '@tallystick/core/internal'
import { isBrowserAddress } from './three-ds.ts'

/** A 3DS step as the status describes it (gaps part 8). */
export type AwaitedStep =
  | { readonly step: 'method'; readonly methodUrl: string; readonly threeDsServerTransId: string }
  | { readonly step: 'method'; readonly methodUrl: undefined; readonly threeDsServerTransId: string }
  | { readonly step: 'challenge'; readonly acsUrl: string; readonly creq: string }
  | { readonly step: 'pareq'; readonly acsUrl: string; readonly paReq: string; readonly md: string }
  | { readonly step: 'redirect'; readonly url: string | undefined; readonly html: string | undefined }

type StatusReply = ReplyValues<'status'>

/**
 * Which step a status asks for. `undefined`: none, or one whose fields are not all there, so that asking again may help.
 * Only an order that is `processing` waits for a customer.
 */
export function awaitedStep(reply: StatusReply): AwaitedStep | undefined {
  if (reply.status !== 'processing') return undefined
  switch (reply.tdsStatus?.toLowerCase()) {
    case 'methodurlframe':
      return methodStep(reply)
    case 'creqform':
      return challengeStep(reply)
    case 'pareqform':
      return pareqStep(reply)
    default:
      return redirectStep(reply)
  }
}

function methodStep({ methodUrl, threeDsServerTransId }: StatusReply): AwaitedStep | undefined {
  if (threeDsServerTransId === undefined) return undefined
  return { step: 'method', methodUrl: browserAddress(methodUrl), threeDsServerTransId }
}

function challengeStep({ creqFormAcsUrl, creqFormCreq: creq }: StatusReply): AwaitedStep | undefined {
  const acsUrl = browserAddress(creqFormAcsUrl)
  return acsUrl === undefined || creq === undefined ? undefined : { step: 'challenge', acsUrl, creq }
}

function pareqStep({ pareqFormAcsUrl, pareqFormPareq, pareqFormMd }: StatusReply): AwaitedStep | undefined {
  const acsUrl = browserAddress(pareqFormAcsUrl)
  if (acsUrl === undefined || pareqFormPareq === undefined) return undefined
  return { step: 'pareq', acsUrl, paReq: pareqFormPareq, md: pareqFormMd ?? '' }
}

function redirectStep({ redirectTo, html }: StatusReply): AwaitedStep | undefined {
  const url = browserAddress(redirectTo)
  return url === undefined && html === undefined
    ? undefined
    : { step: 'redirect', url, html: html && decodedPage(html) }
}

/** Anything else counts as absent: a form must not lead into a script. */
function browserAddress(address: string | undefined): string | undefined {
  return isBrowserAddress(address) ? address : undefined
}

/** The page comes URL-encoded (gaps part 4); in the classic format its reader has decoded it once. */
function decodedPage(text: string): string {
  if (text.includes('<')) return text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

/** What must be known when the browser comes back. The browser carries it, so that no server has to store it. */
export interface StepState {
  readonly step: AwaitedStep['step']
  readonly clientOrderId: string
  readonly orderId: string
  /** Tells this step from a later one of its kind. */
  readonly mark: string
  /** Of the method step. */
  readonly threeDsServerTransId?: string
}

/** Distinguishes these signatures from all others by the control key. */
const PURPOSE = 'tallystick 3ds state 2 '
const MOST_CHARACTERS = 1024

/**
 * The state, signed, so that a browser cannot name another order. In hexadecimal digits, because what passes through an issuer comes
 * back padded, wrapped or in another case; in base64url where EMV 3-D Secure has no room for these.
 */
export function writeState(state: StepState, key: Secret): string {
  const content = Buffer.from(JSON.stringify(state))
  const signed = Buffer.concat([content, signature(content, key)])
  const plain = signed.toString('hex')
  return plain.length > MOST_CHARACTERS ? signed.toString('base64url') : plain
}

/** `undefined`: it is no state, or none of the keys signed it. */
export function readState(text: string, keys: readonly Secret[]): StepState | undefined {
  const sent = issuerMessage(text).replace(/(?<!=)=+$/, '')
  if (sent.length > MOST_CHARACTERS) return undefined
  const signed = Buffer.from(sent, /^[\da-f]+$/i.test(sent) ? 'hex' : 'base64')
  if (signed.byteLength <= SIGNATURE_BYTES) return undefined
  const content = signed.subarray(0, -SIGNATURE_BYTES)
  const isOurs = keys.some((key) => timingSafeEqual(signed.subarray(-SIGNATURE_BYTES), signature(content, key)))
  return isOurs ? (JSON.parse(content.toString()) as StepState) : undefined
}

export function stateOf(awaited: AwaitedStep, order: Pick<StepState, 'clientOrderId' | 'orderId'>): StepState {
  const state = { step: awaited.step, ...order, mark: markOf(awaited) }
  return awaited.step === 'method' ? { ...state, threeDsServerTransId: awaited.threeDsServerTransId } : state
}

export function markOf(step: AwaitedStep): string {
  return createHash('sha256').update(JSON.stringify(step)).digest('base64url').slice(0, 10)
}

const SIGNATURE_BYTES = 32

function signature(content: Uint8Array, key: Secret): Buffer {
  return createHmac('sha256', key.reveal()).update(PURPOSE).update(content).digest()
}

/**
 * The steps that this process has shown and whose results have not come: the second way to find the payment, if the issuer or a
 * firewall has changed or dropped the state. A result belongs to the step whose transaction it names, so a forged or foreign one
 * finds nothing. A step whose CReq names no transaction is found only while it is the only one.
 */
export interface OpenSteps {
  opened(step: AwaitedStep, state: StepState): void
  closed(state: StepState): void
  find(fields: ReadonlyMap<string, string>): StepState | undefined
}

interface OpenStep {
  readonly state: StepState
  /** The id of the 3DS transaction or the MD, comparable. Empty: the step names none. */
  readonly name: string
  readonly since: number
}

const MOST = 10_000
const LONGEST_MS = 3_600_000

export function openSteps(now: () => number): OpenSteps {
  const open = new Map<string, OpenStep>()
  const recent = (step: OpenStep['state']['step']) => {
    const from = now() - LONGEST_MS
    return [...open.values()].filter(({ state, since }) => state.step === step && since >= from)
  }
  return {
    opened: (step, state) => {
      const name = nameOf(step)
      if (name === undefined) return
      open.delete(state.orderId)
      open.set(state.orderId, { state, name, since: now() })
      const [oldest] = open.keys()
      if (open.size > MOST && oldest !== undefined) open.delete(oldest)
    },
    closed: ({ orderId }) => {
      open.delete(orderId)
    },
    find: (fields) => {
      const cRes = fields.get('cres')
      if (cRes !== undefined) return onlyOne(recent('challenge'), transactionIn(cRes))
      const md = fields.get('md')
      return fields.has('pares') ? onlyOne(recent('pareq'), md && comparableMessage(md)) : undefined
    },
  }
}

function onlyOne(steps: readonly OpenStep[], name: string | undefined): StepState | undefined {
  if (!name) return undefined
  const named = steps.filter((step) => step.name === name)
  const meant = named.length > 0 ? named : steps
  const [one] = meant
  return meant.length === 1 && one && (one.name === name || one.name === '') ? one.state : undefined
}

/** `undefined`: the result of this step cannot be found so. */
function nameOf(step: AwaitedStep): string | undefined {
  switch (step.step) {
    case 'challenge':
      return transactionIn(step.creq) ?? ''
    case 'pareq':
      return step.md === '' ? undefined : comparableMessage(step.md)
    case 'method':
    case 'redirect':
      return undefined
  }
}

const TRANSACTION = /"threeDSServerTransID"\s*:\s*"([\da-f-]{36})"/i

/** The transaction that a message names. */
function transactionIn(message: string): string | undefined {
  return TRANSACTION.exec(Buffer.from(message, 'base64').toString())?.[1]?.toLowerCase()
}
