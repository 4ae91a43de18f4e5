import type { ReplyValues } from '@tallystick/core'
import { checkOptions, validator } from '@tallystick/core/internal'
import { asksForCode, type BrowserForm, formOf, type PageForm } from './browser-form.ts'
import type { Fetch } from './gateway/direct-transport.ts'
import { namedTable } from './options/check-fields.ts'

/** What a status shows while its payment waits for a 3DS step. */
type Status = ReplyValues<'status'>

/** What the customer does at the simulated issuer. */
export type CustomerAnswer = 'confirms' | 'fails' | 'cancels'

/** What the browser posts to the simulated issuer for each answer. */
export const ANSWERS = namedTable<Readonly<Record<CustomerAnswer, Readonly<Record<string, string>>>>>(
  "the customer's answer",
  {
    confirms: { code: 'hint' },
    // Asked again, until it was the third wrong one.
    fails: { code: 'wrong' },
    cancels: { cancel: '1' },
  },
)

const STATUS = validator.required({ ...validator.object, wanted: 'what client.status returns' })

type Open = (address: string, request: RequestInit) => Promise<Response>

/** The platform's own `fetch`, which cannot reach a gateway without a socket. */
const byNetwork: Open = async (address, request) => {
  try {
    return await fetch(address, request)
  } catch (cause) {
    const what = `The simulated issuer at ${address} cannot be reached`
    throw new Error(`${what}: give gateway.fetch if the gateway has no socket`, { cause })
  }
}

/**
 * Plays the customer's browser at the simulated issuer, for a payment whose status shows `CReqForm`: gives the CRes to
 * upload, and the form with which the browser brings it back.
 *
 * @param open `gateway.fetch`, for a gateway without a socket
 * @throws Error if the status shows no such step, or the issuer refuses it or cannot be reached
 * @throws TypeError without a status, and if there is no such answer
 */
export async function passChallenge(
  status: Pick<Status, 'creqFormAcsUrl' | 'creqFormCreq' | 'creqFormSessionData'>,
  answer: CustomerAnswer = 'confirms',
  open?: Fetch,
): Promise<BrowserForm & { readonly cRes: string }> {
  checkOptions('passChallenge', { status }, { status: STATUS })
  const { creqFormAcsUrl: acsUrl, creqFormCreq: creq, creqFormSessionData: threeDSSessionData = '' } = status
  if (acsUrl === undefined || creq === undefined) throw new Error(`The status shows no CReqForm: ${WITHOUT_BROWSER}`)
  const returned = await visit(acsUrl, { creq, threeDSSessionData }, answer, open ?? byNetwork)
  return { ...returned, cRes: returned.fields['cres'] ?? '' }
}

/**
 * The same for 3-D Secure 1.0.2, for a status that shows `PaReqForm`: gives the PaRes to upload.
 *
 * @throws Error if the status shows no such step, or the issuer refuses it or cannot be reached
 * @throws TypeError without a status, and if there is no such answer
 */
export async function passPaReq(
  status: Pick<Status, 'pareqFormAcsUrl' | 'pareqFormPareq' | 'pareqFormMd'>,
  answer: CustomerAnswer = 'confirms',
  open?: Fetch,
): Promise<BrowserForm & { readonly paRes: string; readonly md: string }> {
  checkOptions('passPaReq', { status }, { status: STATUS })
  const { pareqFormAcsUrl: acsUrl, pareqFormPareq: PaReq, pareqFormMd: MD = '' } = status
  if (acsUrl === undefined || PaReq === undefined) throw new Error(`The status shows no PaReqForm: ${WITHOUT_BROWSER}`)
  const returned = await visit(
    acsUrl,
    { PaReq, MD, TermUrl: 'https://shop.example.com/term' },
    answer,
    open ?? byNetwork,
  )
  return { ...returned, paRes: returned.fields['PaRes'] ?? '', md: returned.fields['MD'] ?? '' }
}

/** The most frequent reasons why a status shows no step. */
const WITHOUT_BROWSER =
  "if the payment was sent without the browser fields, spread `serverToServer` into it; for the gateway's own pages use `gateway.payOnPages`"

async function visit(
  acsUrl: string,
  request: Readonly<Record<string, string>>,
  answer: CustomerAnswer,
  open: Open,
): Promise<BrowserForm> {
  let asked = await post(acsUrl, request, open)
  while (asksForCode(asked)) asked = await post(asked.to, { ...asked.fields, ...ANSWERS[answer] }, open)
  return { to: asked.to, fields: asked.fields }
}

/** Posts a form. Gives the form of the page that comes back. */
async function post(address: string, fields: Readonly<Record<string, string>>, open: Open): Promise<PageForm> {
  const reply = await open(address, { method: 'POST', body: new URLSearchParams(fields) })
  const form = formOf(await reply.text())
  if (!reply.ok && !asksForCode(form)) throw new Error(`The simulated issuer answered ${reply.status} to ${address}`)
  if (form === undefined) throw new Error(`The page of the simulated issuer at ${address} has no form to continue`)
  return form
}
