import { endpointAddress } from '@tallystick/core/internal'

/**
 * Reads one setting of the operator. Its errors begin with the setting's name, which the parts that read keys, ids and addresses
 * do not know. None of their messages holds a key.
 *
 * @throws TypeError
 */
export function readSetting<T>(name: string, read: () => T): T {
  try {
    return read()
  } catch (cause) {
    throw new TypeError(`${name}: ${(cause as Error).message}`, { cause })
  }
}

/** A number loses digits past 2^53, so a larger id has to be a text. */
export function readId(id: string | number | bigint): string {
  if (typeof id === 'number' && !Number.isSafeInteger(id))
    throw new TypeError('must be a whole number below 2^53; write a larger one as text')
  return endpointAddress({ endpointId: String(id) }).id
}

/** When on a day recurring payments charge. */
export interface ChargeTimeOptions {
  /** `HH:MM`, 24 hours. Default 00:00. */
  readonly time?: string | undefined
  /** The IANA name of the time zone in which days begin and end, such as `Europe/Berlin`. Default UTC. */
  readonly timeZone?: string | undefined
}

/** The time of day at which recurring payments charge, and its time zone. */
export type ChargeTime = Required<{ [K in keyof ChargeTimeOptions]: string }>

export const DEFAULT_CHARGE_TIME: ChargeTime = { time: '00:00', timeZone: 'UTC' }
