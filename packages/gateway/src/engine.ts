import {
  catalogue,
  decodeRequest,
  type FieldIssue,
  GATEWAY_CODES,
  MalformedFormError,
  type OperationKey,
  type Profile,
  type RequestValues,
} from '@tallystick/core'
import type { Clock } from './clock.ts'
import { type Answer, badSignature, refusal, wrongFields } from './http/answer.ts'
import type { ReadRequest } from './http/read-request.ts'
import type { Merchant, MerchantEndpoint, Merchants } from './merchants.ts'
import type { ProcessContext } from './processors/processor.ts'
import { processRequest } from './processors/processors.ts'
import { requestDigest } from './request-digest.ts'
import { verifyRequest } from './verification/verify-request.ts'

/** What the engine works with, besides the request. */
export interface Engine extends Omit<ProcessContext, 'endpoint' | 'serialNumber' | 'digest'> {
  readonly merchants: Merchants
  readonly profile: Profile
  readonly clock: Clock
  readonly digestKey: Uint8Array
}

/** Verify, then validate, then process: what is wrong with a request is told to nobody but its merchant. */
export async function answerRequest(request: ReadRequest, serialNumber: string, engine: Engine): Promise<Answer> {
  try {
    return await verifyAndProcess(request, serialNumber, engine)
  } catch (error) {
    if (error instanceof MalformedFormError) return refusal(GATEWAY_CODES.invalidRequest, error.message)
    throw error
  }
}

async function verifyAndProcess(request: ReadRequest, serialNumber: string, engine: Engine): Promise<Answer> {
  const { merchants, profile, clock, store } = engine
  const endpoint = merchants.find(request.endpoint)
  const verified = verifyRequest({ request, endpoint, decoy: merchants.decoy, profile, now: clock.now() })
  if (!verified.ok) return verified.issues === undefined ? badSignature() : wrongFields(verified.issues)
  const decoded = decodeRequest(request.key, request.pairs, profile)
  if (!decoded.ok) return wrongFields(decoded.issues)
  const missing = missingFields(request.key, decoded.value, verified.endpoint)
  if (missing.length > 0) return wrongFields(missing)
  if (namesAnother(decoded.value, verified.endpoint.merchant)) return badSignature()
  if (verified.nonce !== undefined && !(await store.burnNonce(verified.nonce, clock.now()))) return badSignature()
  const digest = requestDigest(engine.digestKey, request.target, decoded.value)
  const context = { ...engine, endpoint: verified.endpoint, serialNumber, digest }
  return naming(decoded.value, await processRequest(request.key, decoded.value, context))
}

/** Where a request has a login, it must be that of the endpoint's merchant, whoever signed it. */
function namesAnother(request: RequestValues<OperationKey>, { login }: Merchant): boolean {
  return 'login' in request && request.login !== login
}

/** Refusals tell the order id that the merchant gave, so that it knows which request they are about (gaps part 4). */
function naming(request: RequestValues<OperationKey>, answer: Answer): Answer {
  return 'clientOrderId' in request
    ? { ...answer, values: { clientOrderId: request.clientOrderId, ...answer.values } }
    : answer
}

/** What this endpoint requires beyond the interface and the request does not have. */
function missingFields(
  key: OperationKey,
  values: Readonly<Record<string, unknown>>,
  { requiredFields }: MerchantEndpoint,
): FieldIssue[] {
  const fields = Object.entries(catalogue[key].request.fields)
  return fields
    .filter(([name]) => requiredFields.includes(name) && values[name] === undefined)
    .map(([name, { wireName, meaning }]) => {
      return { field: name, wireName, problem: 'is required at this endpoint', remedy: `Supply it: ${meaning}` }
    })
}
