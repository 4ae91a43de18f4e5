import type { PaymentError } from '@tallystick/core'
import type { Intent, standingOf } from '@tallystick/journal'
import type { Shown, TextsByLanguage } from './texts.ts'
import { languageOf } from './texts.ts'

/** How a payment stands, for the page: switch on `show`. The same at the button, at the customer's return and on the order's page. */
export type ShownPayment = ShownFacts &
  (
    | {
        readonly show: 'redirect'
        /** The gateway's page: redirect the browser with 303. */
        readonly location: string
      }
    | { readonly show: Exclude<Shown, 'redirect'>; readonly location: undefined }
  )

interface ShownFacts {
  /** Your name for the payment: `'invoice 77'`. */
  readonly key: string
  /** The sentence for the customer, in a language such as `'de'`, or the best of an `Accept-Language` header. Default English. */
  text(language?: string): string
  /** Why nothing was sent, or what was refused: for the log. It may name a field that is wrong. */
  readonly error: PaymentError | undefined
  /** How it is stored. `undefined` if the gateway refused the shop's keys before anything was written. */
  readonly intent: Intent | undefined
}

/** How a payment stands in the journal: what `pay` returns, or `standingOf` an intent. */
export type Standing = ReturnType<typeof standingOf>

/** What to show for a result of the journal. */
export function shownPayment(standing: Standing, texts: TextsByLanguage): ShownPayment {
  const { intent, error } = standing
  const show = showOf(standing)
  const facts = factsOf(intent.businessKey, show, texts, { intent, error })
  if (show !== 'redirect') return { ...facts, show, location: undefined }
  // There is one: `showOf` has looked.
  return { ...facts, show, location: intent.redirectUrl ?? '' }
}

/** The same of one who comes back from the form: it is being checked, and no longer open. */
export function shownAtReturn(standing: Standing, texts: TextsByLanguage): ShownPayment {
  const shown = shownPayment(standing, texts)
  if (shown.show !== 'redirect') return shown
  return { ...shown, ...factsOf(shown.key, 'checking', texts, shown), show: 'checking', location: undefined }
}

/** What is shown while the gateway refuses the shop's keys: nothing was sent. */
export function shownWithoutKeys(key: string, error: PaymentError | undefined, texts: TextsByLanguage): ShownPayment {
  return { ...factsOf(key, 'contact-us', texts, { intent: undefined, error }), show: 'contact-us', location: undefined }
}

function factsOf(
  key: string,
  show: Shown,
  texts: TextsByLanguage,
  { intent, error }: Pick<ShownFacts, 'intent' | 'error'>,
): ShownFacts {
  return { key, intent, error, text: (language) => texts[languageOf(language, texts)]?.[show] ?? '' }
}

function showOf({ outcome, intent, error }: Standing): Shown {
  switch (outcome) {
    case 'accepted':
      // Without an address its reply was lost, and with it the form.
      return intent.redirectUrl === undefined ? 'checking' : 'redirect'
    case 'final':
      if (intent.status === 'approved') return 'paid'
      return intent.status === 'error' ? 'try-again' : 'declined'
    case 'notSent':
      // The field stays wrong, however often the customer presses.
      return error?.code === 'INVALID_INPUT' || intent.rejection !== undefined ? 'contact-us' : 'try-again'
    case 'unknown':
    case 'absent':
      return 'checking'
    case 'rejected':
    case 'review':
    case 'conflict':
    // Of a payout, which nobody shows here.
    case 'paidBefore':
      return 'contact-us'
  }
}
