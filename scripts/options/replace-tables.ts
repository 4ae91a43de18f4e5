/** The place of a table: from `<!-- options: NAME -->`, or `NAME of @tallystick/PACKAGE`, to `<!-- /options -->`. */
const PLACE = /^<!-- options: (\w+)(?: of @tallystick\/([\w-]+))? -->$[\s\S]*?^<!-- \/options -->$/gm

export interface Place {
  /** The interface that the table shows. */
  readonly name: string
  /** The folder of the package that exports it. */
  readonly folder: string
}

/** The text with every table rewritten. */
export function replaceTables(markdown: string, folder: string, tableOf: (place: Place) => string): string {
  return markdown.replace(PLACE, (text, name: string, other: string | undefined) => {
    const [opening] = text.split('\n', 1)
    return `${opening}\n\n${tableOf({ name, folder: other ?? folder })}\n\n<!-- /options -->`
  })
}
