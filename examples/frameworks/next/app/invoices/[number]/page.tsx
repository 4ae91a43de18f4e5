import { headers } from 'next/headers'
import { shop } from '../../../lib/payments'

export default async function Invoice({ params }: { params: Promise<{ number: string }> }) {
  const { number } = await params
  const { text, payAt } = await shop().page(number, (await headers()).get('accept-language'))
  return (
    <>
      <p>{text}</p>
      {payAt && (
        <form method="post" action={payAt}>
          <button type="submit">Pay</button>
        </form>
      )}
    </>
  )
}
