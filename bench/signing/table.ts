/** One line of a table: what was measured, the figure, and its goal. */
export type Row = { readonly what: string; readonly figure: number; readonly unit: string; readonly goal?: string }

/** Prints rows in columns. */
export function printTable(title: string, rows: readonly Row[]): void {
  const width = Math.max(...rows.map(({ what }) => what.length))
  const lines = rows.map(({ what, figure, unit, goal = '' }) => {
    return `  ${what.padEnd(width)}  ${figure.toFixed(2).padStart(10)} ${unit.padEnd(8)} ${goal}`.trimEnd()
  })
  process.stdout.write(`${[title, ...lines].join('\n')}\n`)
}
