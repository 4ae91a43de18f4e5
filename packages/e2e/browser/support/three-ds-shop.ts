import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { PaymentClient } from '@tallystick/client'
import type { ReplyValues } from '@tallystick/core'

type Status = ReplyValues<'status'>

interface Gateway {
  readonly client: PaymentClient
  settled(): Promise<void>
}

/**
 * A shop that takes its customers through 3DS itself: `/pay` does the step that status shows, what the browser brings back
 * is uploaded, and so on until status shows no step. `/frame` does all of it in a frame of its page.
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
    '/return': (ids, form) => client.uploadCresResult({ ...ids, cRes: form.get('cres') ?? '' }),
    '/term': (ids, form) =>
      client.uploadParesResult({ ...ids, paRes: form.get('PaRes') ?? '', md: form.get('MD') ?? '' }),
  }

  async function answer(request: IncomingMessage): Promise<string> {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://shop.invalid')
    const id = searchParams.get('id') ?? ''
    if (pathname === '/frame')
      return `<h1>The shop</h1><iframe title="Bank" src="/pay?id=${id}" width="400" height="700"></iframe>`
    const status = await statusOf(id)
    const upload = results[pathname]
    if (upload !== undefined) {
      await upload({ clientOrderId: id, orderId: status.orderId ?? '' }, new URLSearchParams(await bodyOf(request)))
      // The method frame is left, and the page around it goes on.
      const window = pathname === '/method' ? 'parent' : 'window'
      return `<script>${window}.location.replace('/pay?id=${id}')</script>`
    }
    return stepPage(status, { id, origin })
  }

  const server = createServer((request, response) => {
    answer(request).then(
      (body) => {
        response.setHeader('content-type', 'text/html; charset=utf-8')
        response.end(`<!doctype html><html lang="en"><title>Shop</title><link rel="icon" href="data:,"><body>${body}`)
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
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

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
  const waited = `<script>setTimeout(() => location.replace('/waited?id=${id}'), 10000)</script>`
  return `<iframe name="method" title="3DS" hidden></iframe>${sendForm(methodUrl, { threeDSMethodData }, 'method')}${waited}`
}

function sendForm(action = '', fields: Readonly<Record<string, string | undefined>> = {}, target = '_self'): string {
  const inputs = Object.entries(fields).map(
    ([name, value = '']) => `<input type="hidden" name="${name}" value="${value}">`,
  )
  const form = `<form method="post" action="${action}" target="${target}">${inputs.join('')}</form>`
  return `${form}<script>document.forms[0].submit()</script>`
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of request) body += String(chunk)
  return body
}
