/** White space that files, editors and forms leave at an end of a value. */
const STRAY = [' ', '\n', '\r\n', '\t']

/** The text with white space gained or lost at its ends, without the text itself. */
export function withStraySpace(text: string): string[] {
  const gained = STRAY.flatMap((space) => [text + space, space + text, space + text + space])
  return [text.trim(), text.trimStart(), text.trimEnd(), ...gained].filter((variant) => variant !== text)
}

/** For a key that has it. */
export const TRIM_KEY = 'the key has white space at an end, at one of the two sides: trim it where it is configured'

/** For a value that was signed as another text than it was sent as. */
export function trimFirst(name: string): string {
  return `${name} was signed with other white space at its ends than it was sent with: trim it, then sign and send the same`
}
