import { type Kind, type Kinds, kind } from '@tallystick/core'
import type { RouteOptions } from './route-options.ts'

/** A version of Nest: a text, a list of them, or the symbol `VERSION_NEUTRAL`. */
const version: Kind = {
  wanted: 'a text, a list of texts or VERSION_NEUTRAL',
  isRight: (value) => [value].flat().every((one) => typeof one === 'string' || typeof one === 'symbol'),
}

/** Every option of a route with its kind. */
export const ROUTE_KINDS: Kinds<RouteOptions> = {
  path: kind.text,
  decorators: kind.listOf({ ...kind.function, wanted: 'a decorator, such as SkipThrottle()' }),
  version,
}

/** The same where nothing else says that the path is missing. */
export const PLACE_KINDS: Kinds<RouteOptions> = { ...ROUTE_KINDS, path: kind.required(ROUTE_KINDS.path) }
