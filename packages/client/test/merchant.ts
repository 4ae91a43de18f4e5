import type { Profile } from '@tallystick/core'
import { defineProfile } from '@tallystick/core'
import { createPaymentClient, type PaymentClient, type Transport } from '../src/index.ts'
import { standingClock } from './clocks.ts'
import { privatePem } from './keys.ts'

/** The merchant of the tests. The control key is the one of the official test suites. */
export const merchant = {
  login: 'test-login',
  controlKey: 'D5F82EC1-8575-4482-AD89-97X6X0X20X22',
  endpointId: '253',
  clock: standingClock(1_669_966_913_999),
  readAttempts: 1,
  nonce: () => 'y3qlvMPky7g',
}

export const baseUrl = 'https://gate.example.com/paynet'

/** A client without an RSA key: importing one takes most of the time of a test. */
export function merchantClient(transport: Transport, profile: Partial<Profile> = {}): PaymentClient {
  return createPaymentClient({ ...merchant, profile: profileOf(profile), transport })
}

/** A client for all operations. */
export function keyedClient(transport: Transport, profile: Partial<Profile> = {}): PaymentClient {
  return createPaymentClient({ ...merchant, privateKey: privatePem, profile: profileOf(profile), transport })
}

/** With our extensions, which a client leaves alone by default. */
function profileOf(changes: Partial<Profile>): Profile {
  return defineProfile({ baseUrl, recurringExtensions: true, ...changes })
}
