import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { PaymentClient } from '@tallystick/client'
import type { ReplyValues } from '@tallystick/core'
import { cards, saleInput, serverToServer, type TestCard } from '@tallystick/testing'

type Status = ReplyValues<'status'>

interface Gateway {
  readonly client: PaymentClient
  settled(): Promise<void>
}

/** What the browser is answered: a page, or where to go on. */
type Answer = { readonly page: string } | { readonly seeOther: string }

export type ThreeDsShop = Awaited<ReturnType<typeof openThreeDsShop>>

/**
 * A shop that takes its customers through 3DS itself: `/pay` does the step that status shows, what the browser brings back
 * is uploaded, and so on until status shows no step. `/frame` does all of it in a frame of its page. Without script its
 * buttons lead on, and the method frame is not waited for.
 */
export async function openThreeDsShop({ client, settled }: Gateway) {
  const statusOf = async (clientOrderId: string) => {
    await settled()
    return await client.status({ clientOrderId })
  }

  const results: Readonly<Record<string, (ids: Ids, form: URLSearchParams) => Promise<unknown>>> = {
    '/method': (ids) => client.uploadMethodUrlResult({ ...ids, methodCompletion: 'Y' }),
    '/waited': (ids) => client.uploadMethodUrlResult({ ...ids, methodCompletion: 'N' }),
    '/no-method': (ids) => client.uploadMethodUrlResult({ ...ids, methodCompletion: 'U' }),
    '/return': async (ids, form) => {
      // Without one the browser comes from the gateway, with the outcome: status tells it.
      const cRes = form.get('cres')
      if (cRes !== null) await client.uploadCresResult({ ...ids, cRes })
    },
    '/term': (ids, form) =>
      client.uploadParesResult({ ...ids, paRes: form.get('PaRes') ?? '', md: form.get('MD') ?? '' }),
  }

  async function answer(request: IncomingMessage): Promise<Answer> {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://shop.invalid')
    const id = searchParams.get('id') ?? ''
    const pay = `/pay?id=${id}`
    if (pathname === '/frame') {
      return { page: `<h1>The shop</h1><iframe title="Bank" src="${pay}" width="100%" height="700"></iframe>` }
    }
    const status = await statusOf(id)
    const upload = results[pathname]
    if (upload === undefined) return { page: stepPage(status, { id, origin }) }
    await upload({ clientOrderId: id, orderId: status.orderId ?? '' }, new URLSearchParams(await bodyOf(request)))
    // The method frame is left, and the page around it goes on.
    return pathname === '/method' ? { page: `<script>parent.location.replace('${pay}')</script>` } : { seeOther: pay }
  }

  const server = createServer((request, response) => {
    answer(request).then(
      (answered) => {
        if ('seeOther' in answered) {
          response.writeHead(303, { location: answered.seeOther }).end()
          return
        }
        response.setHeader('content-type', 'text/html; charset=utf-8')
        response.end(HEAD + answered.page)
      },
      (error: unknown) => {
        response.statusCode = 500
        response.end(String(error))
      },
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    /** A sale whose customer is taken through 3DS here: its id. */
    sold: async (card: keyof typeof cards | TestCard, { comesBack = true } = {}): Promise<string> => {
      const { redirectUrl: _, ...browser } = serverToServer
      const input = saleInput({ ...(typeof card === 'string' ? cards[card] : card), ...browser })
      const redirectUrl = `${origin}/return?id=${input.clientOrderId}`
      await client.sale({ ...input, ...(comesBack && { redirectUrl }) })
      return input.clientOrderId
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const HEAD = `<!doctype html><html lang="en"><title>Shop</title><link rel="icon" href="data:,">
<meta name="viewport" content="width=device-width"><body>`

interface Ids {
  readonly clientOrderId: string
  readonly orderId: string
}

function stepPage(status: Status, { id, origin }: { readonly id: string; readonly origin: string }): string {
  switch (status.tdsStatus) {
    case 'MethodUrlFrame':
      return methodPage(status, { id, origin })
    case 'CReqForm':
      return sendForm(status.creqFormAcsUrl, {
        creq: status.creqFormCreq,
        threeDSSessionData: status.creqFormSessionData,
      })
    case 'PaReqForm':
      return sendForm(status.pareqFormAcsUrl, {
        PaReq: status.pareqFormPareq,
        MD: status.pareqFormMd,
        TermUrl: `${origin}/term?id=${id}`,
      })
    default:
      return `<h1>Thank you</h1><p>${status.status}</p>`
  }
}

function methodPage(status: Status, { id, origin }: { readonly id: string; readonly origin: string }): string {
  const { methodUrl, threeDsServerTransId } = status
  if (methodUrl === undefined) return sendForm(`/no-method?id=${id}`, {})
  const data = {
    threeDSServerTransID: threeDsServerTransId,
    threeDSMethodNotificationURL: `${origin}/method?id=${id}`,
  }
  const threeDSMethodData = Buffer.from(JSON.stringify(data)).toString('base64url')
  const frame = '<iframe name="method" title="3DS" hidden></iframe>'
  const form = sendForm(methodUrl, { threeDSMethodData }, { target: 'method' })
  return `${frame}${form}${sendForm(`/waited?id=${id}`, {}, { afterMs: 10_000 })}`
}

/** A form that is sent by script, in its time, or by its button; one into a frame by script alone. */
function sendForm(
  action = '',
  fields: Readonly<Record<string, string | undefined>> = {},
  { target, afterMs = 0 }: { readonly target?: string; readonly afterMs?: number } = {},
): string {
  const inputs = Object.entries(fields).map(
    ([name, value = '']) => `<input type="hidden" name="${name}" value="${value}">`,
  )
  const button = target === undefined ? '<button>Continue</button>' : ''
  const form = `<form method="post" action="${action}" target="${target ?? '_self'}">${inputs.join('')}${button}</form>`
  const send = `const form = document.currentScript.previousElementSibling; setTimeout(() => form.submit(), ${afterMs})`
  return `${form}<script>{ ${send} }</script>`
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of request) body += String(chunk)
  return body
}
