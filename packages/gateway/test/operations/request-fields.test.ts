import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import type { PaymentMethod } from '../../src/acquirer/acquirer.ts'
import { type AuthenticationResponse, simulator } from '../../src/index.ts'
import { counter, FORM_OPERATIONS, TYPED } from '../pages/browser.ts'
import { deciding } from '../support/acquirers.ts'
import { desk } from '../support/desk.ts'
import { recurringDesk } from '../support/recurring.ts'
import { PAYER, SALE } from '../support/signed-requests.ts'
import { recording } from '../support/stores.ts'
import { CARDS, serverToServer, threeDsDesk } from '../support/three-ds.ts'

/** The simulator, with the instruments and results that it was given. */
function attentive() {
  const { tokenize, authenticate } = simulator()
  const instruments: PaymentMethod[] = []
  const results: AuthenticationResponse[] = []
  const acquirer = deciding({
    tokenize: async (instrument) => {
      instruments.push(instrument)
      return await tokenize(instrument)
    },
    authenticate: async (instruction, result) => {
      results.push(result)
      return await authenticate(instruction, result)
    },
  })
  return { acquirer, instruments, results }
}

/** What no change of a store may hold. */
const SAID = {
  first_name: 'JOHANNES',
  ssn: '804217759001',
  birthday: '19700131',
  state: 'NY',
  loyalty_tier: 'gold-4711',
}

describe('what the acquirer receives of a request besides its card', () => {
  test("[G2.4-02] is the receiver, the receiver's bank, the purpose and the payer of a payout", async () => {
    const { acquirer, instruments } = attentive()
    await desk({ acquirer }).payout({
      account_number: '4081',
      bank_name: 'Banca',
      bank_branch: 'Centro',
      bank_city: 'Rome',
      receiver_first_name: 'ANNA',
      receiver_resident: 'true',
      receiver_identity_document_number: '77',
      purpose: 'salary',
      first_name: 'JOHN',
      login: 'shop',
    })
    expect(instruments[0]?.requestFields?.fields).not.toHaveProperty('login')
    expect(instruments[0]?.requestFields?.fields).toMatchObject({
      bankBranch: 'Centro',
      bankCity: 'Rome',
      receiverFirstName: 'ANNA',
      receiverResident: 'true',
      receiverDocumentNumber: '77',
      purpose: 'salary',
      firstName: 'JOHN',
    })
  })

  test('[G2.4-02] is the address, the browser and the unknown fields of a sale, and nothing of its card or its login', async () => {
    const { acquirer, instruments } = attentive()
    const { store, changes } = recording()
    const { ask } = desk({ acquirer, store })
    await ask('/api/v2/sale', { ...SALE, ...serverToServer('challenge'), cvv2: '9731', loyalty_tier: 'gold-4711' })
    const { fields = {}, extra } = instruments[0]?.requestFields ?? {}
    expect(fields).toMatchObject({
      email: SALE.email,
      address1: SALE.address1,
      customerIp: SALE.ipaddress,
      browserInfo: 'true',
      browserUserAgent: 'Mozilla/5.0',
      cardPrintedName: SALE.card_printed_name,
    })
    expect(extra).toEqual({ loyalty_tier: 'gold-4711' })
    expect(Object.keys(fields)).not.toContain('expireMonth')
    expect(JSON.stringify(fields)).not.toMatch(/9731|4444444400000010|control/)
    expect(inspect(changes, { depth: 20 })).not.toContain('gold-4711')
  })

  test('[S2-11] is the fingerprint of the browser, with the result of the method step', async () => {
    const { acquirer, results } = attentive()
    const made = threeDsDesk({ acquirer })
    const ids = await made.sale({ ...serverToServer('method'), credit_card_number: CARDS.method })
    await made.upload('method-url', ids, { threeDSCompInd: 'Y', browserColorDepth: '24' })
    expect(results).toMatchObject([
      { step: 'method', value: 'Y', requestFields: { fields: { browserColorDepth: '24' } } },
    ])
  })

  test.for(FORM_OPERATIONS.filter((path) => !path.includes('payout')))(
    '[G2.4-02] is what %s said of the customer, and the name on the card, once the customer pays on the page',
    async (path) => {
      const { acquirer, instruments } = attentive()
      const { openForm, submit, shown } = counter({ acquirer })
      const { address, ids } = await openForm(path, SAID)
      await submit(address, { ...TYPED, expiry: '13/31' })
      await submit(address, TYPED)
      expect((await shown(ids))[0]).toBe('approved')
      expect(instruments).toHaveLength(1)
      expect(instruments[0]?.requestFields).toMatchObject({
        fields: {
          firstName: 'JOHANNES',
          ssn: '804217759001',
          birthday: '19700131',
          address1: PAYER.address1,
          zipCode: PAYER.zip_code,
          customerIp: PAYER.ipaddress,
          cardPrintedName: TYPED.card_printed_name,
        },
        extra: {},
      })
    },
  )

  test('[G2.4-02] is the receiver in the request for a payout form', async () => {
    const { acquirer, instruments } = attentive()
    const { openForm, submit } = counter({ acquirer })
    const receiver = { receiver_last_name: 'VERDI', receiver_identity_document_number: '77' }
    const { address } = await openForm('/api/v2/payout-form', receiver)
    await submit(address, { way: 'wallet', 'wallet-destination_wallet': 'w-1' })
    expect(instruments).toMatchObject([
      {
        destination: { wallet: 'w-1' },
        requestFields: { fields: { receiverLastName: 'VERDI', receiverDocumentNumber: '77' } },
      },
    ])
  })

  test('[S4-52] [G2.4-02] is what the request for a schedule said of the customer, with each charge', async () => {
    const { acquirer, instruments } = attentive()
    const { store, changes } = recording()
    const { profile, clock } = recurringDesk({ acquirer, store })
    const customer = { address1: '7 Hidden Lane', 'zip-code': '90817', 'customer-ip': '192.0.2.77' }
    await profile({ ...customer, loyalty_tier: 'gold-4711', cvv2: '9731' })
    await clock.advance('31d')
    const said = { fields: { address1: '7 Hidden Lane', zipCode: '90817', customerIp: '192.0.2.77' }, extra: {} }
    expect(instruments).toMatchObject([{ requestFields: said }, { requestFields: said }])
    expect(inspect(instruments[0]?.requestFields)).not.toMatch(/9731|gold-4711/)
    expect(inspect(changes, { depth: 20 })).not.toMatch(/Hidden Lane|192\.0\.2\.77|gold-4711/)
  })

  test('is sealed while it waits for the customer, and gone when the form is sent or nobody fills it in', async () => {
    const { store, changes } = recording()
    const { openForm, submit, clock } = counter({ store })
    const forms = [await openForm('/api/v2/sale-form', SAID), await openForm('/api/v2/preauth-form', SAID)]
    const kept = async () =>
      await Promise.all(
        forms.map(async ({ token }) => (await store.orderByPageToken(token))?.details.pages?.requestFields),
      )
    expect(await kept()).toEqual([expect.any(String), expect.any(String)])
    await submit(forms[0]?.address ?? '', TYPED)
    await clock.advance('30m')
    expect(await kept()).toEqual([undefined, undefined])
    expect(inspect(changes, { depth: 20 })).not.toMatch(/804217759001|19700131|gold-4711/)
  })

  test('[G2.4-02] is nothing of the request if an earlier version that did not store it opened the form', async () => {
    const { acquirer, instruments } = attentive()
    const made = counter({ acquirer })
    const { address, token } = await made.openForm()
    const order = await made.store.orderByPageToken(token)
    if (order === undefined) throw new Error('no order')
    const { pages, ...details } = order.details
    const before = {
      ...order,
      version: order.version + 1,
      details: { ...details, pages: { token, form: pages?.form } },
    }
    await made.store.commit({ order: { order: before, basedOn: order.version } }, made.clock.now())
    await made.submit(address, TYPED)
    expect(instruments[0]?.requestFields?.fields).toEqual({ cardPrintedName: TYPED.card_printed_name })
  })
})
