import type { PaymentsRoutes } from '../payments.options.ts'
import type { RouteOptions } from '../routes/route-options.ts'

/** What is known of an instance when the app starts. */
export interface RegisteredInstance extends RoutedInstance {
  readonly hasJournal: boolean
  /** Whether it has an `onOutcome` of its own. */
  readonly hasListener: boolean
}

/** The parts of an instance that decide whether its routes collide with others. */
interface RoutedInstance {
  readonly name: string
  readonly routes: PaymentsRoutes
}

interface Place extends RouteOptions {
  /** For messages: `callbacks.path of the instance eu`. */
  readonly option: string
}

/**
 * Nest gives every request to the first route of a path, and the other one would never get any. Versions distinguish routes only
 * if the app has enabled them.
 */
export function takenPaths(instances: readonly RoutedInstance[], isVersioned: boolean): readonly string[] {
  const places = instances.flatMap(placesOf)
  const isSame = (one: Place, other: Place) =>
    pathOf(one) === pathOf(other) && (!isVersioned || haveOneVersion(one, other))
  const advice = isVersioned
    ? 'give each a path or a version of its own'
    : 'give each a path of its own; the app has no versioning'
  return places.flatMap((place, index) =>
    places
      .slice(0, index)
      .filter((earlier) => isSame(earlier, place))
      .map(({ option }) => `${option} and ${place.option} are both ${pathOf(place)}: ${advice}`),
  )
}

function placesOf({ name, routes: { callbacks, browserReturn, threeDsReturn } }: RoutedInstance): readonly Place[] {
  return Object.entries({ callbacks, browserReturn, threeDsReturn }).flatMap(([route, options]) =>
    options === undefined ? [] : [{ ...options, option: `${route}.path of the instance ${name}` }],
  )
}

function haveOneVersion(one: Place, other: Place): boolean {
  const versions = versionsOf(other)
  return versionsOf(one).some((version) => versions.includes(version))
}

/** Nest ignores slashes at both ends. */
function pathOf({ path }: Place): string {
  return path.replace(/^\/+|(?<!\/)\/+$/g, '')
}

function versionsOf({ version }: Place): readonly unknown[] {
  return [version].flat()
}
