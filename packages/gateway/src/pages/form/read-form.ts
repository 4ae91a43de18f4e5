import { catalogue, maskCardNumbers } from '@tallystick/core'
import type { AcquirerDestination, PaymentMethod } from '../../acquirer/acquirer.ts'
import { type Expiry, isPast } from '../../acquirer/card.ts'
import type { HostedForm } from '../../orders/order.ts'
import { mayHoldCardNumber } from '../../requests/validate.ts'
import type { Texts } from '../../texts/en.ts'
import type { CardToSeal } from '../../vault/vault.ts'
import { type FieldName, FORM_FIELDS, type FormIssues, inputId, type SentFields, WAYS, type Way } from './fields.ts'

/** What the customer entered, checked by the models of the interface; or what is wrong with it. */
export type ReadForm =
  | {
      readonly ok: true
      readonly paymentMethod: PaymentMethod
      /** The card that pays or receives, for the vault. */
      readonly card?: CardToSeal
      readonly bankName?: string | undefined
    }
  | { readonly ok: false; readonly issues: FormIssues; readonly way?: Way }

/** @param at now, to check the card's expiry */
export function readForm(form: HostedForm, fields: SentFields, at: number): ReadForm {
  return form === 'payout' ? readDestination(fields) : readCard(fields, at)
}

const { cardNumber, cardPrintedName, cvv2 } = catalogue.sale.request.fields
const { accountNumber, bankName, bankBranch, routingNumber, destinationWallet, destinationWalletType, receiverPhone } =
  catalogue.payout.request.fields

function readCard(fields: SentFields, at: number): ReadForm {
  const reader = new FieldReader(fields)
  const pan = reader.read('credit_card_number', cardNumber, withoutSeparators)
  const expiry = readExpiry(fields.get('expiry') ?? '')
  if (expiry === undefined) reader.fail('expiry')
  else if (isPast(expiry, at)) reader.fail('expiry', 'expiryPast')
  const cvv = reader.read('cvv2', cvv2)
  const cardholderName = reader.readName('card_printed_name', cardPrintedName)
  if (reader.failed || pan === undefined || expiry === undefined || cvv === undefined) {
    return { ok: false, issues: reader.issues }
  }
  return {
    ok: true,
    paymentMethod: { card: { pan, cvv, cardholderName, ...expiry } },
    card: { pan, cardholderName, ...expiry },
  }
}

function readDestination(fields: SentFields): ReadForm {
  const way = fields.get('way')
  if (!isWay(way)) return { ok: false, issues: { way: 'destinationMissing' } }
  const reader = new FieldReader(fields, way)
  const destination = READ_WAY[way](reader)
  if (reader.failed) return { ok: false, issues: reader.issues, way }
  const { pan } = destination
  return {
    ok: true,
    paymentMethod: { destination },
    ...(pan === undefined ? {} : { card: { pan } }),
    bankName: destination.bankName,
  }
}

const READ_WAY: Readonly<Record<Way, (reader: FieldReader) => AcquirerDestination>> = {
  card: (reader) => ({ pan: reader.read('credit_card_number', cardNumber, withoutSeparators) }),
  account: (reader) => ({
    accountNumber: reader.read('account_number', accountNumber),
    bankName: reader.readName('bank_name', bankName),
    bankBranch: reader.readText('bank_branch', bankBranch),
    routingNumber: reader.read('routing_number', routingNumber, withoutSeparators),
  }),
  wallet: (reader) => ({
    wallet: reader.readText('destination_wallet', destinationWallet),
    walletType: reader.readText('destination_wallet_type', destinationWalletType),
  }),
  phone: (reader) => ({
    phone: reader.read('receiver_phone', receiverPhone, withoutGroups),
    bankName: reader.readName('bank_name', bankName),
  }),
}

/** The part of a field's model that is used here: its check. */
interface Checked<Out> {
  readonly format: { readonly read: (text: unknown) => Out | undefined }
}

/** Reads fields one by one and collects what is wrong. */
class FieldReader {
  readonly #fields: SentFields
  readonly #way: Way | undefined
  readonly #issues: Partial<Record<FieldName, keyof Texts>> = {}

  constructor(fields: SentFields, way?: Way) {
    this.#fields = fields
    this.#way = way
  }

  get issues(): FormIssues {
    return this.#issues
  }

  get failed(): boolean {
    return Object.keys(this.#issues).length > 0
  }

  /** The field's value. `undefined`: it is wrong, or optional and left out. */
  read<Out>(name: FieldName, { format }: Checked<Out>, clean = (text: string) => text): Out | undefined {
    const text = clean(this.#text(name))
    if (text === '' && !('missing' in FORM_FIELDS[name])) return undefined
    return format.read(text) ?? this.fail(name)
  }

  /** A name, which is stored unencrypted too. No name has as many digits as a card number. */
  readName(name: FieldName, field: Checked<string>): string | undefined {
    const text = this.read(name, field)
    return text === undefined || !mayHoldCardNumber(text) ? text : this.fail(name)
  }

  /** A text that is stored unencrypted. A card number that was typed into the wrong field must not be stored so. */
  readText(name: FieldName, field: Checked<string>): string | undefined {
    const text = this.read(name, field)
    return text === undefined || maskCardNumbers(text) === text ? text : this.fail(name)
  }

  /** Without a reason: missing if it is empty and required, otherwise wrong. */
  fail(name: FieldName, reason?: keyof Texts): undefined {
    const field = FORM_FIELDS[name]
    const isMissing = this.#text(name) === '' && 'missing' in field
    this.#issues[name] = reason ?? (isMissing ? field.missing : field.wrong)
  }

  #text(name: FieldName): string {
    return this.#fields.get(inputId(name, this.#way))?.trim() ?? ''
  }
}

/**
 * People type a number in groups, as it is printed. Or they paste it with other kinds of dashes and invisible marks, such as the
 * direction marks that address books put around a telephone number.
 */
function withoutSeparators(text: string): string {
  return text.replaceAll(/[\s\p{Dash_Punctuation}\p{Format}]/gu, '')
}

/** A telephone number has more kinds of separators. Brackets stay: what is in them may not have to be dialled. */
function withoutGroups(text: string): string {
  return withoutSeparators(text).replaceAll(/[./]/g, '')
}

function isWay(text: string | undefined): text is Way {
  return text !== undefined && Object.hasOwn(WAYS, text)
}

/** Month and year as people type them and browsers fill them in: `04/31`, `4 / 2031`, `0431`, `04-31`. */
const TYPED = /^(0?[1-9]|1[0-2])(?:\s*[/.-])?\s*((?:20)?\d{2})$/

/**
 * A month as the HTML standard has browsers fill in `cc-exp`: `2031-04`.
 *
 * @see {@link https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#attr-fe-autocomplete-cc-exp}
 */
const FILLED_IN = /^(20\d{2})-(\d{2})$/

const { expireMonth, expireYear } = catalogue.sale.request.fields

function readExpiry(text: string): Expiry | undefined {
  const [, month, year] = TYPED.exec(text.trim().replace(FILLED_IN, '$2/$1')) ?? []
  const inTwoDigits = expireMonth.format.read(month)
  const inFourDigits = expireYear.format.read(year)
  if (inTwoDigits === undefined || inFourDigits === undefined) return undefined
  return { expireMonth: inTwoDigits, expireYear: inFourDigits }
}
