import { Inject } from '@nestjs/common'

/** The name of an instance that was given none. */
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
 * Injects the `PaymentClient` of an instance: `constructor(@InjectPayments('eu') eu: PaymentClient)`. Nest fails
 * where there is none.
 */
export function InjectPayments(name?: string): ParameterDecorator & PropertyDecorator {
  return Inject(getPaymentsToken(name))
}

/**
 * Injects what the option `journal` of an instance gave: `constructor(@InjectPaymentJournal() journal:
 * Journal<DatabaseSync>)`.
 */
export function InjectPaymentJournal(name?: string): ParameterDecorator & PropertyDecorator {
  return Inject(getPaymentJournalToken(name))
}

/** Injects the {@link PaymentsHealth} of an instance. */
export function InjectPaymentsHealth(name?: string): ParameterDecorator & PropertyDecorator {
  return Inject(getPaymentsHealthToken(name))
}

/** The settings of an instance and its name, within its own module. */
export const SETTINGS = Symbol('settings')
export const INSTANCE_NAME = Symbol('instance name')

/** In the registry of the process: where two copies of this package are installed, both mean the same instance. */
function tokenOf(part: string, name: string): symbol {
  return Symbol.for(`@tallystick/nest-module:${part}:${name}`)
}
