/** White space that files, editors and forms leave at an end of a value. */
const STRAY = [' ', '\n', '\r\n', '\t']

/** The text with white space gained or lost at its ends, without the text itself. */
export function withStraySpace(text: string): string[] {
  const gained = STRAY.flatMap((space) => [text + space, space + text, space + text + space])
  return [text.trim(), text.trimStart(), text.trimEnd(), ...gained].filter((variant) => variant !== text)
}
