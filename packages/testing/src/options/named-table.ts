import { nearestName } from '@tallystick/core'

/**
 * Runners, promises and printers look for names of their own in whatever they meet: to these a table says that it has none, as
 * any object does.
 */
const ASKED_OF_ANYTHING: ReadonlySet<string> = new Set(['then', 'toJSON', 'asymmetricMatch', 'nodeType', 'tagName'])

/** Whether somebody has written the name into a test. */
export function isWritten(name: string | symbol): name is string {
  return typeof name === 'string' && /^[a-z]\w*$/i.test(name) && !ASKED_OF_ANYTHING.has(name) && !(name in {})
}

/**
 * A table whose unknown names are errors: to a program without types a misspelt one would be `undefined`, which is nothing where
 * it is spread. What it has, its keys and its types are those of the table.
 *
 * @param where what has the names: `cards`
 * @throws TypeError when an unknown name is read, with the one that may have been meant
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

/** The nearest name, or else those that begin nearly so: `looseReply` is short for two of the gateway's faults. */
function suggestion(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known)
  const meant =
    nearest === undefined ? known.filter((one) => nearestName(name, [one.slice(0, name.length)])) : [nearest]
  return meant.length === 0 ? `there are ${known.join(', ')}` : `did you mean ${meant.join(' or ')}?`
}
