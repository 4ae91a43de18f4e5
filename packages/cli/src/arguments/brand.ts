import { defineProfile, type Profile } from '@tallystick/core'
import type { HelpRow } from '../help.ts'
import type { World } from '../world.ts'
import { given, objectIn, UsageError } from './parse.ts'

export const BRAND_OPTIONS = { 'base-url': { type: 'string' }, profile: { type: 'string' } } as const

export const BRAND_ROWS: readonly HelpRow[] = [
  ['--base-url URL', 'scheme, host and path prefix of the gateway, such as https://gate.example.com/paynet'],
  ['--profile FILE', 'JSON with the options of defineProfile, for a gateway that differs from the specification'],
]

interface BrandFiles {
  readonly 'base-url'?: string | undefined
  readonly profile?: string | undefined
}

/** Stands for the address of a gateway where none is given. */
export const NO_GATEWAY = 'https://gateway.invalid'

/**
 * The profile, with the address `NO_GATEWAY` if none is given.
 *
 * @throws UsageError that names the wrong option
 */
export function profileOf({ 'base-url': baseUrl, profile }: BrandFiles, world: World): Profile {
  const brand = profile === undefined ? {} : optionsIn(profile, world)
  return given(() => defineProfile({ baseUrl: NO_GATEWAY, ...brand, ...(baseUrl === undefined ? {} : { baseUrl }) }))
}

function optionsIn(file: string, { read }: World): Partial<Profile> {
  const options = objectIn(read(file))
  if (options !== undefined) return options
  throw new UsageError(`${file} must hold a JSON object with the options of defineProfile`)
}
