import { chargeInstant, checkOptions, type Kinds, kind } from '@tallystick/core'
import { readSetting } from './read-setting.ts'

export interface ChargeTimeOptions {
  /** `HH:MM`, 24 hours. Default 00:00. */
  readonly time?: string | undefined
  /** The IANA name of the time zone in which days begin and end, such as `Europe/Berlin`. Default UTC. */
  readonly timeZone?: string | undefined
}

/** The time of day at which recurring payments charge, and its time zone. */
export type ChargeTime = Required<{ [K in keyof ChargeTimeOptions]: string }>

export const DEFAULT_CHARGE_TIME: ChargeTime = { time: '00:00', timeZone: 'UTC' }

const CHARGE_KINDS: Kinds<ChargeTimeOptions> = { time: kind.text, timeZone: kind.text }

/** @throws TypeError that names the setting */
export function readChargeTime(given: ChargeTimeOptions = {}, name: string): ChargeTime {
  checkOptions(name, given, CHARGE_KINDS)
  const { time = DEFAULT_CHARGE_TIME.time, timeZone = DEFAULT_CHARGE_TIME.timeZone } = given
  // Any date will do to check that the time and the time zone exist.
  readSetting(name, () => chargeInstant({ date: '2000-01-01', time, timeZone }))
  return { time, timeZone }
}
