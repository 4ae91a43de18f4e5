import { Inject } from '@nestjs/common'

/** The name of an instance without a given name. */
export const DEFAULT_INSTANCE = 'default'

/**
 * The token of the `Payments` of an instance that was registered with `gateway`. That of the default instance is also the class
 * `Payments` itself.
 */
export function getPaymentsToken(name: string = DEFAULT_INSTANCE): symbol {
  return tokenOf('payments', name)
}

/** The token of the `PaymentClient` of an instance, for `overrideProvider` and `inject`. */
export function getPaymentClientToken(name: string = DEFAULT_INSTANCE): symbol {
  return tokenOf('client', name)
}

/** The token of the journal of an instance. */
export function getPaymentJournalToken(name: string = DEFAULT_INSTANCE): symbol {
  return tokenOf('journal', name)
}

/** The token of the {@link PaymentsHealth} of an instance. */
export function getPaymentsHealthToken(name: string = DEFAULT_INSTANCE): symbol {
  return tokenOf('health', name)
}

/** Injects the `Payments` of an instance: `constructor(@InjectPayments('eu') eu: Payments<DatabaseSync>)`. */
export function InjectPayments(name?: string): ParameterDecorator & PropertyDecorator {
  return Inject(getPaymentsToken(name))
}

/**
 * Injects the `PaymentClient` of an instance: `constructor(@InjectPaymentClient('eu') eu: PaymentClient)`. Nest fails if
 * there is no such instance.
 */
export function InjectPaymentClient(name?: string): ParameterDecorator & PropertyDecorator {
  return Inject(getPaymentClientToken(name))
}

/**
 * Injects what the option `journal` of an instance returned: `constructor(@InjectPaymentJournal() journal:
 * Journal<DatabaseSync>)`.
 */
export function InjectPaymentJournal(name?: string): ParameterDecorator & PropertyDecorator {
  return Inject(getPaymentJournalToken(name))
}

/** Injects the {@link PaymentsHealth} of an instance. */
export function InjectPaymentsHealth(name?: string): ParameterDecorator & PropertyDecorator {
  return Inject(getPaymentsHealthToken(name))
}

/** The token of the `PaymentsInstance` of an instance. */
export function instanceToken(name: string): symbol {
  return tokenOf('instance', name)
}

/** The tokens of the settings and the name of an instance, within its own module. */
export const SETTINGS = Symbol('settings')
export const INSTANCE_NAME = Symbol('instance name')

/** The token of what `Payments` are made of, within the module of their instance. */
export const SHOP_SETTINGS = Symbol('shop settings')

/** From the symbol registry of the process, so that two installed copies of this package mean the same instance. */
function tokenOf(part: string, name: string): symbol {
  return Symbol.for(`@tallystick/nest-module:${part}:${name}`)
}
