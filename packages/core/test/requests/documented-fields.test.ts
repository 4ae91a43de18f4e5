import { catalogue, type Model, type OperationKey } from '@tallystick/core'
import type { ModelField, Requirement } from '@tallystick/core/internal'
import { describe, expect, test } from 'vitest'

/** Tables transcribed from gaps part 3: wire name, maximum length (`-` where none is given), necessity. */

type Table = string

const NECESSITIES: Readonly<Record<string, Requirement>> = { R: 'required', O: 'optional', C: 'conditional' }

function rowsOf(table: Table): readonly (readonly [wireName: string, max: string, necessity: string])[] {
  return table
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .map(([wireName = '', max = '', necessity = '']) => [wireName, max, necessity])
}

function fieldByWireName(model: Model, wireName: string): ModelField | undefined {
  return Object.values(model.fields).find((field) => field.wireName === wireName)
}

function expectFields(key: OperationKey, ...tables: readonly Table[]) {
  const model: Model = catalogue[key].request
  const rows = tables.flatMap(rowsOf)
  const found = rows.map(([wireName, max]) => {
    const field = fieldByWireName(model, wireName)
    return { wireName, max: max === '-' ? '-' : String(field?.format.wire.maxLength), necessity: field?.necessity }
  })
  const expected = rows.map(([wireName, max, necessity]) => ({
    wireName,
    max,
    necessity: NECESSITIES[necessity],
  }))
  expect(found).toEqual(expected)
}

/** The fields of the tables, and no other. */
function expectOnly(key: OperationKey, ...tables: readonly Table[]) {
  expectFields(key, ...tables)
  const wireNames = Object.values(catalogue[key].request.fields as Model['fields']).map((field) => field.wireName)
  const documented = new Set(tables.flatMap((table) => rowsOf(table)).map(([wireName]) => wireName))
  expect(wireNames.filter((wireName) => !documented.has(wireName))).toEqual([])
}

const PAYER = `
  client_orderid        128   R
  order_desc            65536 R
  ssn                   32    O
  birthday              8     O
  address1              256   R
  city                  50    R
  state                 3     C
  zip_code              10    R
  country               2     R
  cell_phone            15    O
  email                 50    R
  ipaddress             45    R
  site_url              128   O
  purpose               128   O
  redirect_success_url  1024  O
  redirect_fail_url     1024  O
  server_callback_url   1024  O
  notify_url            1024  O
  preferred_language    -     O
  merchant_data         -     O
`
const PHONE_REQUIRED = 'phone 15 R'
const PHONE_OPTIONAL = 'phone 15 O'
/** Required on the page of sale-form, optional elsewhere, by the acquirer: never demanded by the library. */
const NAMES = `
  first_name  50 O
  last_name   50 O
`
const NAMES_OF_FORMS = `
  first_name  50 C
  last_name   50 C
`
const REDIRECT_OPTIONAL = 'redirect_url 1024 O'
const REDIRECT_REQUIRED = 'redirect_url 1024 R'
const LANGUAGE = 'preferred_language - O'
const MONEY = `
  amount    10 R
  currency  3  R
`
/** Required, unless a reference stands for the card (gaps part 3.1 and 13). */
const CARD = `
  card_printed_name          128 C
  credit_card_number         19  C
  expire_month               -   C
  expire_year                -   C
  cvv2                       4   C
  cardrefid                  20  C
  card_recurring_payment_id  -   C
`
const BROWSER = `
  customer_browser_info                -    O
  customer_browser_accept_header       2048 C
  customer_browser_user_agent          -    C
  customer_browser_javascript_enabled  -    C
  customer_browser_java_enabled        -    C
  customer_browser_accept_language     -    C
  customer_browser_color_depth         -    C
  customer_browser_screen_width        -    C
  customer_browser_screen_height       -    C
  customer_browser_time_zone           -    C
`
const DEVICE = 'dapi_imei - O'
const ORIGINAL = `
  login           20  R
  client_orderid  128 R
  orderid         20  R
`
const PARTIAL_MONEY = `
  amount    10 C
  currency  3  C
`
const COMMENT = 'comment 50 C'

describe('gaps part 3.1: common groups', () => {
  test('[G3.1-01] [S2-07] the payer group has the documented fields with necessity and maximum lengths', () => {
    expectFields('sale', PAYER, PHONE_REQUIRED, NAMES, REDIRECT_OPTIONAL)
    expectFields('saleForm', PAYER, PHONE_REQUIRED, NAMES_OF_FORMS)
  })

  test.each(['saleForm', 'preauthForm', 'paymentForm', 'accountVerificationForm', 'payoutForm'] as const)(
    '[G3.1-03] redirect_url is required for the hosted form %s',
    (key) => expectFields(key, REDIRECT_REQUIRED),
  )

  test('[G3.1-06] the card group has the documented fields', () => expectFields('sale', CARD))

  test.each(['sale', 'preauth', 'transfer', 'accountVerification'] as const)(
    '[G3.1-07] %s takes the browser group',
    (key) => expectFields(key, BROWSER),
  )
})

describe('gaps part 3.2: v2 operations', () => {
  test.each(['sale', 'preauth'] as const)(
    '[G3.2-01] %s takes the payer, money, card and browser groups and nothing else',
    (key) => expectOnly(key, PAYER, PHONE_REQUIRED, NAMES, REDIRECT_OPTIONAL, MONEY, CARD, BROWSER, DEVICE),
  )

  test.each(['saleForm', 'preauthForm', 'paymentForm'] as const)(
    '[G3.2-02] [G3.2-03] %s takes the payer group and money, and no card',
    (key) => expectOnly(key, PAYER, PHONE_REQUIRED, NAMES_OF_FORMS, REDIRECT_REQUIRED, MONEY),
  )

  test('[G3.2-04] account-verification takes the payer and card groups, no money, and needs no phone', () => {
    expectOnly('accountVerification', PAYER, PHONE_OPTIONAL, NAMES, REDIRECT_OPTIONAL, CARD, BROWSER)
  })

  test('[G3.2-04] account-verification-form takes the payer group alone', () => {
    expectOnly('accountVerificationForm', PAYER, PHONE_OPTIONAL, NAMES_OF_FORMS, REDIRECT_REQUIRED)
  })

  test('[G3.2-05] capture names the order, with amount and currency as a choice', () => {
    expectOnly('capture', ORIGINAL, PARTIAL_MONEY)
  })

  test('[G3.2-06] void names the order, and may name its whole amount', () => {
    expectOnly('void', ORIGINAL, PARTIAL_MONEY, COMMENT)
  })

  test('[G3.2-07] return names the order, with amount and currency as a choice', () => {
    expectOnly('return', ORIGINAL, PARTIAL_MONEY, COMMENT)
  })

  test.each(['createCardRef', 'createCardRefV4'] as const)('[G3.2-08] %s names the first payment', (key) => {
    expectOnly(key, ORIGINAL)
  })

  test('[G3.2-09] [S2-08] get-card-info takes login and cardrefid', () => {
    const table = `
      login      20 R
      cardrefid  20 R
    `
    expectOnly('getCardInfo', table)
  })

  test('[G3.2-10] [S2-08] make-rebill takes the card reference, money and what a charge without its holder needs', () => {
    const table = `
      login                20    R
      client_orderid       128   R
      cardrefid            20    R
      amount               10    R
      currency             3     R
      order_desc           65536 C
      ipaddress            45    C
      enumerate_amounts    128   O
      recurrent_scenario   -     O
      comment              50    O
      cvv2                 4     O
      redirect_url         1024  O
      server_callback_url  1024  O
      notify_url           1024  O
      merchant_data        -     O
    `
    expectOnly('makeRebill', table)
  })

  test('[G3.2-11] status names the order; by-request-sn may be added', () => {
    const table = `
      login           20  R
      client_orderid  128 R
      orderid         20  C
      by-request-sn   -   O
    `
    expectOnly('status', table)
  })

  const PAYOUT = `
    client_orderid        128  R
    amount                10   R
    currency              3    R
    ipaddress             45   C
    purpose               128  C
    server_callback_url   1024 O
    redirect_success_url  1024 O
    redirect_fail_url     1024 O
    notify_url            1024 O
    merchant_data         -    O
  `
  const DESTINATION = `
    credit_card_number       19  C
    card_printed_name        128 O
    expire_month             -   O
    expire_year              -   O
    destination-card-ref-id  20  C
    account_number           -   C
    bank_name                -   O
    bank_branch              -   O
    bank_province            -   O
    bank_city                -   O
    routing_number           -   O
    destination_wallet       128 C
    destination_wallet_type  128 O
  `

  test('[G3.2-12] [G13-24] [S2-20] payout takes the order, its money and one destination', () => {
    expectFields('payout', PAYOUT, 'order_desc 64 O', REDIRECT_OPTIONAL, DESTINATION)
  })

  test('[G3.2-12] payout-form takes the order and its money, and no destination', () => {
    expectFields('payoutForm', PAYOUT, 'order_desc 65536 C', LANGUAGE)
    const destinations = rowsOf(DESTINATION).map(([wireName]) =>
      fieldByWireName(catalogue.payoutForm.request, wireName),
    )
    expect(destinations.every((field) => field === undefined)).toBe(true)
  })

  test('[G3.4-04] [S2-20] payout-check takes the order, its money and one destination', () => {
    expectFields('payoutCheck', PAYOUT, 'order_desc - O', REDIRECT_OPTIONAL, DESTINATION)
  })

  test('[G3.2-13] [S2-21] pan-eligibility send takes a card reference or a card', () => {
    const table = `
      client-order-id      128  R
      sending-card-ref-id  20   C
      sending-card-number  19   C
      card-printed-name    128  C
      expire-month         -    C
      expire-year          -    C
      server_callback_url  1024 O
    `
    expectOnly('panEligibilitySend', table)
  })
})

describe('gaps part 3.3: 3DS uploads', () => {
  const UPLOAD = `
    login            20  R
    client-order-id  128 R
    orderid          128 R
  `

  test.each(['uploadCresResult', 'uploadParesResult', 'uploadMethodUrlResult'] as const)(
    '[G3.3-01] [S2-06] %s names the order',
    (key) => expectFields(key, UPLOAD),
  )

  test('[G3.3-02] upload-cres-result adds cRes', () => {
    expectOnly('uploadCresResult', UPLOAD, 'cRes 49152 R')
  })

  test('[G3.3-03] upload-pares-result adds paRes and md', () => {
    const table = `
      paRes  49152 R
      md     -     O
    `
    expectOnly('uploadParesResult', UPLOAD, table)
  })

  test('[G3.3-04] [S4-15] [S2-11] upload-method-url-result adds fingerprint fields and threeDSCompInd', () => {
    const table = `
      threeDSServerTransID      36   O
      browserAcceptHeader       2048 O
      browserIP                 45   O
      browserJavaEnabled        -    O
      browserJavascriptEnabled  -    O
      browserLanguage           8    O
      browserColorDepth         2    O
      browserScreenHeight       6    O
      browserScreenWidth        6    O
      browserTZ                 -    O
      browserUserAgent          2048 O
      threeDSCompInd            -    R
    `
    expectOnly('uploadMethodUrlResult', UPLOAD, table)
    const field = fieldByWireName(catalogue.uploadMethodUrlResult.request, 'threeDSCompInd')
    expect(field?.format.wire.enum).toEqual(['Y', 'N', 'U'])
  })
})

describe('gaps part 3.4: v4 operations', () => {
  test('[G3.4-01] [S4-52] [S2-10] create-recurring-payment has card, payer, amount and schedule fields', () => {
    const table = `
      rp_card_type         -     R
      client-orderid       128   R
      login                20    R
      Endpoint             10    O
      order_desc           65536 O
      credit-card-number   19    R
      cvv2                 4     O
      card-printed-name    128   C
      expire-year          -     C
      expire-month         -     C
      currency             3     R
      country              2     O
      city                 128   O
      zip-code             10    O
      address1             256   O
      state                3     O
      phone                128   O
      first-name           128   O
      last-name            128   O
      email                128   O
      customer-ip          45    O
      amount               10    C
      amount-from          10    C
      amount-to            10    C
      amount-sequence      -     C
      interval             -     C
      period               -     C
      start-date           -     O
      finish-date          -     O
      server_callback_url  1024  O
    `
    expectOnly('createRecurringPayment', table)
  })

  test('[G14-02] process-recurring-payment takes the fields of the newest page, and those of older ones if they are sent', () => {
    const table = `
      client-orderid        128  R
      recurring-payment-id  128  R
      amount                10   C
      currency              3    O
      order_desc            -    O
      first-name            128  O
      last-name             128  O
      address1              256  O
      city                  128  O
      state                 3    O
      zip-code              10   O
      country               2    O
      phone                 128  O
      email                 128  O
      customer-ip           45   O
    `
    expectOnly('processRecurringPayment', table)
  })

  test('[G14-05] update-recurring-payment takes a card, an amount, a schedule and a payer', () => {
    const table = `
      client-orderid           128  R
      recurring-payment-id     128  R
      credit-card-number       19   C
      card-printed-name        128  C
      expire-month             -    C
      expire-year              -    C
      first-name               128  O
      last-name                128  O
      address1                 256  O
      city                     128  O
      state                    3    O
      zip-code                 10   O
      country                  2    O
      phone                    128  O
      email                    128  O
      customer-ip              45   O
      amount                   10   O
      amount-from              10   C
      amount-to                10   C
      amount-sequence          -    O
      interval                 -    C
      period                   -    C
      start-date               -    O
      finish-date              -    O
      recurring-payment-state  -    O
    `
    expectOnly('updateRecurringPayment', table)
  })

  test('[G13-28] the Endpoint field of a recurring payment is optional', () => {
    expect(fieldByWireName(catalogue.createRecurringPayment.request, 'Endpoint')?.necessity).toBe('optional')
  })

  test('[G3.4-04] payout-pay names the payout that was checked', () => {
    expectOnly('payoutPay', ORIGINAL)
  })

  test('[G3.4-05] transfer takes a sender and a receiver', () => {
    expectFields(
      'transfer',
      `
      credit_card_number                     19  C
      cvv2                                   4   O
      expire_month                           -   C
      expire_year                            -   C
      card_printed_name                      128 C
      card_recurring_payment_id              -   C
      deposit2card                           -   C
      destination-card-no                    19  C
      destination-card-ref-id                20  C
      destination_card_recurring_payment_id  -   C
    `,
    )
  })

  test('[G3.4-06] transfer-by-ref takes a receiver, and no login', () => {
    expectFields(
      'transferByRef',
      `
      client-order-id          128 R
      destination-card-no      19  C
      destination-card-ref-id  20  C
      amount                   10  R
      currency                 3   R
      order_desc               -   O
    `,
    )
    expect(Object.keys(catalogue.transferByRef.request.fields)).not.toContain('login')
  })

  test.each(['payoutCheck', 'transfer'] as const)('[G3.1-01] %s takes the longer texts of v4', (key) => {
    expectFields(
      key,
      `
      first_name  128 O
      last_name   128 O
      city        128 O
      email       128 O
      state       3   O
    `,
    )
  })
})

describe('interface part 2: further field names', () => {
  const wireNames = (key: OperationKey) => Object.values(catalogue[key].request.fields).map((field) => field.wireName)

  test('[S2-16] [S2-17] transfer has every field that the specification lists', () => {
    const listed =
      'amount currency client_orderid order_desc ipaddress credit_card_number cvv2 expire_month expire_year ' +
      'card_printed_name card_recurring_payment_id deposit2card destination-card-no destination-card-ref-id ' +
      'destination_card_recurring_payment_id redirect_url redirect_success_url redirect_fail_url server_callback_url ' +
      'merchant_data'
    expect(wireNames('transfer')).toEqual(expect.arrayContaining(listed.split(' ')))
    expect(fieldByWireName(catalogue.transfer.request, 'deposit2card')?.format.wire.enum).toEqual(['true', 'false'])
  })

  test.each(['transfer', 'payout', 'payoutCheck', 'payoutForm'] as const)(
    '[S2-18] %s has every personal field that the specification lists',
    (key) => {
      const listed =
        'first_name middle_name last_name ssn birthday address1 city state zip_code country phone cell_phone email ' +
        'purpose receiver_first_name receiver_middle_name receiver_last_name receiver_phone receiver_resident ' +
        'receiver_identity_document_series receiver_identity_document_number receiver_identity_document_id ' +
        'receiver_address1 receiver_city'
      expect(wireNames(key)).toEqual(expect.arrayContaining(listed.split(' ')))
    },
  )

  test('[S2-20] a bank payout has the fields that the specification lists', () => {
    const listed = ['account_number', 'bank_name', 'bank_branch', 'amount', 'currency', 'client_orderid']
    expect(wireNames('payout')).toEqual(expect.arrayContaining(listed))
  })

  test('[S2-21] [S4-55] pan-eligibility send has the parameters of the signing example', () => {
    expect(wireNames('panEligibilitySend')).toEqual(expect.arrayContaining(['client-order-id', 'sending-card-ref-id']))
  })

  test('[S4-57] transfer-by-ref has the parameters of the signing example', () => {
    const shown = ['client-order-id', 'amount', 'currency', 'order_desc', 'destination-card-no']
    expect(wireNames('transferByRef')).toEqual(expect.arrayContaining(shown))
  })

  test('[S2-05] [S2-03] orderid, client_orderid and login are named where an order is modified', () => {
    expect(wireNames('capture')).toEqual(expect.arrayContaining(['login', 'client_orderid', 'orderid']))
  })

  test('[S2-08] [S2-10] a card reference is named by cardrefid, a schedule by period and interval', () => {
    expect(wireNames('makeRebill')).toContain('cardrefid')
    expect(wireNames('createRecurringPayment')).toEqual(expect.arrayContaining(['period', 'interval']))
  })

  test.each(['sale', 'preauth', 'saleForm', 'preauthForm', 'paymentForm', 'makeRebill', 'payout', 'transfer'] as const)(
    '[S6-02] [S2-07] %s takes server_callback_url',
    (key) => expect(wireNames(key)).toContain('server_callback_url'),
  )
})
