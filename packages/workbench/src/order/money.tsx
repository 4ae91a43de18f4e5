import { Time } from '../parts.tsx'
import { sumOf } from '../timeline.ts'
import type { Order } from './order.ts'

const ACCOUNTS = ['payer', 'hold', 'merchant', 'receiver']

/** The books of an order: each posting by its operation, and what each account has. */
export function Money({ order: { operations, postings, currency } }: { readonly order: Order }) {
  const accounts = ACCOUNTS.filter((account) => postings.some((posting) => posting.account === account))
  const booked = operations.filter(({ id }) => postings.some(({ operationId }) => operationId === id))
  const sum = sumOf(postings.map(({ amount }) => amount))
  return (
    <section aria-labelledby="money">
      <h2 id="money">Money</h2>
      {booked.length === 0 ? (
        <p>Nothing was posted: no money has moved.</p>
      ) : (
        <>
          <table class="ledger">
            <caption>Postings in {currency}</caption>
            <thead>
              <tr>
                <th scope="col">Operation</th>
                {accounts.map((account) => (
                  <th key={account} scope="col" class="number">
                    {account}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {booked.map(({ id, kind, statusAt }) => (
                <tr key={id}>
                  <th scope="row">
                    {kind} <Time at={Date.parse(statusAt)} />
                  </th>
                  {accounts.map((account) => (
                    <td key={account} class="number">
                      {amountOf(postings.filter((one) => one.operationId === id && one.account === account))}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
            <tfoot>
              <tr>
                <th scope="row">Sum</th>
                {accounts.map((account) => (
                  <td key={account} class="number">
                    {amountOf(postings.filter((one) => one.account === account))}
                  </td>
                ))}
              </tr>
            </tfoot>
          </table>
          <p class="note">
            All postings together are <span class={/[1-9]/.test(sum) ? 'bad' : ''}>{sum}</span>: each operation takes
            from one account what it gives to another.
          </p>
        </>
      )}
    </section>
  )
}

function amountOf(postings: Order['postings']): string {
  return postings.length === 0 ? '' : sumOf(postings.map(({ amount }) => amount))
}
