import { createHmac } from 'node:crypto'

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
 * The authentication of an operation. It is derived from what `prepare` returned and the operation's reference, so any process
 * can begin an authentication and any other can end it.
 */
export function simulatedTransaction(prepared: string, reference: string): SimulatedTransaction {
  const bytes = (what: string) => createHmac('sha256', prepared).update(`${what} ${reference}`).digest()
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
