import { catalogue, type Model } from '@tallystick/core'
import { maskedNumberOf, ServerErrorResponse, ValidationErrorResponse } from '@tallystick/core/internal'
import { describe, expect, test } from 'vitest'

function wireNames(model: Model): readonly string[] {
  return Object.values(model.fields).map((field) => field.wireName)
}

/** The wire names that a reply cannot do without. */
function requiredNames(model: Model): readonly string[] {
  return Object.values(model.fields)
    .filter((field) => field.necessity === 'required')
    .map((field) => field.wireName)
}

const ERROR = 'error-message error-code'

/** Tables of gaps part 4 and 13. */
const REPLIES: ReadonlyArray<readonly [title: string, model: Model, names: string, required: string]> = [
  [
    '[G4-01] AsyncResponse',
    catalogue.sale.reply,
    `type serial-number merchant-order-id paynet-order-id end-point-id status redirect-url ${ERROR}`,
    'type paynet-order-id',
  ],
  [
    '[G4-02] AsyncCheckoutFormRedirect',
    catalogue.saleForm.reply,
    `type serial-number merchant-order-id paynet-order-id end-point-id redirect-url status ${ERROR}`,
    'type paynet-order-id redirect-url',
  ],
  [
    '[G4-03] [S2-08] CardRefAsyncResponse',
    catalogue.createCardRef.reply,
    `type status card-ref-id serial-number ${ERROR}`,
    'type card-ref-id',
  ],
  [
    '[G4-03] [S2-08] CardRefV4AsyncResponse',
    catalogue.createCardRefV4.reply,
    `type serial-number card-ref-id unq-card-ref-id recurring-payment-id dst-card-ref-id dst-recurring-payment-id ${ERROR}`,
    'type card-ref-id',
  ],
  [
    '[G4-04] [G13-14] [S2-09] CardInfoAsyncResponse',
    catalogue.getCardInfo.reply,
    `type serial-number card-printed-name bin last-four-digits expire-year expire-month result-3d card-type masked-pan ${ERROR}`,
    'type bin last-four-digits',
  ],
  [
    '[G4-05] [S2-15] [S2-10] CreateRecurringPaymentResponse',
    catalogue.createRecurringPayment.reply,
    `type serial-number status recurring-payment-id ${ERROR}`,
    'type recurring-payment-id',
  ],
  [
    '[G14-03] ProcessRecurringPaymentResponse',
    catalogue.processRecurringPayment.reply,
    `type serial-number merchant-order-id paynet-order-id end-point-id status ${ERROR}`,
    'type',
  ],
  [
    '[G14-06] UpdateRecurringPaymentResponse',
    catalogue.updateRecurringPayment.reply,
    `type serial-number status ${ERROR}`,
    'type',
  ],
  [
    '[G14-10] RecurringPaymentRowsResponse',
    catalogue.processRecurringPayments.reply,
    `type serial-number status payload ${ERROR}`,
    'type',
  ],
  [
    '[G14-12] RecurringPaymentResponse',
    catalogue.getRecurringPayment.reply,
    `type serial-number recurring-payment-id merchant-order-id recurring-payment-state currency amount amount-from amount-to amount-sequence interval period start-date finish-date bin last-four-digits coming-charges ${ERROR}`,
    'type recurring-payment-id recurring-payment-state',
  ],
  [
    '[G4-06] ValidationErrorResponse',
    ValidationErrorResponse,
    `type serial-number merchant-order-id paynet-order-id end-point-id ${ERROR}`,
    'type',
  ],
  [
    '[G4-06] ServerErrorResponse',
    ServerErrorResponse,
    `type serial-number merchant-order-id paynet-order-id end-point-id ${ERROR}`,
    'type',
  ],
]

describe('replies', () => {
  test.each(REPLIES)('%s has the documented fields', (_title, model, names, required) => {
    expect([...wireNames(model)].sort()).toEqual(names.split(' ').sort())
    expect([...requiredNames(model)].sort()).toEqual(required.split(' ').sort())
  })

  test('[S2-13] the nine reply schemas have the names of the specification', () => {
    const replies = Object.values(catalogue).map(({ reply }) => reply)
    const models = [...replies, ValidationErrorResponse, ServerErrorResponse].filter(
      ({ origin }) => origin === 'stated',
    )
    expect([...new Set(models.map(({ name }) => name))].sort()).toEqual([
      'AsyncCheckoutFormRedirect',
      'AsyncResponse',
      'CardInfoAsyncResponse',
      'CardRefAsyncResponse',
      'CardRefV4AsyncResponse',
      'CreateRecurringPaymentResponse',
      'ServerErrorResponse',
      'StatusResponse',
      'ValidationErrorResponse',
    ])
  })

  test('names that the specification states are marked so', () => {
    const { cardRefId } = catalogue.createCardRef.reply.fields
    const { recurringPaymentId } = catalogue.createRecurringPayment.reply.fields
    expect([cardRefId.origin.kind, recurringPaymentId.origin.kind]).toEqual(['stated', 'stated'])
  })
})

describe('StatusResponse', () => {
  const names = wireNames(catalogue.status.reply)

  test.each([
    ['[G4-07] identity', 'type serial-number merchant-order-id paynet-order-id end-point-id by-request-sn receipt-id'],
    [
      '[G4-07] state',
      'status transaction-type order-stage error-message error-code reason-code approval-code auth-response-code',
    ],
    [
      '[G4-07] money',
      'amount currency initial-amount gate-partial-reversal gate-partial-capture descriptor original-gate-descriptor',
    ],
    [
      '[G4-08] card',
      'card-type bin last-four-digits name cardholder-name card-exp-month card-exp-year card-hash-id card-ref-id ' +
        'bank-name card-country-alpha-three-code ips-src-payment-product-code ips-src-payment-product-name ' +
        'ips-src-payment-type-code ips-src-payment-type-name',
    ],
    ['[G4-08] destination', 'destination-hash-id dest-bank-name dest-bin dest-last-four-digits dest-card-type'],
    ['[G4-08] payer', 'email phone first-name last-name'],
    [
      '[G4-08] processor',
      'terminal-id processor-tx-id processor-rrn processor-credit-rrn processor-credit-arn processor-debit-arn ' +
        'processor-auth-credit-code paynet-processing-date acquirer-processing-date',
    ],
    [
      '[G4-09] 3DS',
      'html redirect-to tds-status tds-method-url-frame-3ds-method-url tds-method-url-frame-3ds-server-trans-id ' +
        'verified-3d-status verified-rsc-status',
    ],
    [
      '[G13-01] 3DS forms',
      'tds-creq-form-acs-url tds-creq-form-creq tds-creq-form-three-ds-session-data tds-pareq-form-acs-url ' +
        'tds-pareq-form-pareq tds-pareq-form-md',
    ],
    ['other', 'merchantdata loyalty-balance loyalty-message loyalty-bonus loyalty-program'],
  ])('%s fields are known', (_title, listed) => expect(names).toEqual(expect.arrayContaining(listed.split(' '))))

  test('names that we decided are marked so', () => {
    const { creqFormAcsUrl, pareqFormMd, html } = catalogue.status.reply.fields
    expect([creqFormAcsUrl, pareqFormMd, html].map(({ origin }) => origin.part)).toEqual(['13', '13', '4'])
  })

  test('only the type and the status are needed', () => {
    expect(requiredNames(catalogue.status.reply)).toEqual(['type', 'status'])
  })
})

describe('maskedNumberOf', () => {
  test('[G4-04] is the bin, six asterisks and the last four digits when no masked PAN is sent', () => {
    expect(maskedNumberOf({ bin: '444455', lastFourDigits: '1111' })).toBe('444455******1111')
  })

  test('[G4-04] is the masked PAN that is sent', () => {
    expect(maskedNumberOf({ bin: '444455', lastFourDigits: '1111', maskedPan: '4444********1111' })).toBe(
      '4444********1111',
    )
  })
})
