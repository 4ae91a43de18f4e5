/** With more slips, another word was meant. */
const MOST_SLIPS = 3

/**
 * The known name that somebody may have meant: the same in other capitals, or a few slips away. `undefined`: none is near.
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const most = Math.min(MOST_SLIPS, Math.max(1, Math.floor(name.length / 2)))
  const slips = known.map((candidate) => slipsBetween(name.toLowerCase(), candidate.toLowerCase()))
  const fewest = Math.min(...slips)
  return fewest > most ? undefined : known[slips.indexOf(fewest)]
}

/** For a message: what was probably meant, else all that there is. */
export function suggestName(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known)
  return nearest === undefined ? `there are ${known.join(', ')}` : `did you mean ${nearest}?`
}

/**
 * How many letters are wrong, missing or too many.
 *
 * @see {@link https://en.wikipedia.org/wiki/Levenshtein_distance#Iterative_with_two_matrix_rows Levenshtein distance}
 */
function slipsBetween(one: string, other: string): number {
  let previous = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [row, letter] of one.split('').entries()) {
    const current = [row + 1]
    for (const [column, expected] of other.split('').entries()) {
      const wrong = (previous[column] ?? 0) + (letter === expected ? 0 : 1)
      current.push(Math.min(wrong, (previous[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1))
    }
    previous = current
  }
  return previous.at(-1) ?? 0
}
