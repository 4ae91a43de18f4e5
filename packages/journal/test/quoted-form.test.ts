import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sqliteJournalStore } from '../src/index.ts'
import { handClock } from './hand-clock.ts'
import { ownFolder } from './own-folder.ts'
import { rebill, replied, shopProcess, statusReply } from './shop-process.ts'

/** What a gateway may quote of a request with a card in it. */
const FORM = 'credit_card_number=4485940822379130&cvv2=7391&control=f493a1b2'

const inFolder = ownFolder()

/** And as programs print it. */
const DUMP = `${FORM} Array ( [cvv2] => 7391 ) <cvv2>7391</cvv2> ["cvv2"]=> string(4) "7391" {"name":"cvv2","value":"7391"}`

const refused = { type: 'validation-error', 'error-message': `Bad request: ${FORM}`, 'serial-number': FORM }
const accepted = {
  type: 'async-response',
  'paynet-order-id': '6768788',
  'serial-number': FORM,
  'redirect-url': `https://a.example/?${FORM}`,
}
const status = {
  'serial-number': FORM,
  status: FORM,
  'transaction-type': FORM,
  'order-stage': FORM,
  currency: FORM,
  amount: FORM,
}

test.each([
  ['a refusal', refused],
  ['a refusal with a dump of it', { ...refused, 'error-message': DUMP }],
  ['an acknowledgement', accepted],
])('no card data and no control that %s quotes is written', async (_what, answer) => {
  const store = sqliteJournalStore({ file: inFolder('shop.db') })
  const { journal } = shopProcess({
    store,
    isCertain: true,
    clock: handClock(),
    answer: async (operation, request) => (operation === 'status' ? statusReply(request, status) : replied(answer)),
    handler: () => {},
  })
  await journal.pay({ profile: 'subscription 12', period: '2026-11' }, 'makeRebill', rebill)
  const written = readdirSync(inFolder())
    .map((name) => readFileSync(inFolder(name), 'latin1'))
    .join()
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<id>')
  expect(written).toContain('cvv2=***')
  // Not as a part of an id or a digest: some of them contain these digits by chance.
  expect(written).not.toMatch(/4485940822379130|(?<![0-9a-z])7391(?![0-9a-z])|f493a1b2/i)
  await journal.close()
  await store.close()
})
