import type { HostedForm } from '../../orders/order.ts'
import type { Texts } from '../../texts/en.ts'

interface FormTexts {
  readonly title: keyof Texts
  readonly explain?: keyof Texts
  readonly submit: keyof Texts
}

/** The texts of each of the five forms. */
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
