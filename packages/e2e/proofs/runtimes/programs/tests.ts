/** What a shop's tests do with `@tallystick/testing`: a gateway in the process, with and without a socket. */
import { createJournal, memoryJournalStore } from '@tallystick/journal'
import { accepted, assertChargedOnce, cards, fakeClient, saleInput, startGateway } from '@tallystick/testing'

/** The results, in words to compare. */
export async function runTests({ hasSockets }: { readonly hasSockets: boolean }) {
  return { direct: await lifeOf(false), ...(hasSockets ? { socket: await lifeOf(true) } : {}), fake: await fake() }
}

/** A form paid by a customer with 3-D Secure, a lost reply that the journal resolves, and a card that is declined. */
async function lifeOf(socket: boolean): Promise<string> {
  const gateway = await startGateway({ socket })
  const client = gateway.client()
  const { cardNumber: _n, cardPrintedName: _p, expireMonth: _m, expireYear: _y, cvv2: _c, ...form } = saleInput()
  const opened = await client.saleForm({ ...form, redirectUrl: 'https://shop.example.com/back' })
  if (opened.outcome !== 'accepted') return `the form was ${opened.outcome}`
  await gateway.payOnPages(opened.reply.redirectUrl ?? '', cards.threeDsChallenge, 'confirms')
  await gateway.settled()
  const onForm = await client.status({ clientOrderId: form.clientOrderId })
  const journal = createJournal({ client, store: memoryJournalStore() })
  gateway.next('sale').loseReplyAfterCommit()
  const { clientOrderId: _, ...sale } = saleInput()
  const lost = await journal.pay('invoice 77', 'sale', sale)
  await gateway.settled()
  const resolved = await client.status({ clientOrderId: lost.intent.clientOrderId })
  assertChargedOnce([await gateway.order(lost.intent.clientOrderId)])
  const declined = saleInput(cards.insufficientFunds)
  await client.sale(declined)
  await gateway.settled()
  const { status } = await client.status({ clientOrderId: declined.clientOrderId })
  await journal.close()
  await gateway.close()
  return [onForm.status, lost.outcome, resolved.status, status].join(' ')
}

async function fake(): Promise<string> {
  const client = fakeClient()
  client.answer('sale', accepted({ orderId: '6768788' }))
  return (await client.sale(saleInput())).outcome
}
