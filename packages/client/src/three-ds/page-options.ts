/** How the pages of 3-D Secure look. */
export interface PageOptions {
  /** The nonce of the page's one script, if your policy names one. Default: a new one for each page. */
  readonly nonce?: string | undefined
  /** The language of the texts, a BCP 47 tag. Default `en`. */
  readonly language?: string | undefined
  /** The few words that a customer may see. Default English ones. */
  readonly texts?: Partial<PageTexts> | undefined
}

/** The words of the pages: the title, the text while the customer waits, and the button. */
export interface PageTexts {
  readonly title: string
  readonly wait: string
  readonly proceed: string
}

const ENGLISH: PageTexts = {
  title: 'Your bank confirms the payment',
  wait: 'One moment, please. This page continues automatically; if it does not, press the button.',
  proceed: 'Continue',
}

export interface ReadPageOptions {
  readonly nonce: string
  readonly language: string
  readonly texts: PageTexts
}

export function readPageOptions(
  { nonce, language = 'en', texts }: PageOptions,
  newNonce: () => string,
): ReadPageOptions {
  return { nonce: nonce ?? newNonce(), language, texts: { ...ENGLISH, ...texts } }
}
