import {
  createVersionTable,
  type Migration,
  type PresentVersion,
  stepsAfter,
  type VersionTablePlace,
} from '@tallystick/durable/schema'
import type { CompiledQuery } from 'kysely'
import { StoreError } from '../../store-error.ts'
import { first } from './0001-first.ts'

/** In their order; the version of each is its place, from 1. */
export const MIGRATIONS: readonly Migration[] = [first]

export const VERSION_TABLE = 'schema_version'

/**
 * What brings the tables of a version to the newest, a list for each round trip. Tables of a later version stay as they are, if
 * their last step says that gateways of this version can work on them.
 *
 * @param name of the file or the schema
 * @throws StoreError if they cannot
 */
export function upgradeFrom(
  present: PresentVersion,
  name: string,
  place: VersionTablePlace,
  migrations: readonly Migration[] = MIGRATIONS,
): readonly (readonly CompiledQuery[])[] {
  if (present.worksWith > migrations.length) {
    throw new StoreError(
      'NEWER',
      `${name} has version ${present.version} of the schema, and this gateway knows ${migrations.length}: use a later gateway`,
    )
  }
  const steps = stepsAfter(present, migrations, place)
  return present.version === 0 ? [[createVersionTable(place)], ...steps] : steps
}
