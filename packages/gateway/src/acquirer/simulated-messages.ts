import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { deflateSync, inflateSync } from 'node:zlib'

/** What the simulated access control server and the simulator each derive for an authentication, without sharing state. */
export interface SimulatedTransaction {
  /** The key of the mark on the server's messages. No browser knows it. */
  readonly secret: string
  readonly threeDsServerTransId: string
  readonly acsTransId: string
  /** Goes to the server with the CReq or the PaReq, and comes back with the answer. */
  readonly sessionData: string
  /** The id of a 3DS 1.0.2 transaction: 20 bytes in base64. */
  readonly xid: string
}

/**
 * The authentication of an operation. It is derived from what `tokenize` returned and the operation's reference, so any process
 * can begin an authentication and any other can end it.
 */
export function simulatedTransaction(token: string, reference: string): SimulatedTransaction {
  const bytes = (what: string) => createHmac('sha256', token).update(`${what} ${reference}`).digest()
  return {
    secret: bytes('secret').toString('base64url'),
    threeDsServerTransId: uuidOf(bytes('threeDSServerTransID')),
    acsTransId: uuidOf(bytes('acsTransID')),
    sessionData: bytes('threeDSSessionData').toString('base64url', 0, 16),
    xid: bytes('xid').toString('base64', 0, 20),
  }
}

/**
 * A UUID of derived bytes: version 8 (RFC 9562 section 5.8). Except for the version its hexadecimal digits are letters, so no
 * part looks like a card number by chance.
 */
function uuidOf(bytes: Buffer): string {
  const letters = String.fromCharCode(...bytes.map((byte) => 97 + (byte % 6)))
  const parts = [letters.slice(0, 8), letters.slice(8, 12), `8${letters.slice(12, 15)}`, `a${letters.slice(15, 18)}`]
  return [...parts, letters.slice(18, 30)].join('-')
}

/** How the customer fared at the simulated access control server. */
export type SimulatedResult = 'authenticated' | 'failed' | 'cancelled'

const VERDICTS: readonly SimulatedResult[] = ['authenticated', 'failed', 'cancelled']

/** Proves that the server wrote a message: an HMAC of the transaction's ids and the verdict, under the transaction's secret. */
function markOf({ secret, threeDsServerTransId, acsTransId, xid }: SimulatedTransaction, verdict: SimulatedResult) {
  const covered = JSON.stringify([threeDsServerTransId, acsTransId, xid, verdict])
  return createHmac('sha256', secret).update(covered).digest('base64')
}

/**
 * The verdict of a message, if the server wrote it. The server writes exactly one message for each verdict. One that was
 * changed or made elsewhere equals none of them, so nothing has to be parsed.
 */
function verdictIn(message: Uint8Array, write: (verdict: SimulatedResult) => string): SimulatedResult | undefined {
  return VERDICTS.find((verdict) => timingSafeEqual(digestOf(message), digestOf(write(verdict))))
}

function digestOf(text: string | Uint8Array): Buffer {
  return createHash('sha256').update(text).digest()
}

/** Messages of a 3DS 2 challenge in the browser (EMV 3-D Secure): JSON in base64url. */

const VERSION = '2.2.0'

/** Which of the five sizes of the challenge window: full screen. */
const FULL_SCREEN = '05'

export function creqOf({ threeDsServerTransId, acsTransId }: SimulatedTransaction): string {
  return inBase64url({
    threeDSServerTransID: threeDsServerTransId,
    acsTransID: acsTransId,
    messageType: 'CReq',
    messageVersion: VERSION,
    challengeWindowSize: FULL_SCREEN,
  })
}

/** The CRes at the end of the challenge. Its extension holds the mark. */
export function cresOf(transaction: SimulatedTransaction, verdict: SimulatedResult): string {
  return inBase64url(finalCRes(transaction, verdict))
}

/** The verdict of a CRes. `undefined`: it is not of this challenge, or was changed on the way. */
export function readCRes(transaction: SimulatedTransaction, cRes: string): SimulatedResult | undefined {
  return verdictIn(Buffer.from(cRes, 'base64'), (verdict) => JSON.stringify(finalCRes(transaction, verdict)))
}

function finalCRes(transaction: SimulatedTransaction, verdict: SimulatedResult) {
  const { threeDsServerTransId, acsTransId } = transaction
  return {
    threeDSServerTransID: threeDsServerTransId,
    acsTransID: acsTransId,
    messageType: 'CRes',
    messageVersion: VERSION,
    challengeCompletionInd: 'Y',
    transStatus: verdict === 'authenticated' ? 'Y' : 'N',
    // 01: the customer pressed "Cancel".
    ...(verdict === 'cancelled' ? { challengeCancel: '01' } : {}),
    messageExtension: [
      { name: 'simulated', id: 'simulated', criticalityIndicator: false, data: { mark: markOf(transaction, verdict) } },
    ],
  }
}

/** Messages of 3-D Secure 1.0.2: XML, deflated, in base64. They have only the parts that the simulated server reads. */

/** How far a PaRes is inflated: one may be made to fill the memory. */
const MAX_INFLATED_BYTES = 65_536

/** `amount` in minor units. */
export function paReqOf(transaction: SimulatedTransaction, amount: bigint): string {
  const purchase = `<Purchase><xid>${transaction.xid}</xid><purchAmount>${amount}</purchAmount></Purchase>`
  return packed(message(transaction, `<PAReq><version>1.0.2</version>${purchase}</PAReq>`))
}

/** The PaRes at the end. Its signature is the mark. */
export function paResOf(transaction: SimulatedTransaction, verdict: SimulatedResult): string {
  return packed(finalPaRes(transaction, verdict))
}

/** The verdict of a PaRes. `undefined`: it is not of this transaction, or was changed on the way. */
export function readPaRes(transaction: SimulatedTransaction, paRes: string): SimulatedResult | undefined {
  return verdictIn(inflated(Buffer.from(paRes, 'base64')), (verdict) => finalPaRes(transaction, verdict))
}

/** 05: authenticated; 07: not. */
function finalPaRes(transaction: SimulatedTransaction, verdict: SimulatedResult): string {
  const { xid } = transaction
  const outcome = verdict === 'authenticated' ? '<status>Y</status><eci>05</eci>' : '<status>N</status><eci>07</eci>'
  const cancelled = verdict === 'cancelled' ? '<Extension id="simulated">cancelled</Extension>' : ''
  const paRes = `<PARes id="${transaction.acsTransId}"><version>1.0.2</version><Purchase><xid>${xid}</xid></Purchase>`
  const signature = `<Signature><SignatureValue>${markOf(transaction, verdict)}</SignatureValue></Signature>`
  return message(transaction, `${paRes}<TX>${outcome}</TX>${cancelled}</PARes>${signature}`)
}

function message({ threeDsServerTransId }: SimulatedTransaction, content: string): string {
  const opening = '<?xml version="1.0" encoding="UTF-8"?><ThreeDSecure>'
  return `${opening}<Message id="${threeDsServerTransId}">${content}</Message></ThreeDSecure>`
}

function packed(xml: string): string {
  return deflateSync(xml).toString('base64')
}

function inflated(bytes: Buffer): Buffer {
  try {
    return inflateSync(bytes, { maxOutputLength: MAX_INFLATED_BYTES })
  } catch {
    return bytes
  }
}

/** A JSON object in the encoding in which browsers carry 3DS messages. */
export function inBase64url(message: object): string {
  return Buffer.from(JSON.stringify(message)).toString('base64url')
}

/** The members of a JSON object in base64 or base64url. Anything else has none. */
export function jsonInBase64(text: string): Readonly<Record<string, unknown>> {
  try {
    const read: unknown = JSON.parse(Buffer.from(text, 'base64').toString('utf8'))
    return typeof read === 'object' && read !== null ? { ...read } : {}
  } catch {
    return {}
  }
}
