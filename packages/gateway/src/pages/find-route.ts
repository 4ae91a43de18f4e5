import type { PageRoute } from './page-route.ts'

export type FoundRoute =
  | { readonly found: 'route'; readonly route: PageRoute; readonly token: string }
  /** There is such a page, but only for these methods. */
  | { readonly found: 'method'; readonly allow: string; readonly token: string }
  | { readonly found: 'nothing' }

interface PathRoutes {
  readonly pattern: RegExp
  readonly routes: ReadonlyMap<string, PageRoute>
}

/** Finds the page of a path below the base path. The routes are compiled once. */
export function routeFinder(all: readonly PageRoute[]): (method: string, path: string) => FoundRoute {
  const paths = [...new Set(all.map(({ path }) => path))].map((path): PathRoutes => {
    return { pattern: patternOf(path), routes: new Map(all.filter((each) => each.path === path).flatMap(methodsOf)) }
  })
  return (method, path) => {
    for (const { pattern, routes } of paths) {
      const match = pattern.exec(path)
      if (match === null) continue
      const { 1: token = '' } = match
      const route = routes.get(method)
      if (route === undefined) return { found: 'method', allow: [...routes.keys()].join(', '), token }
      return { found: 'route', route, token }
    }
    return { found: 'nothing' }
  }
}

function methodsOf(route: PageRoute): ReadonlyArray<readonly [string, PageRoute]> {
  return route.method === 'GET' ? [['GET', route] as const, ['HEAD', route] as const] : [['POST', route] as const]
}

function patternOf(path: string): RegExp {
  const literal = path.replaceAll(/[.+*?^$()[\]|\\]/g, '\\$&')
  return new RegExp(`^${literal.replace('{token}', '([\\w-]{1,128})')}$`)
}
