/** A text in three parts, of which the middle one is not as in the other text. */
export type Marked = readonly [before: string, different: string, after: string]

/** Two texts, each with the part in which they differ. */
export function difference(one: string, other: string): readonly [Marked, Marked] {
  const most = Math.min(one.length, other.length)
  let start = 0
  while (start < most && one[start] === other[start]) start++
  let end = 0
  while (end < most - start && one[one.length - 1 - end] === other[other.length - 1 - end]) end++
  const marked = (text: string): Marked => [
    text.slice(0, start),
    text.slice(start, text.length - end),
    text.slice(text.length - end),
  ]
  return [marked(one), marked(other)]
}
