import { createHash, createHmac, generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { KEY, NOW, tryCommand } from '../try-command.ts'

const key = ['--key-file', 'control.key']

function sha1(text: string): string {
  return createHash('sha1').update(text).digest('hex')
}

/** The documented sale of the specification, with any control. */
function sale(control: string): string {
  return `client_orderid=902B4FF5&amount=10.42&currency=USD&email=john.smith%40gmail.com&control=${control}`
}

const RIGHT = 'c6bdd88a78834ef4b863b088827a459f039e8257'
const IN_UNITS = sha1(`1111902B4FF510.42john.smith@gmail.com${KEY}`)

/** As a log shows it. */
function logged(body: string, ...headers: readonly string[]): string {
  return ['POST /paynet/api/v2/sale/1111 HTTP/1.1', 'Host: gate.example.com', ...headers, '', body].join('\r\n')
}

describe('verify', () => {
  test('says that a control is right', async () => {
    const tried = await tryCommand(['verify', '--request', 'r.txt', ...key], { 'r.txt': logged(sale(RIGHT)) })
    expect(tried).toMatchObject({ code: 0, printed: 'the control of SALE is right\n' })
  })

  test('says that a control is wrong', async () => {
    const tried = await tryCommand(['verify', '--request', 'r.txt', ...key], { 'r.txt': logged(sale(IN_UNITS)) })
    expect(tried).toMatchObject({ code: 1, printed: 'the control of SALE is wrong; tallystick explain says more\n' })
  })

  test.each([
    ['approved', 0],
    ['declined', 1],
  ])('verifies a callback: %s', async (status, code) => {
    const query = `status=${status}&orderid=17&client_orderid=a&merchant_order=a&amount=1&control=${sha1(`approved17a${KEY}`)}`
    const log = `1.2.3.4 - - [01/Jan/2030:00:00:00 +0000] "GET /cb?${query} HTTP/1.1" 403 1 "-" "x"\n`
    for (const address of [`https://shop.example/cb?shop=1&${query}#top`, query, log, `GET /cb?${query}`]) {
      expect((await tryCommand(['verify', '--callback', address, ...key])).code).toBe(code)
    }
  })

  test('needs no host for a control', async () => {
    const parts = ['--url', '/paynet/api/v2/sale/1111', '--body', sale(RIGHT)]
    expect((await tryCommand(['verify', ...parts, ...key])).code).toBe(0)
  })

  test('reads the body from the standard input', async () => {
    const args = ['verify', '--url', 'https://gate.example.com/paynet/api/v2/sale/1111', '--body', '-', ...key]
    expect((await tryCommand(args, { '-': `${sale(RIGHT)}\n` })).code).toBe(0)
  })

  test.each([
    ['with marks of curl', (text: string) => `${text.replaceAll('\r', '').replaceAll(/^/gm, '> ')}\n> `],
    ['with plain line feeds', (text: string) => text.replaceAll('\r', '')],
    ['with an absolute address', (text: string) => text.replace('/paynet', 'https://gate.example.com/paynet')],
    ['without a version', (text: string) => text.replace(' HTTP/1.1', '')],
    ['with carriage returns', (text: string) => text.replaceAll('\n', '')],
    ['with a mark of its encoding', (text: string) => `\uFEFF${text}`],
    [
      'in HTTP/2',
      () => ':method: POST\n:path: /paynet/api/v2/sale/1111\n:scheme: https\n:authority: gate.example.com\n',
    ],
  ])('reads a request %s', async (_, written) => {
    const head = written(logged('').trimEnd())
    const files = { 'r.txt': `${head}${head.endsWith('> ') ? '' : '\n'}\n${sale(RIGHT)}` }
    expect((await tryCommand(['verify', '--request', 'r.txt', ...key], files)).code).toBe(0)
  })

  test('reads a body that was broken into lines, and no reply after it', async () => {
    const broken = sale(RIGHT).replaceAll('&', '&\r\n  ').replace('amount=', 'amount=\n')
    const files = { 'r.txt': `${logged(broken)}\n\nHTTP/1.1 403 Forbidden\n\nerror=7` }
    expect((await tryCommand(['verify', '--request', 'r.txt', ...key], files)).code).toBe(0)
  })

  /** What curl 7.88 prints of a request and its answer. */
  const curl = (body: string) => `  % Total    % Received % Xferd  Average Speed
\r  0     0    0     0    0     0      0      0 --:--:-- --:--:-- --:--:--     0*   Trying 127.0.0.1:8080...
* Connected to 127.0.0.1 (127.0.0.1) port 8080 (#0)
> POST /paynet/api/v2/sale/1111 HTTP/1.1\r
> Host: 127.0.0.1:8080\r
> Content-Length: 7\r
> \r
} [7 bytes data]
${body}
< HTTP/1.1 403 Forbidden\r
< content-length: 169\r
< \r
{ [169 bytes data]
* Connection #0 to host 127.0.0.1 left intact
{"type":"validation-error","error-message":"a=b"}
`

  test('reads all that curl prints, with a body from elsewhere', async () => {
    const args = ['verify', '--request', 'r.txt', ...key]
    await expect(tryCommand(args, { 'r.txt': curl('') })).rejects.toThrow('shows no body: give it with --body')
    expect((await tryCommand([...args, '--body', sale(RIGHT)], { 'r.txt': curl('') })).code).toBe(0)
    expect((await tryCommand(args, { 'r.txt': curl(sale(RIGHT)) })).code).toBe(0)
  })

  test('reads a line of an access log, with a body from elsewhere', async () => {
    const line =
      '127.0.0.1 - - [01/Jan/2030:00:00:00 +0000] "POST /paynet/api/v2/sale/1111 HTTP/1.1" 403 120 "-" "curl"\n'
    const args = ['verify', '--request', 'r.txt', '--body', sale(RIGHT), ...key]
    expect((await tryCommand(args, { 'r.txt': line })).code).toBe(0)
  })

  describe('reads a curl command', () => {
    const url = 'https://gate.example.com/paynet/api/v2/sale/1111'
    const fields = [
      'client_orderid=902B4FF5',
      'amount=10.42',
      'currency=USD',
      'email=john.smith@gmail.com',
      `control=${RIGHT}`,
    ]
    test.each([
      `curl ${url} -d '${sale(RIGHT)}'`,
      `$ curl -k --max-time 5 -X POST '${url}' -H 'Accept: x' --data-raw "${sale(RIGHT)}"`,
      `curl -sSd$'${sale(RIGHT)}' -x http://proxy.example:3128 \\\r\n ${url}\r\n`,
      `curl ${fields.map((field) => `--data-urlencode ${field}`).join(' ')} --data-urlencode comment= --url "${url}"`,
      `curl ${fields.map((field) => `-d ${field}`).join(' ')} gate.example.com/paynet/api/v2/sale/1111`,
      `curl $'${url}' --data-raw $'${sale(RIGHT).replace('902', '\\u0039\\x302')}' --compressed`,
    ])('%s', async (command) => {
      expect((await tryCommand(['verify', '--request', 'r.txt', ...key], { 'r.txt': command })).code).toBe(0)
    })

    test('that sign printed', async () => {
      const gateway = ['--endpoint', '253', '--base-url', 'https://gate.example.com/paynet', '--login', 'shop']
      const signing = ['sign', 'payout', ...gateway, ...key, '--curl', 'amount=5.00', 'order_desc=It\'s 5 % of "it"']
      const { printed } = await tryCommand(signing)
      expect((await tryCommand(['verify', '--request', 'r.txt', ...key], { 'r.txt': printed })).code).toBe(0)
    })

    test.each([
      [`curl ${url}`, 'the request shows no body: give it with --body'],
      [`curl ${url} -o Form -d @form.txt`, 'the request shows no body: give it with --body'],
      [`curl ${url} -F amount=10.42`, 'the curl command sends no form'],
      ["curl https://gate.example.com/ -d 'a=b'", 'the curl command has no address with a part like /api/v2/'],
    ])('but refuses %s', async (command, says) => {
      await expect(tryCommand(['verify', '--request', 'r.txt', ...key], { 'r.txt': command })).rejects.toThrow(says)
    })
  })

  test('reads other names on the wire, as the profile has them', async () => {
    const files = {
      'brand.json': '{ "wireNames": { "SaleRequest": { "clientOrderId": "order" } } }',
      'r.txt': logged(sale(RIGHT).replace('client_orderid', 'order')),
    }
    const args = ['verify', '--request', 'r.txt', ...key]
    expect((await tryCommand(args, files)).code).toBe(1)
    expect((await tryCommand([...args, '--profile', 'brand.json'], files)).code).toBe(0)
  })
})

describe('explain', () => {
  test('names the mistake and shows where it is', async () => {
    const { code, printed } = await tryCommand(['explain', '--request', 'r.txt', ...key], {
      'r.txt': logged(sale(IN_UNITS)),
    })
    expect(code).toBe(1)
    expect(printed.split('\n')).toEqual([
      'the control of SALE is wrong: amount-in-units',
      'sign amountInCents in minor units: 10.42 is signed as 1042',
      '',
      'expected: 1111902B4FF51042john.smith@gmail.com[key]',
      'received: 1111902B4FF510.42john.smith@gmail.com[key]',
      '                        ^',
      '',
      'https://tallystick.github.io/tallystick/errors/signatures.html#amount-in-units',
      '',
    ])
  })

  test('recognizes a key that may have been used', async () => {
    const body = sale(sha1('1111902B4FF51042john.smith@gmail.comSANDBOX-KEY'))
    const files = { 'r.txt': logged(body), 'sandbox.key': 'SANDBOX-KEY\n' }
    const args = ['explain', '--request', 'r.txt', ...key]
    expect((await tryCommand(args, files)).printed).toMatch(
      /wrong\nNo single mistake explains it..*\n.*\n- the sender has another key: compare the two/,
    )
    const { printed } = await tryCommand([...args, '--other-key-file', 'sandbox.key'], files)
    expect(printed).toMatch(/^the control of SALE is wrong: wrong-key\n/)
    expect(printed).not.toMatch(new RegExp(`SANDBOX-KEY|${KEY}`))
  })

  test('fits in a terminal', async () => {
    const files = { 'r.txt': logged(sale(sha1('another text'))) }
    const { printed } = await tryCommand(['explain', '--request', 'r.txt', ...key], files, { columns: 80 })
    expect(Math.max(...printed.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80)
    expect(printed).toMatch(
      '\n- client_orderid or amount or email was changed after it was signed, or the log\n  shows it',
    )
  })

  test('accuses nothing if nothing explains it', async () => {
    const body = sale(sha1('another text')).replace('&email=john.smith%40gmail.com', '')
    const { printed } = await tryCommand(['explain', '--request', 'r.txt', ...key], { 'r.txt': logged(body) })
    expect(printed.split('\n').slice(2)).toEqual([
      'What remains, and nothing here tells which:',
      '- the sender has another key: compare the two, or name others with --other-key-file',
      '- the sender signed another id than 1111, which is the one in the path',
      '- client_orderid or amount was changed after it was signed, or the log shows it otherwise',
      '- email is signed and has no value here: the sender may have signed one',
      '- the sender makes two mistakes at once',
      'The text that the sender signed would tell: give it with --signed-text.',
      '',
      'expected: 1111902B4FF51042[key]',
      '',
    ])
  })

  test('recognizes the login instead of the id in the path', async () => {
    const files = { 'r.txt': logged(sale(sha1(`shop902B4FF51042john.smith@gmail.com${KEY}`))) }
    const { printed } = await tryCommand(['explain', '--request', 'r.txt', '--login', 'shop', ...key], files)
    expect(printed).toMatch(/^the control of SALE is wrong: login-for-endpoint\n/)
  })

  test('compares with the text that was signed', async () => {
    const text = `1111902B4FF51042jack@gmail.com${KEY}`
    const files = { 'r.txt': logged(sale(sha1(text))), 'signed.txt': `${text}\n` }
    const args = ['explain', '--request', 'r.txt', '--signed-text', 'signed.txt', ...key]
    expect((await tryCommand(args, files)).printed).toMatch(/^the control of SALE is wrong: different-text\n/)
    const other = { ...files, 'signed.txt': 'something else' }
    expect((await tryCommand(args, other)).printed).toMatch('\nThe text in --signed-text is not what was signed')
  })

  test('says that a control was cut', async () => {
    const { printed } = await tryCommand(['explain', '--request', 'r.txt', ...key], {
      'r.txt': logged(sale(RIGHT.slice(1))),
    })
    expect(printed).toMatch(/\n- it was cut or changed: it has 39 characters, not 40 hexadecimal digits/)
  })

  test('says that a control is masked', async () => {
    const { printed } = await tryCommand(['explain', '--request', 'r.txt', ...key], { 'r.txt': logged(sale('****')) })
    expect(printed).toMatch('\n- the log masks the control: find it where it is shown\n')
  })

  test('explains a callback', async () => {
    const control = sha1(`17approveda${KEY}`)
    const { printed } = await tryCommand([
      'explain',
      '--callback',
      `?status=approved&orderid=17&client_orderid=a&control=${control}`,
      ...key,
    ])
    expect(printed).toMatch(/^the control of the callback is wrong: wrong-order\n/)
  })
})

test('explain names the id in the path, which may be that of another endpoint', async () => {
  const other = sha1(`11121902B4FF51042john.smith@gmail.com${KEY}`)
  const { printed } = await tryCommand(['explain', '--request', 'r.txt', ...key], { 'r.txt': logged(sale(other)) })
  expect(printed).toContain('\n- the sender signed another id than 1111, which is the one in the path\n')
})

describe('explain, for OAuth', () => {
  const base =
    'POST&https%3A%2F%2Fgate.example.com%2Fpaynet%2Fapi%2Fv2%2Fpayout%2F253&amount%3D5.00%26client_orderid%3D7' +
    `%26oauth_consumer_key%3Dshop%26oauth_nonce%3Dn1%26oauth_signature_method%3DHMAC-SHA1%26oauth_timestamp%3D${NOW}%26oauth_version%3D1.0`

  /** A payout that was signed by the key of the HMAC over this base string. */
  function payout(hmacKey: string, signed = base): string {
    const signature = encodeURIComponent(createHmac('sha1', hmacKey).update(signed).digest('base64'))
    const header = `oauth_consumer_key="shop", oauth_nonce="n1", oauth_signature="${signature}", oauth_signature_method="HMAC-SHA1", oauth_timestamp="${NOW}", oauth_version="1.0"`
    const lines = [
      'POST /paynet/api/v2/payout/253 HTTP/1.1',
      'Host: gate.example.com',
      `Authorization: OAuth ${header}`,
    ]
    return [...lines, '', 'amount=5.00&client_orderid=7'].join('\n')
  }

  const ask = ['explain', '--request', 'r.txt', ...key]

  const SIGNED_AT =
    '\nIt says that it was signed at 2030-01-01T00:00:00Z: a gateway takes it once, and if its clock is near that.\n'

  test('finds a right signature, whenever it was made', async () => {
    const tried = await tryCommand(ask, { 'r.txt': payout(`${KEY}&`) }, { now: () => 0 })
    expect(tried).toMatchObject({ code: 0, printed: `the signature of PAYOUT is right${SIGNED_AT}` })
    const at = await tryCommand([...ask, '--at', `${NOW}`], { 'r.txt': payout(`${KEY}&`) })
    expect(at.printed).toBe('the signature of PAYOUT is right\n')
  })

  test('names the mistake', async () => {
    const { printed } = await tryCommand(ask, { 'r.txt': payout(KEY) })
    expect(printed).toMatch(/^the signature of PAYOUT is wrong: missing-ampersand\n/)
  })

  test('judges the time if it is told when the request arrived', async () => {
    const { code, printed } = await tryCommand([...ask, '--at', `${NOW + 3600}`], { 'r.txt': payout(`${KEY}&`) })
    expect(code).toBe(1)
    expect(printed).toMatch(/^the signature of PAYOUT is wrong: clock-skew\n/)
  })

  test.each(['soon', '1e999', '1893456000000'])('says of the timestamp %s that it is wrong', async (timestamp) => {
    const sent = payout(`${KEY}&`).replace(`"${NOW}"`, `"${timestamp}"`)
    expect((await tryCommand(ask, { 'r.txt': sent })).printed).toMatch(
      /^the signature of PAYOUT is wrong: bad-timestamp\n/,
    )
  })

  test('takes a host with a port for http too, and says so', async () => {
    const toSandbox = (text: string) => text.replace('https', 'http').replace('gate.example.com', '127.0.0.1%3A8080')
    const at = (key: string, host: string) => payout(key, toSandbox(base)).replace('gate.example.com', host)
    const words = 'the signature of PAYOUT, if it went to http://127.0.0.1:8080/paynet/api/v2/payout/253, is'
    const local = '127.0.0.1:8080'
    expect((await tryCommand(ask, { 'r.txt': at(`${KEY}&`, local) })).printed).toBe(`${words} right${SIGNED_AT}`)
    expect((await tryCommand(ask, { 'r.txt': at(KEY, local) })).printed).toMatch(`${words} wrong: missing-ampersand\n`)
    const http = payout(`${KEY}&`, base.replace('https', 'http'))
    expect((await tryCommand(ask, { 'r.txt': http })).printed).toMatch('PAYOUT is wrong: wrong-host-or-scheme\n')
  })

  test('reads the key once, whatever the address: the standard input gives it once', async () => {
    const sent = payout(`"${KEY}"&`).replace('Host: gate.example.com', 'Host: gate.example.com:8443')
    const input = ['', `"${KEY}"\n`]
    const args = ['explain', '--request', 'r.txt', '--key-file', '-']
    const { warned } = await tryCommand(args, {}, { read: (file) => (file === '-' ? (input.pop() ?? '') : sent) })
    expect(warned).toEqual(['the key in - is between quotes: all of it is taken for the key'])
  })

  test('says of a host with a port that it took it for https', async () => {
    const signed = base.replace('gate.example.com', 'gate.example.com%3A8443')
    const sent = (key: string) => payout(key, signed).replace('Host: gate.example.com', 'Host: gate.example.com:8443')
    const words = 'the signature of PAYOUT, if it went to https://gate.example.com:8443/paynet/api/v2/payout/253, is'
    expect((await tryCommand(ask, { 'r.txt': sent(`${KEY}&`) })).printed).toBe(`${words} right${SIGNED_AT}`)
    expect((await tryCommand(ask, { 'r.txt': sent(KEY) })).printed).toMatch(`${words} wrong: missing-ampersand\n`)
  })

  test('takes this machine for http if nothing tells', async () => {
    const sent = payout('another key&').replace('Host: gate.example.com', 'Host: localhost:8080')
    const { printed } = await tryCommand(ask, { 'r.txt': sent })
    expect(printed).toContain('another address than http://localhost:8080/paynet/')
    expect(printed).toContain('expected: POST&http%3A%2F%2Flocalhost%3A8080%2F')
  })

  test('finds that the port was not signed', async () => {
    const sent = payout(`${KEY}&`).replace('Host: gate.example.com', 'Host: gate.example.com:8443')
    expect((await tryCommand(ask, { 'r.txt': sent })).printed).toMatch(' is wrong: wrong-host-or-scheme\n')
  })

  test.each([
    ['Host: gate.example.com', 'Host: <redacted>'],
    ['Host: gate.example.com', 'Host: gate.example.com:99999'],
    ['Host: gate.example.com', 'Host:'],
    ['POST /paynet', 'POST gate.example.com/paynet'],
  ])('asks for the host if %s is shown as %s', async (sentAs, shownAs) => {
    const sent = payout(`${KEY}&`).replace(sentAs, shownAs)
    await expect(tryCommand(ask, { 'r.txt': sent })).rejects.toThrow('does not show its host')
    expect((await tryCommand([...ask, '--base-url', 'https://gate.example.com/paynet'], { 'r.txt': sent })).code).toBe(
      0,
    )
  })

  test('takes a header that the log leaves out', async () => {
    const authorization = /Authorization: (.*)/.exec(payout(`${KEY}&`))?.[1] ?? ''
    const files = { 'r.txt': payout(`${KEY}&`).replace(/\nAuthorization.*/, '') }
    expect((await tryCommand([...ask, '--authorization', authorization], files)).code).toBe(0)
  })

  test('takes the address that the sender knows', async () => {
    const files = { 'r.txt': payout(`${KEY}&`).replace('gate.example.com', 'behind-a-proxy') }
    expect((await tryCommand(ask, files)).printed).toMatch(
      /\n- the sender signed another address than https:..behind-a-proxy/,
    )
    expect((await tryCommand([...ask, '--base-url', 'https://gate.example.com/paynet'], files)).code).toBe(0)
  })

  test('verifies RSA with the public key', async () => {
    const pair = () =>
      generateKeyPairSync('rsa', {
        modulusLength: 2048,
        publicKeyEncoding: { type: 'spki', format: 'pem' },
        privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      })
    const [own, other] = [pair(), pair()]
    const gateway = ['--endpoint', '253', '--base-url', 'https://gate.example.com/paynet', '--login', 'shop']
    const files = { 'private.pem': own.privateKey, 'own.pem': own.publicKey, 'other.pem': other.publicKey }
    const signing = ['sign', 'transfer', ...gateway, '--private-key-file', 'private.pem', '--json', 'client_orderid=7']
    const { url, body, authorization } = JSON.parse((await tryCommand(signing, files)).printed)
    const parts = ['--url', url, '--body', body, '--authorization', authorization]
    const verified = async (file: string) =>
      (await tryCommand(['verify', ...parts, '--public-key-file', file], files)).code
    expect([await verified('own.pem'), await verified('other.pem')]).toEqual([0, 1])
    const other_ = ['--public-key-file', 'other.pem', '--other-key-file', 'own.pem']
    expect((await tryCommand(['explain', ...parts, ...other_], files)).printed).toMatch(/is wrong: wrong-key\n/)
  })
})

describe('verify and explain call nothing right that a gateway refuses anyway', () => {
  const control = sha1(`approved17a${KEY}`)
  const callback = `status=approved&orderid=17&client_orderid=a&control=${control}`
  test.each([
    [sale(RIGHT), undefined],
    [`GET ${sale(RIGHT)}`, 'it is a GET, and must be a POST'],
    [`amount=99&${sale(RIGHT)}`, 'amount is there twice: send it once'],
    [`${sale(RIGHT)}&amount=10.42`, 'amount is there twice: send it once'],
    [`${sale(RIGHT)}&control=${RIGHT}`, 'control is there twice: send it once'],
    [`${sale(RIGHT)}&merchant_data=1&merchant_data=2`, 'merchant_data is there twice: send it once'],
    [callback, undefined],
    [`merchant_order=a&${callback}&merchant-order-id=`, undefined],
    [`merchant_order=b&${callback}`, 'merchant_order and client_orderid are one field, and differ: send one of them'],
    [`${callback}&status=approved`, 'status is there twice: send it once'],
  ])('%s', async (shown, refusal) => {
    const form = shown.replace('GET ', '')
    const isCallback = form.includes('orderid=17')
    const given = isCallback ? ['--callback', `?${form}`] : ['--request', 'r.txt']
    const ask = async (command: string) =>
      await tryCommand([command, ...given, ...key], {
        'r.txt': shown === form ? logged(form) : logged(form).replace('POST', 'GET'),
      })
    const [verified, explained] = [await ask('verify'), await ask('explain')]
    const right = `the control of ${isCallback ? 'the callback' : 'SALE'} is right\n`
    const refused = refusal && `it is refused whatever its signature: ${refusal}\n`
    expect(verified).toMatchObject({ code: refusal === undefined ? 0 : 1, printed: refused ?? right })
    expect(explained).toMatchObject({ code: refusal === undefined ? 0 : 1, printed: `${refused ?? ''}${right}` })
  })
})

describe('verify and explain say of a signed field that no gateway takes it', () => {
  test.each([
    ['amount=10.42', 'amount=10,42', 'amount (amount) must be a decimal text above zero'],
    ['email=john.smith%40', 'email=john+smith%40', 'email (email) must be an e-mail address'],
    ['email=john.smith%40', 'email=john+smith%40', 'In a form a + is a space: send a + as %2B.'],
  ])('%s as %s', async (well, badly, refusal) => {
    const files = { 'r.txt': logged(sale(RIGHT).replace(well, badly)) }
    for (const command of ['verify', 'explain']) {
      const { code, printed } = await tryCommand([command, '--request', 'r.txt', ...key], files)
      expect([code, printed]).toEqual([1, expect.stringMatching(/^it is refused whatever its signature: /)])
      expect(printed).toContain(refusal)
    }
  })

  test('and nothing of one that the log leaves out', async () => {
    const files = { 'r.txt': logged(sale(RIGHT).replace('email=john.smith%40gmail.com', 'email=')) }
    const { printed } = await tryCommand(['explain', '--request', 'r.txt', ...key], files)
    expect(printed).toMatch(/^the control of SALE is wrong/)
  })
})

describe('verify and explain refuse', () => {
  const url = ['--url', 'https://gate.example.com/paynet/api/v2/payout/253']
  test.each([
    [[], 'give one of --request, --url and --callback'],
    [['request.txt'], 'what was sent is given by an option'],
    [['--request', 'r.txt', '--callback', 'x'], 'give one of'],
    [['--request', 'none.txt', ...key], 'none.txt cannot be read'],
    [['--request', 'page.txt', ...key], 'a request begins with its method and path'],
    [['--request', 'mail.txt', ...key], 'a header line has no colon'],
    [['--request', 'elsewhere.txt', ...key], 'it has no part like /api/v2/'],
    [['--request', 'no-id.txt', ...key], '/api/v2/sale/ is no path of the interface, or does not end with an id'],
    [['--request', 'unsigned.txt', ...key], 'the field control is missing'],
    [['--request', 'json.txt', ...key], 'the body is no form'],
    [['--request', 'percent.txt', ...key], 'the body is no form'],
    [[...url, '--body', '{"a":"b"}', '--authorization', 'OAuth a="b"', ...key], 'the body is no form'],
    [['--request', 'query.txt', ...key], 'the fields are in the query: a gateway reads them from the body of a POST'],
    [['--request', 'empty.txt', ...key], 'the request shows no body: give it with --body'],
    [['--callback', '?status=approved', ...key], 'the field control is missing'],
    [['--callback', 'https://shop.example/cb', ...key], 'the address of the callback has no query'],
    [['--url', 'api/v2/sale/1', ...key], '--url takes an absolute address'],
    [
      ['--url', '/api/v2/payout/1', '--body', 'a=b', '--authorization', 'x', ...key],
      'the request does not show its host',
    ],
    [[...url, '--body', 'a=b', ...key], 'the header Authorization is missing'],
    [
      [...url.slice(0, 1), 'https://x/api/v4/transfer/1', '--body', 'a=b', '--authorization', 'x'],
      '--public-key-file is missing',
    ],
    [['--request', 'r.txt'], 'the control key is missing'],
    [['--request', 'r.txt', ...key, '--at', 'noon'], '--at takes seconds'],
  ])('%j', async (args, says) => {
    const files = {
      'r.txt': logged(sale(RIGHT)),
      'page.txt': '<html>',
      'mail.txt': 'POST /paynet/api/v2/sale/1 HTTP/1.1\nclient_orderid=7',
      'elsewhere.txt': 'POST /login HTTP/1.1\n\na=b',
      'no-id.txt': 'POST /paynet/api/v2/sale/ HTTP/1.1\n\na=b',
      'json.txt': logged('{ "client_orderid": 7 }'),
      'percent.txt': logged('{ "order_desc": "10% off" }'),
      'empty.txt': logged(''),
      'query.txt': `GET /paynet/api/v2/sale/1111?${sale(RIGHT)} HTTP/1.1\n\n`,
      'unsigned.txt': logged('client_orderid=7'),
    }
    for (const name of ['verify', 'explain']) await expect(tryCommand([name, ...args], files)).rejects.toThrow(says)
  })
})
