/** Payments at a gateway on Node, the vectors, and the testing package in the runtime itself. */
import { startGateway, testKeyPair } from '@tallystick/testing'
import { controlVectors, oauthVectors, rsaPublicKeyPem } from '../../../signing/test/vectors.ts'
import type { Merchant } from './programs/payments.ts'
import type { Running } from './runtime.ts'

type Gateway = Awaited<ReturnType<typeof startGateway>>

const PAYMENTS = {
  credentials: 'right',
  sale: 'accepted',
  outcome: 'approved',
  lost: 'unknown',
  resolved: 'approved',
  hmac: 'accepted',
  rsa: 'accepted',
}
const LIFE = 'approved unknown approved declined'

export async function tryPayments(running: Running): Promise<readonly string[]> {
  await using gateway = await startGateway()
  const lost = `lost-${Date.now()}-x`
  gateway.forOrder(lost).loseReplyAfterCommit()
  const paid = await running.ask('/payments', { merchant: merchantOf(gateway), lost })
  const wrong = await running.ask<readonly string[]>('/vectors', vectors())
  const tested = await running.ask('/tests', { hasSockets: running.hasSockets })
  const lives = { direct: LIFE, ...(running.hasSockets ? { socket: LIFE } : {}), fake: 'accepted' }
  return [
    ...differing('payments', paid, PAYMENTS),
    ...differing('tests', tested, lives),
    ...wrong.map((id) => `the vector ${id} came out differently`),
  ]
}

/** The merchant's options as JSON. */
export function merchantOf({ merchant }: Gateway): Merchant {
  const { baseUrl, login, controlKey, privateKey, endpointId } = merchant
  return { baseUrl, login, controlKey: controlKey.reveal(), privateKey: privateKey.reveal(), endpointId }
}

function differing(what: string, told: unknown, expected: object): readonly string[] {
  const [is, should] = [told, expected].map((value) => JSON.stringify(value))
  return is === should ? [] : [`${what}: ${is} instead of ${should}`]
}

/** The amounts of the vectors stand in major units; the control holds them in cents. */
function vectors() {
  const controls = controlVectors.map(({ id, fields, key, control }) => {
    const terms = Object.entries(fields).map(([name, value]) =>
      name === 'amount' ? value.replace('.', '').replace(/^0+/, '') : value,
    )
    return { id, terms, key, control }
  })
  return { controls, oauth: oauthVectors, rsaPublicKeyPem, ...testKeyPair() }
}
