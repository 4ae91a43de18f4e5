/** The text in lower and in upper case: what programs make of a GUID or of an e-mail address. */
export function inOtherCases(text: string): string[] {
  return [text.toLowerCase(), text.toUpperCase()]
}

/** For a key that was changed so. */
export const KEEP_CASE_OF_KEY =
  'the key was changed to lower or upper case: use each letter of it as it was given to you'
