import { runInNewContext } from 'node:vm'
import { catalogue } from '@tallystick/core'
import { describe, expect, test } from 'vitest'
import { BROWSER_SCRIPT, browserInfo } from '../../src/index.ts'

const headers = { accept: 'text/html,*/*;q=0.8', 'user-agent': 'Mozilla/5.0', 'accept-language': 'de-CH, de;q=0.9' }
const fields = {
  browserJavascriptEnabled: 'true',
  browserJavaEnabled: 'false',
  browserLanguage: 'de-CH',
  browserColorDepth: '24',
  browserScreenWidth: '1920',
  browserScreenHeight: '1080',
  browserTimeZone: '-60',
}
const byHeader = {
  browserInfo: true,
  browserAcceptHeader: headers.accept,
  browserUserAgent: 'Mozilla/5.0',
  browserLanguage: 'de-CH',
}

describe('[G3.1-07] [G3.1-08] the browser group', () => {
  test('is the headers and what the script found', () => {
    const { browserJavascriptEnabled: _, ...found } = fields
    expect(browserInfo({ headers, fields })).toEqual({ ...byHeader, ...found, browserJavascriptEnabled: true })
  })

  test('without a script is what the headers say', () => {
    expect(browserInfo({ headers })).toEqual({ ...byHeader, browserJavascriptEnabled: false })
    // Fastify's value for no body.
    expect(browserInfo({ headers, fields: null as never })).toEqual(browserInfo({ headers }))
  })

  test.for([
    [undefined, 'the options must be an object, { headers, fields }'],
    [{ fields }, 'headers must be given: a plain object: Object.fromEntries(request.headers)'],
    [{ headers: 'accept: */*', fields }, 'headers must be a plain object: Object.fromEntries(request.headers)'],
    [{ headers, body: fields }, 'there is no option body; there are headers, fields'],
  ])('of %o is refused, and the error names what is wrong', ([source, problem]) => {
    expect(() => browserInfo(source as never)).toThrow(new TypeError(`browserInfo: ${problem}`))
  })

  test('does not take Headers, FormData and the like for a browser that said nothing', async () => {
    const posted = new Request('https://shop.example.com/pay', {
      method: 'POST',
      headers,
      body: new URLSearchParams(fields),
    })
    expect(() => browserInfo({ headers: posted.headers } as never)).toThrow(
      new TypeError('browserInfo: headers must be a plain object: Object.fromEntries(request.headers)'),
    )
    const body = await posted.text()
    for (const form of [body, new URLSearchParams(body), new FormData(), new Map(Object.entries(fields))])
      expect(() => browserInfo({ headers, fields: form } as never)).toThrow(
        new TypeError('browserInfo: fields must be a plain object: Object.fromEntries(form)'),
      )
    const taken = browserInfo({
      headers: Object.fromEntries(posted.headers),
      fields: Object.fromEntries(new URLSearchParams(body)),
    })
    expect(taken).toEqual(browserInfo({ headers, fields }))
  })

  test('of a list, which any browser may send as its body, is that of a browser without script', () => {
    expect(browserInfo({ headers, fields: [fields] } as never)).toEqual(browserInfo({ headers }))
  })

  test('takes Accept and User-Agent from the request, never from the page', () => {
    const lying = { ...fields, browserAcceptHeader: 'x', browserUserAgent: 'x', browserInfo: 'false', amount: '0.01' }
    const { browserJavascriptEnabled: _, ...found } = fields
    expect(browserInfo({ headers, fields: lying })).toEqual({ ...byHeader, ...found, browserJavascriptEnabled: true })
  })

  test.each([
    ['browserJavascriptEnabled', 'false'],
    ['browserScreenWidth', '1920px'],
    ['browserTimeZone', 'CET'],
    ['browserTimeZone', '9000'],
    ['browserJavaEnabled', 'maybe'],
    ['browserColorDepth', 'many'],
    ['browserScreenHeight', ['1', '2']],
  ])('with a %s of %s counts as a browser without script', (name, value) => {
    expect(browserInfo({ headers, fields: { ...fields, [name]: value } })).toEqual({
      ...byHeader,
      browserJavascriptEnabled: false,
    })
  })

  test.each([
    {
      browserJavascriptEnabled: true,
      browserJavaEnabled: false,
      browserColorDepth: 24,
      browserScreenWidth: 1536,
      browserScreenHeight: 864,
      browserTimeZone: -60,
    },
    {
      browserJavascriptEnabled: 'True',
      browserJavaEnabled: 'FALSE',
      browserColorDepth: '24',
      browserScreenWidth: '1536',
      browserScreenHeight: '864',
      browserTimeZone: '-60',
    },
    {
      browserJavascriptEnabled: 1,
      browserJavaEnabled: '0',
      browserColorDepth: 24,
      browserScreenWidth: 1536,
      browserScreenHeight: 864,
      browserTimeZone: -60,
    },
  ])('[F-C3] of JSON is that of a form, with flags and numbers as texts: %o', (posted) => {
    expect(browserInfo({ headers, fields: posted })).toMatchObject({
      browserJavascriptEnabled: true,
      browserJavaEnabled: 'false',
      browserColorDepth: '24',
      browserScreenWidth: '1536',
      browserScreenHeight: '864',
      browserTimeZone: '-60',
    })
  })

  test('of a colour depth of 30 bits has the next lower one that EMV knows', () => {
    expect(browserInfo({ headers, fields: { ...fields, browserColorDepth: '30' } })).toMatchObject({
      browserColorDepth: '24',
    })
  })

  test('joins a header that came twice, and cuts each after 2048 characters', () => {
    expect(browserInfo({ headers: { Accept: ['a', 'b'], 'user-agent': 'x'.repeat(2049) } })).toMatchObject({
      browserAcceptHeader: 'a, b',
      browserUserAgent: 'x'.repeat(2048),
    })
    expect(browserInfo({ headers: { accept: 'x'.repeat(2049) } })).toMatchObject({
      browserAcceptHeader: 'x'.repeat(2048),
    })
  })

  test.each([
    [35, 'x'.repeat(35)],
    [36, 'de-CH'],
  ])('has a language that fits if the page gives one of %i characters', (length, browserLanguage) => {
    const told = { ...fields, browserLanguage: 'x'.repeat(length) }
    expect(browserInfo({ headers, fields: told })).toMatchObject({ browserLanguage })
  })

  test.each<Parameters<typeof browserInfo>[0]>([
    { headers: {} },
    { headers: { Accept: ['a', 'b'], 'USER-AGENT': 'x'.repeat(5000) }, fields: { browserLanguage: '<script>' } },
    { headers, fields },
  ])('always fits a sale: %o', (source) => {
    for (const [name, value] of Object.entries(browserInfo(source))) {
      const { format } = catalogue.sale.request.fields[name as keyof typeof catalogue.sale.request.fields]
      expect(format.read(value), `${name} fits`).toBeDefined()
    }
  })
})

test.each([
  ['answers', () => false],
  [
    'throws',
    () => {
      throw new Error('no plug-in')
    },
  ],
  ['is a value, put there by an extension', false],
  ['is absent', undefined],
])('the script fills hidden fields of the marked forms, once each, if javaEnabled %s', (_what, javaEnabled) => {
  const added: Array<{ name: string; type: string; value: string }> = []
  const form = {
    elements: { namedItem: (name: string) => added.find((field) => field.name === name) ?? null },
    appendChild: (field: (typeof added)[number]) => {
      added.push(field)
      return field
    },
  }
  const page = {
    navigator: { language: 'de-CH', javaEnabled },
    screen: { colorDepth: 24, width: 1920, height: 1080 },
    document: {
      querySelectorAll: (selector: string) => (selector === 'form[data-browser-info]' ? [form] : []),
      createElement: () => ({}),
    },
    Date: class {
      getTimezoneOffset = () => -60
    },
  }
  runInNewContext(BROWSER_SCRIPT, page)
  runInNewContext(BROWSER_SCRIPT, page)
  expect(Object.fromEntries(added.map(({ name, value }) => [name, value]))).toEqual(fields)
  expect(added).toHaveLength(7)
})
