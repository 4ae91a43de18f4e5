import { callbackControlTerms } from '../../packages/core/src/index.ts'
import {
  hmacKey,
  percentEncode,
  signatureBaseString,
  signControl,
  signOAuth,
} from '../../packages/signing/src/index.ts'
import { code, fence, list, page, steps } from '../markdown.ts'

/** How a request is signed, with examples that the signing package computes, for a client in any language. */

const KEY = 'B17F59B4-A7DC-41B4-8FF9-37D986B43D20'

export function signaturesPage(introduction: string, generated: string): string {
  return page([
    '# Signatures',
    introduction,
    'How to sign without our packages, in any language, with `openssl` to compare. Which operation is signed how is in the ' +
      '[index](README.md). The command [`tallystick`](../../packages/cli/README.md) checks what you made: `sign` shows what it ' +
      'signs, `explain` names the mistake in a request that was refused.',
    ...control(),
    ...oauth(),
    generated,
  ])
}

function control(): readonly string[] {
  const terms = ['1111', '902B4FF5', '1042', 'john+shop@example.com']
  return [
    '## Control',
    'The SHA-1 of the terms and the key, one after the other in UTF-8 without a separator, as 40 lower-case hexadecimal digits. It is ' +
      'sent as the field `control`.',
    list([
      'A term is the value that you send, before it is encoded for the form: `john+shop@example.com`, and not `john%2Bshop%40...`.',
      '`endpointId` is the id at the end of the address: that of the group if the address names a group. It is no field.',
      '`amount` is in minor units, without a dot and without leading zeros: 10.42 is signed as 1042, 10 as 1000, 0.94 as 94. There are ' +
        'two decimals in every currency, unless your gateway says otherwise: 1000 JPY is sent as `1000` and signed as `100000`. ' +
        'Count with the text, since floats lose cents.',
      'A field that you do not send is an empty text. So a capture of the whole amount signs `login + client_orderid + orderid + key`.',
      'The key has no line feed at its end. Most files do.',
    ]),
    fence('sh', `printf %s '${terms.join('')}${KEY}' | openssl dgst -sha1\n# ${signControl({ terms, key: KEY })}`),
    'The control of a [callback](callbacks.md) is made in the same way: `status + orderid + client_orderid + key`.',
    fence('sh', callbackExample()),
  ]
}

function callbackExample(): string {
  const terms = callbackControlTerms({ status: 'approved', orderId: '150000000000017', clientOrderId: '902B4FF5' })
  return `printf %s '${terms.join('')}${KEY}' | openssl dgst -sha1\n# ${signControl({ terms, key: KEY })}`
}

const FIELDS = {
  client_orderid: 'payout-1',
  amount: '10.50',
  currency: 'EUR',
  order_desc: "Zoë's fee & more",
}

const REQUEST = {
  httpMethod: 'POST',
  url: 'https://gate.example.com/paynet/api/v2/payout/1111',
  parameters: Object.entries(FIELDS),
}

const OAUTH = { consumerKey: 'merchantlogin', nonce: '7f3c1b0e9a', timestamp: 1893456000 }

function oauth(): readonly string[] {
  const { authorization } = signOAuth({ ...REQUEST, ...OAUTH, method: 'HMAC-SHA1', key: hmacKey(KEY) })
  const signature = decodeURIComponent(/oauth_signature="([^"]+)"/.exec(authorization)?.[1] ?? '')
  const baseString = signatureBaseString({ ...REQUEST, parameters: [...REQUEST.parameters, ...protocolParameters()] })
  return [
    '## OAuth 1.0a',
    'RFC 5849 with two legs: there is no token. The signature is in the header `Authorization`, and there is no field `control`.',
    steps([
      `Take the fields of the form and the five ${code('oauth_*')} parameters: ${protocolParameters()
        .map(([name]) => code(name))
        .join(', ')}. ` +
        'The consumer key is your login, the timestamp is in whole seconds since 1970, and the nonce is fresh for every request, also ' +
        'for a repeated one. The gateway takes a timestamp within 300 seconds of its own clock.',
      'Percent-encode each name and each value: every byte of its UTF-8 but the letters A to Z and a to z, the digits and `- . _ ~`, with ' +
        'upper-case hexadecimal digits. A space is `%20`. The encoders for forms and for addresses of most languages write `+`, or leave ' +
        "out some of `! ' ( ) *`.",
      'Sort the encoded pairs by name, and those of one name by value, byte by byte. Join them as `name=value` with `&`.',
      'Percent-encode the address and what you joined, and write `POST&address&joined`: this is the base string. The address is the ' +
        'public one to which you send, without a query, with scheme and host in lower case, and with the port unless it is 80 for http or ' +
        '443 for https.',
      'Sign the base string. With HMAC-SHA1, the key is the percent-encoded control key of the merchant and an `&` after it. With ' +
        'RSA-SHA256 (PKCS #1 v1.5), it is your private key. The signature is in base64.',
      'Send the five parameters and `oauth_signature` in the header, with percent-encoded values, and the fields as a form. In the form a ' +
        'space may be `+`, and the order does not matter. The form has the five as well, with the same values; our gateway also ' +
        'takes it without them. They are signed once all the same.',
    ]),
    `The fields of this payout are ${REQUEST.parameters.map(([name, value]) => code(`${name}=${value}`)).join(', ')}. Its base string:`,
    fence('text', baseString),
    'With HMAC-SHA1:',
    fence(
      'sh',
      `printf %s '${baseString}' |\n  openssl dgst -sha1 -hmac '${percentEncode(KEY)}&' -binary | openssl base64 -A\n# ${signature}`,
    ),
    'The request, of which the header is one line:',
    fence('text', requestText(authorization)),
    'With RSA-SHA256, the base string has `oauth_signature_method%3DRSA-SHA256`, and its file no line feed at the end:',
    fence('sh', 'openssl dgst -sha256 -sign merchant.pem -binary base-string.txt | openssl base64 -A'),
  ]
}

function protocolParameters(): ReadonlyArray<readonly [string, string]> {
  return [
    ['oauth_consumer_key', OAUTH.consumerKey],
    ['oauth_nonce', OAUTH.nonce],
    ['oauth_signature_method', 'HMAC-SHA1'],
    ['oauth_timestamp', String(OAUTH.timestamp)],
    ['oauth_version', '1.0'],
  ]
}

function requestText(authorization: string): string {
  const { pathname, host } = new URL(REQUEST.url)
  return `POST ${pathname} HTTP/1.1
Host: ${host}
Accept: application/vnd.pay+json
Content-Type: application/x-www-form-urlencoded
Authorization: ${authorization.replaceAll(', ', ',\n  ').replace(/,(?=oauth)/g, ',\n  ')}

${new URLSearchParams({ ...FIELDS, ...Object.fromEntries(protocolParameters()) }).toString()}`
}
