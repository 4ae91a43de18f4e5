/** What a shop shows to its customer: the six states of a payment. */
export const SHOWN = ['redirect', 'paid', 'declined', 'checking', 'try-again', 'contact-us'] as const

/**
 * `redirect`: a form is open, take the customer to `location`. `paid`: thank the customer. `declined`: not charged, another card may
 * help. `checking`: not decided yet; the customer waits and does not pay again. `try-again`: not charged, the same button pays
 * again. `contact-us`: somebody of the shop has to look at it.
 */
export type Shown = (typeof SHOWN)[number]

/** A sentence for each state. */
export type Texts = Readonly<Record<Shown, string>>

/** The sentences by language, by the two letters of ISO 639-1. */
export type TextsByLanguage = Readonly<Record<string, Texts>>

/** What customers read, in English, German, French, Spanish, Polish and Russian. Replace some or add a language by the option `texts`. */
export const customerTexts = {
  en: {
    redirect: 'Your payment is open. Please continue to the payment page.',
    paid: 'Thank you. Your payment has been received.',
    declined: 'The payment was declined, and you were not charged. You can try another card.',
    checking: 'Your payment is being checked. Please wait, and do not pay again.',
    'try-again': 'The payment was not completed, and you were not charged. Please try again.',
    'contact-us': 'Something is not right with this payment. Please do not pay again, and contact us.',
  },
  de: {
    redirect: 'Ihre Zahlung ist noch offen. Bitte fahren Sie auf der Zahlungsseite fort.',
    paid: 'Vielen Dank. Ihre Zahlung ist eingegangen.',
    declined:
      'Die Zahlung wurde abgelehnt, und Sie wurden nicht belastet. Sie können es mit einer anderen Karte versuchen.',
    checking: 'Ihre Zahlung wird geprüft. Bitte warten Sie, und zahlen Sie nicht noch einmal.',
    'try-again':
      'Die Zahlung wurde nicht abgeschlossen, und Sie wurden nicht belastet. Bitte versuchen Sie es noch einmal.',
    'contact-us':
      'Mit dieser Zahlung stimmt etwas nicht. Bitte zahlen Sie nicht noch einmal, und wenden Sie sich an uns.',
  },
  fr: {
    redirect: 'Votre paiement est en attente. Veuillez continuer sur la page de paiement.',
    paid: 'Merci. Nous avons bien reçu votre paiement.',
    declined: 'Le paiement a été refusé et vous n’avez pas été débité. Vous pouvez essayer avec une autre carte.',
    checking: 'Votre paiement est en cours de vérification. Veuillez patienter et ne pas payer de nouveau.',
    'try-again': 'Le paiement n’a pas abouti et vous n’avez pas été débité. Veuillez réessayer.',
    'contact-us': 'Ce paiement pose un problème. Veuillez ne pas payer de nouveau et nous contacter.',
  },
  es: {
    redirect: 'Su pago está pendiente. Continúe en la página de pago.',
    paid: 'Gracias. Hemos recibido su pago.',
    declined: 'El pago fue rechazado y no se le ha cobrado nada. Puede intentarlo con otra tarjeta.',
    checking: 'Estamos comprobando su pago. Espere, por favor, y no vuelva a pagar.',
    'try-again': 'El pago no se completó y no se le ha cobrado nada. Inténtelo de nuevo, por favor.',
    'contact-us': 'Hay un problema con este pago. No vuelva a pagar y póngase en contacto con nosotros, por favor.',
  },
  pl: {
    redirect: 'Płatność czeka na dokończenie. Przejdź na stronę płatności.',
    paid: 'Dziękujemy. Otrzymaliśmy Twoją płatność.',
    declined: 'Płatność została odrzucona, a środki nie zostały pobrane. Możesz spróbować inną kartą.',
    checking: 'Sprawdzamy Twoją płatność. Poczekaj i nie płać ponownie.',
    'try-again': 'Płatność nie została ukończona, a środki nie zostały pobrane. Spróbuj ponownie.',
    'contact-us': 'Z tą płatnością jest problem. Nie płać ponownie i skontaktuj się z nami.',
  },
  ru: {
    redirect: 'Ваш платёж ожидает завершения. Пожалуйста, продолжите на странице оплаты.',
    paid: 'Спасибо. Ваш платёж получен.',
    declined: 'Платёж отклонён, деньги не списаны. Вы можете попробовать другую карту.',
    checking: 'Ваш платёж проверяется. Пожалуйста, подождите и не платите повторно.',
    'try-again': 'Платёж не завершён, деньги не списаны. Пожалуйста, попробуйте ещё раз.',
    'contact-us': 'С этим платежом возникла проблема. Пожалуйста, не платите повторно и свяжитесь с нами.',
  },
} as const satisfies TextsByLanguage

/**
 * The language of a text: the first one of an `Accept-Language` header (RFC 9110 section 12.5.4), or of a tag such as `de-AT`, that
 * there are texts in. Default `en`.
 */
export function languageOf(wanted: string | undefined, texts: TextsByLanguage): string {
  const ranges = (wanted ?? '').split(',', MOST_RANGES).map((one) => {
    const [tag = '', ...parameters] = one.trim().toLowerCase().split(';')
    const quality = parameters.map((parameter) => /^\s*q=(\d(?:\.\d{1,3})?)$/.exec(parameter)?.[1]).find(Boolean)
    return { language: tag.trim().split('-')[0] ?? '', quality: Number(quality ?? 1) }
  })
  const best = ranges
    .filter(({ language, quality }) => quality > 0 && Object.hasOwn(texts, language))
    .toSorted((one, other) => other.quality - one.quality)
  return best[0]?.language ?? 'en'
}

/** Anybody can send a long header. */
const MOST_RANGES = 20
