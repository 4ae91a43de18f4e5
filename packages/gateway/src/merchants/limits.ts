import { checkOptions, type Kinds, kind, toMinorUnits } from '@tallystick/core'
import type { EndpointOptions } from './endpoint.ts'
import { readSetting } from './read-setting.ts'

/** Limits hold in every currency, so they are compared in the smallest unit of any currency: four decimals. */
const DECIMALS = 4

type Limits = NonNullable<EndpointOptions['limits']>

/** The limits of an endpoint, checked. */
export interface ReadLimits {
  /** Whether an order may have this amount, in major units. */
  allows(amount: string): boolean
  /** The limits in words, for the message of a refusal. */
  readonly limitsText: string
}

const LIMIT_KINDS: Kinds<Limits> = { min: kind.text, max: kind.text }

/** @throws TypeError that names the setting */
export function readLimits(limits: Limits, name: string): ReadLimits {
  checkOptions(name, limits, LIMIT_KINDS)
  const { min, max } = limits
  const least = min === undefined ? 0n : readSetting(name, () => scaled(min))
  const most = max === undefined ? undefined : readSetting(name, () => scaled(max))
  if (most !== undefined && least > most) throw new TypeError(`${name}: min is above max`)
  const texts = [min === undefined ? [] : `at least ${min}`, max === undefined ? [] : `at most ${max}`].flat()
  return {
    allows: (amount) => scaled(amount) >= least && (most === undefined || scaled(amount) <= most),
    limitsText: texts.join(' and '),
  }
}

function scaled(amount: string): bigint {
  const digits = toMinorUnits(amount.trim(), DECIMALS)
  if (digits === undefined)
    throw new TypeError(`${amount} is not an amount; write major units with a dot, such as 10.50`)
  return BigInt(digits)
}
