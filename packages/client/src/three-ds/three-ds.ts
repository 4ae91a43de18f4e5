import { checkOptions, type Validators, validator } from '@tallystick/core/internal'
import type { Inbound, Outbound } from '../callbacks/handler.ts'
import { WAIT_KINDS } from '../options.ts'
import type { OrderRef, Outcome } from '../outcomes/outcome.ts'
import type { OperationResult, WaitOptions } from '../result.ts'

/** Where the browser comes back to, and how its pages look. */
export interface ThreeDsOptions extends WaitOptions, PageOptions {
  /**
   * Where the browser comes back to: an address of yours that passes what comes to `threeDs.take`. The same as the
   * payment's `redirectUrl`, since issuers and gateways come back there.
   */
  readonly returnUrl: string
  /** How long to poll for a step or an outcome, in milliseconds. Default 30 000: a customer waits for the page. */
  readonly deadlineMs?: number | undefined
}

/** The same, and what is known of the browser that came back. */
export interface AuthenticateOptions extends ThreeDsOptions, Pick<Inbound, 'headers' | 'customerIp'> {}

/** What the customer's browser gets now. */
export type ThreeDsStep =
  /** Answer with this page. It works without script, by a button. */
  | { readonly step: 'method' | 'challenge' | 'pareq'; readonly page: Outbound }
  /** The gateway's own pages do it all: send the browser to `url`, or answer with `page`, which does that or is its page. */
  | { readonly step: 'redirect'; readonly url: string | undefined; readonly page: Outbound }
  /** Nothing: the outcome of the payment is final, or still `undecided` at the deadline. Show your own page. */
  | { readonly step: 'none'; readonly outcome: Outcome }

/** How the upload of a step's result ended. */
export type UploadResult = OperationResult<'uploadMethodUrlResult' | 'uploadCresResult' | 'uploadParesResult'>

/** What came back with the browser. */
export type AuthenticationResult =
  /** The hidden frame of the method step has completed. Answer with this page; the one around the frame goes on. */
  | { readonly taken: 'frame'; readonly page: Outbound }
  /** A step was done; its result was uploaded. Go on with `next`. */
  | {
      readonly taken: 'step'
      readonly clientOrderId: string
      readonly orderId: string
      readonly upload: UploadResult
      readonly next: ThreeDsStep
    }
  /**
   * The gateway's own pages are done, or the browser has opened an address of a step again. What came decides nothing: `next`
   * has asked for the status.
   */
  | { readonly taken: 'return'; readonly clientOrderId: string; readonly orderId: string; readonly next: ThreeDsStep }
  /** It belongs to no step of ours, or was changed on its way. Answer with this page. */
  | { readonly taken: 'nothing'; readonly page: Outbound }

/** Takes a payment through 3-D Secure in the customer's browser (docs/guides/three-ds.md). The browser carries the state. */
export interface ThreeDs {
  /**
   * What to show to the customer: polls the status until there is a step or a final status, at most `deadlineMs`.
   *
   * @throws PaymentError `AUTH_REJECTED` or `INVALID_INPUT`; TypeError for a wrong option; the reason of the signal
   */
  next(order: OrderRef, options: ThreeDsOptions): Promise<ThreeDsStep>
  /** Takes what the browser brought to `returnUrl`, uploads it and says what comes next. Throws as `next` does. */
  take(inbound: Inbound, options: AuthenticateOptions): Promise<AuthenticationResult>
}

/** Headers and addresses from a request may be anything. */
export const THREE_DS_KINDS: Validators<AuthenticateOptions> = {
  returnUrl: validator.required({
    wanted: 'the http or https address that the browser comes back to',
    isRight: isBrowserAddress,
  }),
  ...WAIT_KINDS,
  nonce: {
    wanted: 'base64 or base64url',
    isRight: (value) => typeof value === 'string' && /^[\w+/=-]+$/.test(value),
  },
  language: validator.text,
  texts: validator.object,
  headers: validator.anything,
  customerIp: validator.anything,
}

/** @throws TypeError for a wrong option, such as a return address that no browser can come back to */
export function checked<Options extends AuthenticateOptions>(options: Options): Options {
  checkOptions('threeDs', options, THREE_DS_KINDS)
  return options
}

/** How the pages of 3-D Secure look. */
interface PageOptions {
  /** The nonce of the page's one script, if your policy names one. Default: a new one for each page. */
  readonly nonce?: string | undefined
  /** The language of the texts, a BCP 47 tag. Default `en`. */
  readonly language?: string | undefined
  /** The few words that a customer may see: the title, the text while the customer waits, and the button. Default English ones. */
  readonly texts?: { readonly title?: string; readonly wait?: string; readonly proceed?: string } | undefined
}

type PageTexts = Required<NonNullable<PageOptions['texts']>>

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

/** An address that a browser may be sent to: http or https, without a user name in it. */
export function isBrowserAddress(address: unknown): address is string {
  const url = typeof address === 'string' ? URL.parse(address) : null
  return url !== null && /^https?:$/.test(url.protocol) && url.username + url.password === ''
}
