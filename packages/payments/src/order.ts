import type { JournalInput } from '@tallystick/journal'
import type { Money } from './money.ts'

/** Who pays. The gateway wants an address even where the shop has none to deliver to. */
export interface Customer {
  readonly email: string
  /** With the country's code: `'+49301234567'`. */
  readonly phone: string
  /** Street and number. */
  readonly address1: string
  readonly city: string
  readonly zipCode: string
  /** ISO 3166-1, two letters: `'DE'`. */
  readonly country: string
  /** The network address of the browser: `request.ip`. Behind a proxy, have your framework trust it first. */
  readonly ip: string
  readonly firstName?: string | undefined
  readonly lastName?: string | undefined
  /** Its postal letters, `'WA'`, where the country has them. */
  readonly state?: string | undefined
  readonly birthday?: string | undefined
  readonly cellPhone?: string | undefined
}

/** What a customer pays for. */
export interface PaymentOrder extends Money {
  /** What the customer reads on the gateway's page: `'Order 77: tea'`. */
  readonly description: string
  readonly customer: Customer
  /** `preauthForm` only holds the amount, which `journal.pay(key, 'capture', ...)` takes later. Default `saleForm`. */
  readonly operation?: 'saleForm' | 'preauthForm' | undefined
  /** The language of the gateway's page, as a BCP 47 tag: `'de'`. Default the gateway's choice. */
  readonly language?: string | undefined
  /** What the money is for, at most 128 characters. */
  readonly purpose?: string | undefined
  /** A text of yours that comes back with the status and the callback. */
  readonly merchantData?: string | undefined
}

/** Where the gateway calls back, and sends the browser back. */
export interface Addresses {
  readonly callback: string
  readonly comeBack: string
}

/** The fields of the hosted form. */
export function formOf(
  { amount, currency, description, customer, language, purpose, merchantData }: PaymentOrder,
  { callback, comeBack }: Addresses,
): JournalInput<'saleForm'> & JournalInput<'preauthForm'> {
  const { ip, ...person } = customer
  return {
    ...person,
    customerIp: ip,
    amount,
    currency,
    orderDesc: description,
    preferredLanguage: language,
    purpose,
    merchantData,
    redirectUrl: comeBack,
    serverCallbackUrl: callback,
    notifyUrl: callback,
  }
}
