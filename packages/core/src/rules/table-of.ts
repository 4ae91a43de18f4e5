/**
 * Keeps the literals of a table that has a shape. It does what `as const satisfies Shape` does, but the mutation tests can change
 * the table: they skip an expression before an `as`.
 */
export function tableOf<Shape>() {
  return <const Table extends Shape>(table: Table): Table => table
}
