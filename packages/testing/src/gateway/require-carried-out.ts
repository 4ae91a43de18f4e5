type Result = { readonly ok: true } | { readonly ok: false; readonly rule?: string; readonly reason: string }

type Done<R extends Result> = Extract<R, { readonly ok: true }>

/**
 * A refusal as a value is for an operator. A test that does not look at it would pass although nothing has happened.
 *
 * @param asked how the test asked: `gateway.chargeback`
 * @throws Error with why the gateway refused it
 */
export function requireCarriedOut<R extends Result>(asked: string, result: R): Done<R> {
  if (result.ok) return result as Done<R>
  const { rule, reason } = result
  const [owner] = asked.split('.')
  throw new Error(
    `${asked} was refused: ${reason}${rule === undefined ? '' : ` (${rule})`}. ` +
      `If the order is not decided yet, wait for ${owner}.settled() first; a test of the refusal expects this error`,
  )
}
