import type { Profile, RecordedEvent } from '@tallystick/core'
import type { Merchants } from '../merchants/merchants.ts'
import { majorUnits } from '../orders/amounts.ts'
import type { Clock } from '../runtime/clock.ts'
import { type Masking, maskingOf, type Secrets, secretsOf } from './masking.ts'
import type { Recording } from './recording.ts'

export type EventOf<Type extends RecordedEvent['type']> = Extract<RecordedEvent, { readonly type: Type }>

export interface RecordingDependencies {
  readonly recording: Recording
  readonly clock: Pick<Clock, 'now'>
  readonly profile: Profile
  readonly merchants: Pick<Merchants, 'find'>
  /** Of all merchants. */
  readonly controlKeys: readonly string[]
}

/** What is needed to make events. */
export interface RecordingContext extends Pick<RecordingDependencies, 'recording' | 'clock' | 'merchants'> {
  /** Writes amounts in major units, with a minus below 0. */
  readonly shown: (amount: bigint, currency: string) => string
  readonly masking: Masking
  /** The keys of all merchants. */
  readonly secrets: Secrets
  readonly secretsOf: (controlKey: string) => Secrets
}

export function recordingContext({ profile, controlKeys, ...given }: RecordingDependencies): RecordingContext {
  const secrets = secretsOf(controlKeys)
  const own = new Map(controlKeys.map((key) => [key, secretsOf([key])]))
  return {
    ...given,
    shown: amountWriter(profile),
    masking: maskingOf(profile),
    secrets,
    secretsOf: (key) => own.get(key) ?? secrets,
  }
}

/** An order has the same amount in most of its events: the last is remembered. */
function amountWriter(profile: Profile): RecordingContext['shown'] {
  let last = { amount: 0n, currency: '', text: '' }
  const written = (amount: bigint, currency: string) => {
    if (amount !== last.amount || currency !== last.currency) {
      last = { amount, currency, text: `${majorUnits(amount, currency, profile)}` }
    }
    return last.text
  }
  return (amount, currency) => (amount < 0n ? `-${written(-amount, currency)}` : written(amount, currency))
}
