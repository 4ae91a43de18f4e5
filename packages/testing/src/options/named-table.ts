import { nearestName } from '@tallystick/core'

/** Test runners, promises and printers look for these names in every object. A table gives `undefined`, as any object does. */
const ASKED_OF_ANYTHING: ReadonlySet<string> = new Set(['then', 'toJSON', 'asymmetricMatch', 'nodeType', 'tagName'])

/** Whether a test may have written the name. */
export function isWritten(name: string | symbol): name is string {
  return typeof name === 'string' && /^[a-z]\w*$/i.test(name) && !ASKED_OF_ANYTHING.has(name) && !(name in {})
}

/**
 * A table that throws for unknown names: in a program without types a misspelt one would be `undefined`, which a spread ignores.
 * Otherwise it has the values, keys and types of the given table.
 *
 * @param where the name of the table: `cards`
 * @throws TypeError if an unknown name is read, with the one that may have been meant
 */
export function namedTable<const Table extends object>(where: string, table: Table): Table {
  return new Proxy(table, {
    get: (_target, name) => {
      if (!Object.hasOwn(table, name) && isWritten(name)) {
        throw new TypeError(`${where}: there is no ${name}; ${suggestion(name, Object.keys(table))}`)
      }
      return Reflect.get(table, name)
    },
  })
}

/** The nearest name, or else those with a similar beginning: `looseReply` is nearly the beginning of two faults. */
function suggestion(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known)
  const meant =
    nearest === undefined ? known.filter((one) => nearestName(name, [one.slice(0, name.length)])) : [nearest]
  return meant.length === 0 ? `there are ${known.join(', ')}` : `did you mean ${meant.join(' or ')}?`
}
