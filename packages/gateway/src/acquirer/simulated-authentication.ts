import type { AuthenticationRequest } from '../orders/order.ts'
import type { BrowserAddresses, OperationRequest } from './acquirer.ts'
import { creqOf, paReqOf, simulatedTransaction } from './simulated-messages.ts'

/**
 * How the customer of a payment with CVV 321 is authenticated:
 *
 * - `challenge`: by a challenge at once;
 * - `method`: by the method frame, then a challenge;
 * - `method-frictionless`: by the method frame alone;
 * - `no-method-url`: the issuer has no method URL, so the method step ends with `U`; then by a challenge;
 * - `pareq`: by 3-D Secure 1.0.2.
 */
export type SimulatedAuthentication = keyof typeof FIRST_STEPS

type FirstStep = (instruction: OperationRequest, browser: BrowserAddresses) => AuthenticationRequest

export const methodStep: FirstStep = (instruction, browser) => ({
  step: 'method',
  methodUrl: `${browser.baseUrl}/acs/method/${browser.pageToken}`,
  threeDsServerTransId: transactionOf(instruction).threeDsServerTransId,
})

export const challengeStep: FirstStep = (instruction, browser) => {
  const transaction = transactionOf(instruction)
  const acsUrl = `${browser.baseUrl}/acs/challenge/${browser.pageToken}`
  return { step: 'challenge', acsUrl, creq: creqOf(transaction), threeDsSessionData: transaction.sessionData }
}

/** What the customer is asked to do first. */
export const FIRST_STEPS = {
  challenge: challengeStep,
  method: methodStep,
  'method-frictionless': methodStep,
  'no-method-url': (instruction) => ({
    step: 'method',
    threeDsServerTransId: transactionOf(instruction).threeDsServerTransId,
  }),
  pareq: (instruction, browser) => {
    const transaction = transactionOf(instruction)
    const acsUrl = `${browser.baseUrl}/acs/pareq/${browser.pageToken}`
    return { step: 'pareq', acsUrl, paReq: paReqOf(transaction, instruction.amount), md: transaction.sessionData }
  },
} as const satisfies Record<string, FirstStep>

/** With CVV 321, these cards choose the authentication. For any other card the simulator's option `authentication` does. */
export const AUTHENTICATION_OF_CARD: ReadonlyMap<string, SimulatedAuthentication> = new Map([
  ['4444444400000010', 'challenge'],
  ['4444444400000028', 'method'],
  ['4444444400000036', 'method-frictionless'],
  ['4444444400000044', 'no-method-url'],
  ['4444444400000051', 'pareq'],
])

export function isAuthentication(text: string): text is SimulatedAuthentication {
  return Object.hasOwn(FIRST_STEPS, text)
}

export function transactionOf({ prepared, reference }: OperationRequest) {
  return simulatedTransaction(prepared, reference)
}
