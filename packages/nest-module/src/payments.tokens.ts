import { Inject } from '@nestjs/common'

/** The name of an instance without a given name. */
export const DEFAULT_INSTANCE = 'default'

/** The token of the `PaymentClient` of an instance, for `overrideProvider` and `inject`. */
export function getPaymentsToken(name: string = DEFAULT_INSTANCE): symbol {
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

/**
 * Injects the `PaymentClient` of an instance: `constructor(@InjectPayments('eu') eu: PaymentClient)`. Nest fails if
 * there is no such instance.
 */
export function InjectPayments(name?: string): ParameterDecorator & PropertyDecorator {
  return Inject(getPaymentsToken(name))
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

/** The tokens of the settings and the name of an instance, within its own module. */
export const SETTINGS = Symbol('settings')
export const INSTANCE_NAME = Symbol('instance name')

/** From the symbol registry of the process, so that two installed copies of this package mean the same instance. */
function tokenOf(part: string, name: string): symbol {
  return Symbol.for(`@tallystick/nest-module:${part}:${name}`)
}
