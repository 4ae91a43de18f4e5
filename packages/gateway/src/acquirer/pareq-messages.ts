import { deflateSync, inflateSync } from 'node:zlib'
import { markOf, type Verdict, verdictIn } from './authentication-result.ts'
import type { SimulatedTransaction } from './simulated-transaction.ts'

/** Messages of 3-D Secure 1.0.2: XML, deflated, in base64. They have only the parts that the simulated server reads. */

/** How far a PaRes is inflated: one may be made to fill the memory. */
const MAX_INFLATED_BYTES = 65_536

/** `amount` in minor units. */
export function paReqOf(transaction: SimulatedTransaction, amount: bigint): string {
  const purchase = `<Purchase><xid>${transaction.xid}</xid><purchAmount>${amount}</purchAmount></Purchase>`
  return packed(message(transaction, `<PAReq><version>1.0.2</version>${purchase}</PAReq>`))
}

/** The PaRes at the end. Its signature is the mark. */
export function paResOf(transaction: SimulatedTransaction, verdict: Verdict): string {
  return packed(finalMessage(transaction, verdict))
}

/** The verdict of a PaRes. `undefined`: it is not of this transaction, or was changed on the way. */
export function readPaRes(transaction: SimulatedTransaction, paRes: string): Verdict | undefined {
  return verdictIn(inflated(Buffer.from(paRes, 'base64')), (verdict) => finalMessage(transaction, verdict))
}

/** 05: authenticated; 07: not. */
function finalMessage(transaction: SimulatedTransaction, verdict: Verdict): string {
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
