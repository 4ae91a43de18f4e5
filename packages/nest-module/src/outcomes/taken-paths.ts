import type { PaymentsRoutes } from '../payments.options.ts'
import type { RouteOptions } from '../routes/route-options.ts'

/** An instance, as far as its routes can be in the way of others. */
export interface RoutedInstance {
  readonly name: string
  readonly routes: PaymentsRoutes
}

interface Place extends RouteOptions {
  /** For messages: `callbacks.path of the instance eu`. */
  readonly option: string
}

/** Nest gives every request to the first route of a path, and the other one would never hear of any. */
export function takenPaths(instances: readonly RoutedInstance[]): readonly string[] {
  const places = instances.flatMap(placesOf)
  return places.flatMap((place, index) =>
    places
      .slice(0, index)
      .filter((earlier) => isSame(earlier, place))
      .map(
        ({ option }) =>
          `${option} and ${place.option} are both ${pathOf(place)}: give each a path or a version of its own`,
      ),
  )
}

function placesOf({ name, routes: { callbacks, browserReturn, threeDsReturn } }: RoutedInstance): readonly Place[] {
  return Object.entries({ callbacks, browserReturn, threeDsReturn }).flatMap(([route, options]) =>
    options === undefined ? [] : [{ ...options, option: `${route}.path of the instance ${name}` }],
  )
}

function isSame(one: Place, other: Place): boolean {
  const versions = versionsOf(other)
  return pathOf(one) === pathOf(other) && versionsOf(one).some((version) => versions.includes(version))
}

/** Nest does not look at slashes at the ends. */
function pathOf({ path }: Place): string {
  return path.replace(/^\/+|(?<!\/)\/+$/g, '')
}

function versionsOf({ version }: Place): readonly unknown[] {
  return [version].flat()
}
