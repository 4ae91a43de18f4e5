import type { Outbound, PaymentClient, PaymentClientOptions } from '@tallystick/client'
import type { PaymentError } from '@tallystick/core'
import { checkOptions, missingMethods, type Validator, type Validators, validator } from '@tallystick/core/internal'
import { type JournalEvent, type JournalOptions, type JournalStore, sqliteJournalStore } from '@tallystick/journal'
import type { OperationEnd, PaidPayment, PaymentNotice } from './events.ts'
import type { ShownPayment } from './shown.ts'
import { customerTexts, SHOWN, type Texts, type TextsByLanguage } from './texts.ts'

/** A payment and the transaction of the shop's database in which it is booked. */
export interface PaidEvent<Transaction> {
  readonly payment: PaidPayment
  /** What is written in it takes effect exactly once. */
  readonly transaction: Transaction
}

/** A notice, and the transaction as for a payment. */
export interface NoticeEvent<Transaction> {
  readonly notice: PaymentNotice
  readonly transaction: Transaction
}

/** Any other result, and the transaction as for a payment. */
export interface ResultEvent<Transaction> {
  readonly result: OperationEnd
  readonly transaction: Transaction
}

/** What someone of the shop should look at. Nothing depends on it being heard. */
export type PaymentsEvent =
  | JournalEvent
  /** The gateway refuses the login and control key: until they are right nothing is sent. */
  | { readonly type: 'WRONG_KEY'; readonly message: string; readonly error: PaymentError }
  /** The keys could not be checked, as while the gateway is unreachable. Payments go on. */
  | { readonly type: 'KEY_UNCHECKED'; readonly message: string; readonly error: PaymentError | undefined }
  /** A payment was refused or could not be sent: the message names the field that is wrong, or says that the amount has changed. */
  | {
      readonly type: 'PAYMENT_FAILED'
      readonly message: string
      readonly key: string
      /** `undefined` if the amount has changed. */
      readonly error: PaymentError | undefined
    }
  /** The reply to a payment was lost: it may have taken effect. What became of it is found out; nobody is to pay it again. */
  | { readonly type: 'PAYMENT_UNKNOWN'; readonly message: string; readonly key: string; readonly error: PaymentError }
  /** A request came to the routes at another path than the gateway and the browser are given. */
  | { readonly type: 'WRONG_PATH'; readonly message: string }
  /** A callback or a return could not be taken, as while the database is away. The gateway calls again. */
  | { readonly type: 'ROUTE_FAILED'; readonly message: string; readonly error: unknown }

/** How the shop and its gateway reach each other: what the routes and the client are made of. */
export interface PaymentsSettings {
  /**
   * What the gateway gave you: `{ baseUrl, login, controlKey, endpointId }`, with any other option of `createPaymentClient`; or a
   * client, such as `gateway.client()` of a test, which you close yourself.
   */
  readonly gateway: PaymentClientOptions | PaymentClient
  /**
   * Where browsers and the gateway reach the shop: `'https://shop.example.com'`. A function if it is known only once the server
   * listens. Payments follow when it changes.
   */
  readonly shopUrl: string | (() => string)
  /** Where the routes are mounted, below `shopUrl`. Default `/payments`. */
  readonly path?: string | undefined
  /**
   * Where a customer who comes back from the gateway goes: an address such as `` `/orders/${key}` ``, or a page of yours. Default: a
   * small page with the sentence for the customer, in the browser's language.
   */
  readonly returnTo?: ((payment: ShownPayment) => string | Outbound | Promise<string | Outbound>) | undefined
  /** Sentences that replace ours, or those of another language: `{ en: { paid: 'Hooray!' }, it: { ... } }`. */
  readonly texts?: Readonly<Record<string, Partial<Texts>>> | undefined
  /** Is called with what someone should look at. Default: Node warnings. */
  readonly onEvent?: ((event: PaymentsEvent) => void) | undefined
}

/** The name of a file: `'shop.db'`. Any text; its name is what the compiler says to a caller with a connection. */
export type SqliteFile = string & Record<never, never>

/** Everything that {@link createPayments} takes. */
export interface PaymentsOptions<Transaction> extends PaymentsSettings {
  /**
   * Where payments are stored, with what your handlers write: a store on your own database, such as `prismaJournalStore(prisma)` of
   * `@tallystick/journal/prisma`; or the name of an SQLite file, which is made if there is none.
   */
  readonly database: SqliteFile | JournalStore<Transaction>
  /**
   * Is called once with each payment that was approved: never with a chargeback, a refund or a declined one. What it writes in
   * `transaction` takes effect exactly once. If it throws, it is called again later.
   */
  readonly onPaid: (event: PaidEvent<Transaction>) => void | Promise<void>
  /**
   * Is called, in the same way, with what happens to a payment later: a chargeback, a refund made elsewhere, a payment that is
   * approved after it was declined. `'ignore'`: nobody takes them.
   */
  readonly onNotice: ((event: NoticeEvent<Transaction>) => void | Promise<void>) | 'ignore'
  /**
   * Is called, in the same way, with every other result: a payment that came to nothing, a refund, a capture, a payout. Default: they
   * are in `payments.journal` alone.
   */
  readonly onResult?: ((event: ResultEvent<Transaction>) => void | Promise<void>) | undefined
  /**
   * Other options of `createJournal`, for what is rarely needed. With `onOrphan`, or a journal of your own, make
   * `new Payments(client, journal, settings)`.
   */
  readonly journal?: Omit<JournalOptions<Transaction>, keyof TakenOptions | 'onOrphan' | 'onOrphanNotice'> | undefined
}

/** The options of a journal that {@link createPayments} fills in. */
type TakenOptions = Record<'client' | 'store' | 'handler' | 'onNotice' | 'onEvent', unknown>

const PATH: Validator = {
  wanted: "a path such as '/payments'",
  isRight: (value) => typeof value === 'string' && /^(?:\/[\w.~-]+)*$/.test(value),
}
const GATEWAY: Validator = {
  ...validator.object,
  wanted: 'what the gateway gave you, { baseUrl, login, controlKey, endpointId }',
}
const SHOP_URL: Validator = {
  wanted: "an address such as 'https://shop.example.com', or a function that returns it",
  isRight: (value) => typeof value === 'function' || isAddress(value),
}
const TEXTS: Validator = {
  wanted: `sentences by language, { en: { ${SHOWN.join(', ')} } }`,
  isRight: (value) => validator.object.isRight(value) && Object.values(Object(value)).every(isTexts),
}

function isAddress(value: unknown): boolean {
  return typeof value === 'string' && /^https?:$/.test(URL.parse(value)?.protocol ?? '')
}

function isTexts(value: unknown): boolean {
  if (!validator.object.isRight(value)) return false
  return Object.entries(Object(value)).every(
    ([name, text]) => SHOWN.some((one) => one === name) && typeof text === 'string',
  )
}

/** The kinds of the settings, also for those that a framework's module takes. */
export const SETTINGS_KINDS: Validators<PaymentsSettings> = {
  gateway: validator.required(GATEWAY),
  shopUrl: validator.required(SHOP_URL),
  path: PATH,
  returnTo: validator.function,
  texts: TEXTS,
  onEvent: validator.function,
}

export const DATABASE_KIND: Validator = {
  wanted: "the name of an SQLite file, such as 'shop.db', or a store, such as postgresJournalStore(pool) makes",
  isRight: (value) =>
    typeof value === 'string'
      ? value !== '' && !isDatabaseUrl(value)
      : missingMethods(value, ['insert', 'deliver']).length === 0,
}

/** A file of that name would be made, and the database that was meant would stay empty. */
function isDatabaseUrl(text: string): boolean {
  return /^(?:postgres(?:ql)?|mysql|mariadb|mongodb|https?):/i.test(text)
}

const KINDS: Validators<PaymentsOptions<unknown>> = {
  ...SETTINGS_KINDS,
  database: validator.required(DATABASE_KIND),
  onPaid: validator.required(validator.function),
  onNotice: validator.required({
    wanted: "a function, or 'ignore'",
    isRight: (value) => typeof value === 'function' || value === 'ignore',
  }),
  onResult: validator.function,
  journal: validator.object,
}

/** @throws TypeError that names the option which is missing, wrong or unknown */
export function checkPaymentsOptions<Transaction>(options: PaymentsOptions<Transaction>): void {
  checkOptions('createPayments', options, KINDS)
}

/** Our sentences with those of the shop. A language of which it gives only some has ours in English for the rest. */
export function mergedTexts(given: PaymentsSettings['texts'] = {}): TextsByLanguage {
  const texts: Record<string, Texts> = { ...customerTexts }
  for (const [name, some] of Object.entries(given)) {
    const language = name.toLowerCase()
    texts[language] = { ...(texts[language] ?? customerTexts.en), ...some }
  }
  return texts
}

/** With the name of a file, `Transaction` is its default, that of node:sqlite. */
export function storeOf<Transaction>(database: string | JournalStore<Transaction>): JournalStore<Transaction> {
  if (typeof database !== 'string') return database
  return sqliteJournalStore({ file: database }) as JournalStore<Transaction>
}
