import { de } from './de.ts'
import { en, type Texts } from './en.ts'

/** A language of the pages. */
export interface Language {
  /** The language of a BCP 47 tag, without region or script, for the attribute `lang` and for numbers. */
  readonly tag: string
  readonly texts: Texts
}

/** The first is for everyone whose own language is not here. */
export const LANGUAGES: readonly [Language, ...Language[]] = [
  { tag: 'en', texts: en },
  { tag: 'de', texts: de },
]

/**
 * The first wanted language that is available. Each wish is a tag such as `de`, `de-DE` or `DE`, or a header Accept-Language,
 * whose order is taken as the order of preference (RFC 9110 section 12.5.4).
 */
export function chooseLanguage(...wishes: readonly (string | undefined)[]): Language {
  for (const wish of wishes) {
    for (const tag of wish?.slice(0, 200).toLowerCase().split(',') ?? []) {
      const primary = /^[a-z]+/.exec(tag.trim())?.[0]
      const found = LANGUAGES.find((language) => language.tag === primary)
      if (found !== undefined) return found
    }
  }
  return LANGUAGES[0]
}
