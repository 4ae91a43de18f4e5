const WIDTH = 100

/** Words in rows for a help text, each row indented. */
export function rowsOf(words: readonly string[]): string {
  const rows: string[] = []
  for (const word of words) {
    const row = rows.at(-1)
    if (row === undefined || row.length + word.length > WIDTH) rows.push(`  ${word}`)
    else rows[rows.length - 1] = `${row}, ${word}`
  }
  return rows.join(',\n')
}
