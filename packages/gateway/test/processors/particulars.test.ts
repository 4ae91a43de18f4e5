import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { type AuthenticationResult, type Instrument, simulator } from '../../src/index.ts'
import { deciding } from '../support/acquirers.ts'
import { desk } from '../support/desk.ts'
import { SALE } from '../support/signed-requests.ts'
import { recording } from '../support/stores.ts'
import { CARDS, serverToServer, threeDsDesk } from '../support/three-ds.ts'

/** The simulator, with what it was handed. */
function attentive() {
  const { prepare, authenticate } = simulator()
  const instruments: Instrument[] = []
  const results: AuthenticationResult[] = []
  const acquirer = deciding({
    prepare: async (instrument) => {
      instruments.push(instrument)
      return await prepare(instrument)
    },
    authenticate: async (instruction, result) => {
      results.push(result)
      return await authenticate(instruction, result)
    },
  })
  return { acquirer, instruments, results }
}

describe('what the acquirer hears of a request besides its card', () => {
  test('[G2.4-02] is the receiver and his bank, the purpose and the payer of a payout', async () => {
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
    expect(instruments[0]?.particulars?.fields).not.toHaveProperty('login')
    expect(instruments[0]?.particulars?.fields).toMatchObject({
      bankBranch: 'Centro',
      bankCity: 'Rome',
      receiverFirstName: 'ANNA',
      receiverResident: 'true',
      receiverDocumentNumber: '77',
      purpose: 'salary',
      firstName: 'JOHN',
    })
  })

  test('[G2.4-02] is the address, the browser and what no model has of a sale, and nothing of its card or its login', async () => {
    const { acquirer, instruments } = attentive()
    const { store, changes } = recording()
    const { ask } = desk({ acquirer, store })
    await ask('/api/v2/sale', { ...SALE, ...serverToServer('challenge'), cvv2: '9731', loyalty_tier: 'gold-4711' })
    const { fields = {}, extra } = instruments[0]?.particulars ?? {}
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
      { step: 'method', value: 'Y', particulars: { fields: { browserColorDepth: '24' } } },
    ])
  })
})
