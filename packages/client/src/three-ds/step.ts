import type { ReplyValues } from '@tallystick/core'
import { isBrowserAddress } from './html.ts'

/** A 3DS step as the status describes it (gaps part 8). */
export type AwaitedStep =
  | { readonly step: 'method'; readonly methodUrl: string; readonly threeDsServerTransId: string }
  | { readonly step: 'method'; readonly methodUrl: undefined; readonly threeDsServerTransId: string }
  | { readonly step: 'challenge'; readonly acsUrl: string; readonly creq: string }
  | { readonly step: 'pareq'; readonly acsUrl: string; readonly paReq: string; readonly md: string }
  | { readonly step: 'redirect'; readonly url: string | undefined; readonly html: string | undefined }

type StatusReply = ReplyValues<'status'>

/**
 * Which step a status asks for. `undefined`: none, or one whose fields are not all there, so that asking again may help.
 * Only an order that is `processing` waits for a customer.
 */
export function awaitedStep(reply: StatusReply): AwaitedStep | undefined {
  if (reply.status !== 'processing') return undefined
  switch (reply.tdsStatus?.toLowerCase()) {
    case 'methodurlframe':
      return methodStep(reply)
    case 'creqform':
      return challengeStep(reply)
    case 'pareqform':
      return pareqStep(reply)
    default:
      return redirectStep(reply)
  }
}

function methodStep({ methodUrl, threeDsServerTransId }: StatusReply): AwaitedStep | undefined {
  if (threeDsServerTransId === undefined) return undefined
  return { step: 'method', methodUrl: browserAddress(methodUrl), threeDsServerTransId }
}

function challengeStep({ creqFormAcsUrl, creqFormCreq: creq }: StatusReply): AwaitedStep | undefined {
  const acsUrl = browserAddress(creqFormAcsUrl)
  return acsUrl === undefined || creq === undefined ? undefined : { step: 'challenge', acsUrl, creq }
}

function pareqStep({ pareqFormAcsUrl, pareqFormPareq, pareqFormMd }: StatusReply): AwaitedStep | undefined {
  const acsUrl = browserAddress(pareqFormAcsUrl)
  if (acsUrl === undefined || pareqFormPareq === undefined) return undefined
  return { step: 'pareq', acsUrl, paReq: pareqFormPareq, md: pareqFormMd ?? '' }
}

function redirectStep({ redirectTo, html }: StatusReply): AwaitedStep | undefined {
  const url = browserAddress(redirectTo)
  return url === undefined && html === undefined
    ? undefined
    : { step: 'redirect', url, html: html && decodedPage(html) }
}

/** Anything else counts as absent: a form must not lead into a script. */
function browserAddress(address: string | undefined): string | undefined {
  return isBrowserAddress(address) ? address : undefined
}

/** The page comes URL-encoded (gaps part 4); in the classic format its reader has decoded it once. */
function decodedPage(text: string): string {
  if (text.includes('<')) return text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}
