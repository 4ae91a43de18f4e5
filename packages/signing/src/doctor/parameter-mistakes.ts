import type { Parameter } from '../oauth/parameter.ts'
import type { Recipe } from './recipe.ts'
import type { RecipeMistake } from './recipe-mistake.ts'
import { trimFirst, withStraySpace } from './white-space.ts'

/** What can go wrong in choosing the parameters. */
export type ParameterCause =
  | 'body-not-counted'
  | 'empty-token-signed'
  | 'empty-value-left-out'
  | 'oauth-counted-twice'
  | 'oauth-not-counted'
  | 'query-left-out'
  | 'value-not-trimmed'

/** Mistakes of what is among the parameters. */
export const PARAMETER_MISTAKES: readonly RecipeMistake<ParameterCause>[] = [
  {
    cause: 'query-left-out',
    advice: 'sign the parameters of the query too',
    changes: () => [{ query: [] }],
  },
  {
    cause: 'body-not-counted',
    advice: 'sign the parameters of the body too: the content type is application/x-www-form-urlencoded',
    changes: () => [{ body: [] }],
  },
  {
    cause: 'oauth-counted-twice',
    advice: 'sign each oauth_* parameter once, also when it is in the header and in the body',
    changes: ({ protocol }) => [{ protocol: [...protocol, ...protocol] }],
  },
  {
    cause: 'oauth-not-counted',
    advice: 'sign every oauth_* parameter of the header but oauth_signature',
    changes: ({ protocol }) => [
      { protocol: [] },
      ...protocol.map((_pair, at) => ({ protocol: protocol.toSpliced(at, 1) })),
    ],
  },
  {
    cause: 'empty-token-signed',
    advice: 'sign no oauth_token: it is not sent, because this interface has no token',
    changes: ({ protocol }) => [{ protocol: [...protocol, ['oauth_token', '']] }],
  },
  {
    cause: 'empty-value-left-out',
    advice: 'a parameter that is sent with an empty value is signed as name=: leave it out of both or of neither',
    changes: ({ query, body }) => [{ query: query.filter(isFilled), body: body.filter(isFilled) }],
  },
  {
    cause: 'value-not-trimmed',
    advice: trimFirst('a value'),
    changes: (recipe) => [trimmed(recipe), ...strayed(recipe, 'body'), ...strayed(recipe, 'query')],
  },
]

function isFilled([, value]: Parameter): boolean {
  return value !== ''
}

function trimmed({ query, body }: Recipe): Partial<Recipe> {
  const trim = (pairs: readonly Parameter[]) => pairs.map(([name, value]): Parameter => [name, value.trim()])
  return { query: trim(query), body: trim(body) }
}

/** One value at a time. */
function strayed(recipe: Recipe, part: 'body' | 'query'): Partial<Recipe>[] {
  return recipe[part].flatMap(([name, value], at) =>
    withStraySpace(value).map((variant) => ({ [part]: recipe[part].with(at, [name, variant]) })),
  )
}
