import type { AuthenticationResult, Decision, OperationRequest } from '@tallystick/gateway'

/** What the process under kill -9 is started with. */
export interface GatewaySettings {
  readonly store: string
  readonly login: string
  readonly endpointId: string
  /** Made for this run. */
  readonly controlKey: string
  readonly publicKey: string
  readonly vaultKeys: string
  /** How far its clock is ahead of the machine's. */
  readonly aheadMs: number
  readonly seed: number
}

/** A call of the bank, which runs in the killer's process. */
export type BankCall =
  | { readonly call: 'execute' | 'lookup'; readonly instruction: OperationRequest }
  | { readonly call: 'authenticate'; readonly instruction: OperationRequest; readonly result: AuthenticationResult }

/** A call of the bank on its way. */
export interface BankQuestion {
  readonly callId: number
  readonly bank: BankCall
}

/** What the bank answered, or why it did not. */
export type BankAnswer =
  | { readonly callId: number; readonly answer: Decision | undefined }
  | { readonly callId: number; readonly failure: string }

/** What the gateway's process sends: where it listens, that nothing goes on any more, or a call of the bank. */
export type FromGateway = { readonly origin: string } | { readonly settled: true } | BankQuestion

/** What it is sent: to say when nothing goes on any more, to end, or the bank's answer. */
export type ToGateway = 'settle' | 'stop' | BankAnswer
