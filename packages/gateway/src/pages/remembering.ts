/** What is remembered at once. */
const MOST = 1000

/** The same function, which makes nothing twice for the texts that come again and again. */
export function remembering<Made>(make: (text: string) => Made): (text: string) => Made {
  const known = new Map<string, Made>()
  return (text) => {
    const made = known.get(text) ?? make(text)
    if (known.size >= MOST) known.clear()
    known.set(text, made)
    return made
  }
}
