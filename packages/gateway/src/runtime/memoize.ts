/** How many results are cached, and for texts of what length: a browser may send anything. */
const MOST = 1000
const LONGEST = 200

/** The same function with a cache, for texts that come again and again. */
export function remembering<Made>(make: (text: string) => Made): (text: string) => Made {
  const known = new Map<string, Made>()
  return (text) => {
    const made = known.get(text) ?? make(text)
    if (known.size >= MOST) known.clear()
    if (text.length <= LONGEST) known.set(text, made)
    return made
  }
}
