/** Longer lists than those of any formula are not tried: seven have 5,040 orders. */
const MAX_LENGTH = 7

/** All orders of a short list; none of a longer one. */
export function* permutations<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  if (items.length > MAX_LENGTH) return
  if (items.length === 0) yield []
  for (const [at, item] of items.entries()) {
    for (const rest of permutations(items.toSpliced(at, 1))) yield [item, ...rest]
  }
}
