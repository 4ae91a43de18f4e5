import type {
  Acquirer,
  Decision,
  OperationRequest,
  Token,
  TokenizationRefused,
  TokenizationRequest,
} from '../acquirer/acquirer.ts'
import { jsonInBase64 } from '../acquirer/simulated-messages.ts'
import type { AuthenticationRequest, AuthenticationStep } from '../orders/order.ts'
import type { EventOf, RecordingContext } from './context.ts'
import { lengthOf, shownUrl } from './masking.ts'

interface Told extends Pick<EventOf<'acquirer'>, 'answer' | 'errorCode' | 'errorMessage'> {
  readonly awaits?: AuthenticationRequest | undefined
}

/** The acquirer with each call and each message of 3-D Secure recorded. */
export function recordedAcquirer(
  acquirer: Acquirer,
  { recording, clock, shown, masking, secrets }: RecordingContext,
): Acquirer {
  /** Passes on what was answered, or thrown, at once: whoever asked does not wait for the recording. */
  function recorded<Result>(
    call: EventOf<'acquirer'>['call'],
    request: OperationRequest | TokenizationRequest,
    ask: () => Promise<Result>,
  ): Promise<Result> {
    const startedAt = clock.now()
    const tell = (told: Told) => {
      const at = clock.now()
      recording.recordLater(() => ({
        half: 'gateway',
        type: 'acquirer',
        at,
        call,
        kind: request.kind,
        clientOrderId: masking.text(request.clientOrderId, secrets),
        orderId: 'reference' in request ? request.orderId : undefined,
        operationId: 'reference' in request ? request.reference : undefined,
        amount: shown(request.amount, request.currency),
        currency: request.currency,
        answer: told.answer,
        errorCode: told.errorCode && masking.text(told.errorCode, secrets),
        errorMessage: told.errorMessage && masking.text(told.errorMessage, secrets),
        milliseconds: at - startedAt,
      }))
      if (told.awaits !== undefined && 'reference' in request) {
        message(request, { step: told.awaits.step, direction: 'to-issuer' }, sentToIssuer(told.awaits))
      }
    }
    // Also if it throws at once, or returns what is no promise.
    const answer = new Promise<Result>((resolve) => resolve(ask()))
    answer.then(
      (result) => tell(toldBy(result)),
      // Of an error, not its message, which may quote the card.
      () => tell({ answer: 'failed' }),
    )
    return answer
  }

  function message(
    { orderId, reference: operationId }: OperationRequest,
    { step, direction }: Pick<EventOf<'three-ds'>, 'step' | 'direction'>,
    sent: EventOf<'three-ds'>['fields'],
  ): void {
    const at = clock.now()
    recording.recordLater(() => {
      const fields = masking.json(sent, secrets)
      return { half: 'gateway', type: 'three-ds', at, step, direction, orderId, operationId, fields }
    })
  }

  return {
    isSimulated: acquirer.isSimulated,
    tokenize: (request) => recorded('tokenize', request, () => acquirer.tokenize(request)),
    execute: (request) => recorded('execute', request, () => acquirer.execute(request)),
    authenticate: (request, result) => {
      const { step, value } = result
      message(request, { step, direction: 'from-issuer' }, broughtByIssuer(step, value))
      return recorded('authenticate', request, () => acquirer.authenticate(request, result))
    },
    lookup: (request) => recorded('lookup', request, () => acquirer.lookup(request)),
  }
}

/** An acquirer may answer anything: what it must not is for whoever asked it. */
function toldBy(result: unknown): Told {
  if (result === undefined) return { answer: 'absent' }
  const given: Partial<Token & TokenizationRefused & Answered> = Object(result)
  const { refused, reference, status, errorCode, errorMessage, awaits } = given
  if (refused !== undefined) return { answer: 'refused', errorMessage: refused }
  if (reference !== undefined) return { answer: 'accepted' }
  return { answer: status ?? 'failed', errorCode, errorMessage, awaits: status === 'processing' ? awaits : undefined }
}

interface Answered extends Pick<Told, 'errorCode' | 'errorMessage' | 'awaits'> {
  readonly status: Decision['status']
}

function sentToIssuer(awaits: AuthenticationRequest): Readonly<Record<string, string>> {
  switch (awaits.step) {
    case 'method':
      return { methodUrl: shownUrl(awaits.methodUrl ?? ''), threeDSServerTransID: awaits.threeDsServerTransId }
    case 'challenge':
      return { acsUrl: shownUrl(awaits.acsUrl), ...decoded('creq', awaits.creq) }
    case 'pareq':
      return { acsUrl: shownUrl(awaits.acsUrl), PaReq: lengthOf(awaits.paReq) }
  }
}

function broughtByIssuer(step: AuthenticationStep, value: string): Readonly<Record<string, string>> {
  if (step === 'method') return { threeDSCompInd: value.length === 1 ? value : lengthOf(value) }
  return step === 'challenge' ? decoded('cres', value) : { PaRes: lengthOf(value) }
}

/** The fields of a message in JSON, each as a text. */
function decoded(name: string, message: string): Readonly<Record<string, string>> {
  const fields = Object.entries(jsonInBase64(message))
  if (fields.length === 0) return { [name]: lengthOf(message) }
  return Object.fromEntries(
    fields.map(([field, value]) => [field, typeof value === 'string' ? value : JSON.stringify(value)]),
  )
}
