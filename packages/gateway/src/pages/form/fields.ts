import { MalformedFormError } from '@tallystick/core'
import { type GatewayRequest, singleValues } from '@tallystick/core/internal'
import { formPairs } from '../../http/request.ts'
import type { HostedForm } from '../../orders/order.ts'
import type { Texts } from '../../texts/en.ts'

/** A field of the hosted forms, declared once: what the page shows, and what the script and the gateway check. */
export interface FormField {
  readonly label: keyof Texts
  readonly hint?: keyof Texts
  /** Absent: the field may be left out. */
  readonly missing?: keyof Texts
  readonly wrong: keyof Texts
  /** How the script checks it. */
  readonly check: 'pan' | 'expiry' | 'cvv' | 'text' | 'digits' | 'phone'
  /** A token of the HTML standard, so that browsers and password managers fill it in. */
  readonly autocomplete: string
  readonly inputMode: 'numeric' | 'text' | 'tel'
  /**
   * Of the typed text, with room for the groups that people type. A browser silently cuts off the rest, and a number that is
   * cut off is a different number.
   */
  readonly maxLength: number
  /** What a browser without script checks. */
  readonly pattern?: string
}

export const FORM_FIELDS = {
  credit_card_number: {
    label: 'cardNumber',
    missing: 'cardNumberMissing',
    wrong: 'cardNumberWrong',
    check: 'pan',
    autocomplete: 'cc-number',
    inputMode: 'numeric',
    maxLength: 23,
    pattern: '[0-9 \\-]{12,23}',
  },
  expiry: {
    label: 'expiry',
    hint: 'expiryHint',
    missing: 'expiryMissing',
    wrong: 'expiryWrong',
    check: 'expiry',
    autocomplete: 'cc-exp',
    inputMode: 'numeric',
    maxLength: 9,
  },
  cvv2: {
    label: 'cvv',
    hint: 'cvvHint',
    missing: 'cvvMissing',
    wrong: 'cvvWrong',
    check: 'cvv',
    autocomplete: 'cc-csc',
    inputMode: 'numeric',
    maxLength: 4,
    pattern: '[0-9]{3,4}',
  },
  card_printed_name: {
    label: 'cardholder',
    missing: 'cardholderMissing',
    wrong: 'cardholderWrong',
    check: 'text',
    autocomplete: 'cc-name',
    inputMode: 'text',
    maxLength: 128,
  },
  account_number: {
    label: 'accountNumber',
    missing: 'accountNumberMissing',
    wrong: 'accountNumberWrong',
    check: 'text',
    autocomplete: 'off',
    inputMode: 'text',
    maxLength: 128,
  },
  bank_name: {
    label: 'bankName',
    wrong: 'bankNameWrong',
    check: 'text',
    autocomplete: 'off',
    inputMode: 'text',
    maxLength: 128,
  },
  bank_branch: {
    label: 'bankBranch',
    wrong: 'bankBranchWrong',
    check: 'text',
    autocomplete: 'off',
    inputMode: 'text',
    maxLength: 128,
  },
  routing_number: {
    label: 'routingNumber',
    wrong: 'routingNumberWrong',
    check: 'digits',
    autocomplete: 'off',
    inputMode: 'numeric',
    maxLength: 40,
  },
  destination_wallet: {
    label: 'wallet',
    missing: 'walletMissing',
    wrong: 'walletWrong',
    check: 'text',
    autocomplete: 'off',
    inputMode: 'text',
    maxLength: 128,
  },
  destination_wallet_type: {
    label: 'walletType',
    wrong: 'walletTypeWrong',
    check: 'text',
    autocomplete: 'off',
    inputMode: 'text',
    maxLength: 128,
  },
  receiver_phone: {
    label: 'phone',
    hint: 'phoneHint',
    missing: 'phoneMissing',
    wrong: 'phoneWrong',
    check: 'phone',
    autocomplete: 'tel',
    inputMode: 'tel',
    maxLength: 40,
  },
} as const satisfies Record<string, FormField>

/** Names as on the wire of the interface, but `expiry` is month and year together, as on the card. */
export type FieldName = keyof typeof FORM_FIELDS

/** The ways of a payout, each with its fields (gaps parts 3.2 and 13). */
export const WAYS = {
  card: { label: 'toCard', fields: ['credit_card_number'] },
  account: { label: 'toAccount', fields: ['account_number', 'bank_name', 'bank_branch', 'routing_number'] },
  wallet: { label: 'toWallet', fields: ['destination_wallet', 'destination_wallet_type'] },
  phone: { label: 'toPhone', fields: ['receiver_phone', 'bank_name'] },
} as const satisfies Record<string, { readonly label: keyof Texts; readonly fields: readonly FieldName[] }>

export type Way = keyof typeof WAYS

/** The id and the name of a field's input. Each way of a payout has its own, since two of them ask for a bank. */
export function inputId(name: FieldName, way: Way | undefined): string {
  return way === undefined ? name : `${way}-${name}`
}

/** What is wrong with a form that was sent: for each wrong field, the text that says so. */
export type FormIssues = Readonly<Partial<Record<FieldName | 'way', keyof Texts>>>

/** The fields of a form as a browser sent them. They may hold a card number, so none is logged, stored or shown as it is. */
export type SentFields = ReadonlyMap<string, string>

/** The fields that a browser sent, by default each once. `undefined`: it did not send such a form. */
export function readFields(
  { headers, body }: GatewayRequest,
  read: (body: string) => SentFields = (text) => singleValues(formPairs(text)),
): SentFields | undefined {
  const type = headers['content-type']
  if (typeof type !== 'string' || !/^application\/x-www-form-urlencoded *(?:;|$)/i.test(type)) return undefined
  try {
    return read(body)
  } catch (error) {
    if (error instanceof MalformedFormError) return undefined
    throw error
  }
}

/** How often a form may be sent with details that cannot be accepted: whoever has its address must not try out cards. */
export const MOST_TRIES = 3

interface FormTexts {
  readonly title: keyof Texts
  readonly explain?: keyof Texts
  readonly submit: keyof Texts
}

export const FORM_TEXTS: Readonly<Record<HostedForm, FormTexts>> = {
  sale: { title: 'titleOfSale', submit: 'submitSale' },
  payment: { title: 'titleOfSale', submit: 'submitSale' },
  preauth: { title: 'titleOfPreauth', explain: 'explainPreauth', submit: 'submitPreauth' },
  'account-verification': {
    title: 'titleOfVerification',
    explain: 'explainVerification',
    submit: 'submitVerification',
  },
  payout: { title: 'titleOfPayout', explain: 'explainPayout', submit: 'submitPayout' },
}
