import { describe, expect, test } from 'vitest'
import { en } from '../../src/texts/en.ts'
import { chooseLanguage, LANGUAGES } from '../../src/texts/languages.ts'
import { visitor } from '../support/page-visitor.ts'
import { redirected, threeDsDesk } from '../support/three-ds.ts'
import { counter } from './browser.ts'

describe('the language of a page', () => {
  test.for([
    ['de', undefined, 'de'],
    ['de-DE', 'en', 'de'],
    ['DE', 'en', 'de'],
    ['en', 'de', 'en'],
    [undefined, 'de-AT,de;q=0.9,en;q=0.5', 'de'],
    [undefined, 'eo, de;q=0.5', 'de'],
    ['eo', 'de', 'de'],
    ['eo', 'la', 'en'],
    [undefined, undefined, 'en'],
    ['__proto__', '*', 'en'],
  ] as const)('of preferred_language %s and Accept-Language %s is %s', async ([preferred, accepted, expected]) => {
    const headers = accepted === undefined ? {} : { 'accept-language': accepted }
    const { openForm, open } = counter({}, headers)
    const { address } = await openForm(
      '/api/v2/sale-form',
      preferred === undefined ? {} : { preferred_language: preferred },
    )
    const { body } = await open(address)
    expect(body).toContain(`<html lang="${expected}">`)
    expect(body).toContain(expected === 'de' ? 'Mit Karte zahlen' : 'Pay by card')
    expect(body).toContain(expected === 'de' ? '34,00\u00a0€' : '€34.00')
  })

  test.for([
    ['de', 'en', 'de'],
    ['en', 'de', 'en'],
    [undefined, 'de', 'de'],
    [undefined, undefined, 'en'],
  ] as const)(
    'of what is refused at the order with preferred_language %s and Accept-Language %s is %s',
    async ([preferred, accepted, expected]) => {
      const { begin, gateway } = threeDsDesk()
      const language = preferred === undefined ? {} : { preferred_language: preferred }
      const { redirectTo } = await begin({ ...redirected('challenge'), ...language })
      const token = redirectTo.split('/').at(-1)
      const accept = accepted === undefined ? {} : { 'accept-language': accepted }
      for (const path of ['form', '3ds/method', '3ds/challenge', '3ds/pares', 'acs/challenge', 'acs/pareq']) {
        const url = `/paynet/${path}/${token}`
        const unreadable = { method: 'POST', url, headers: { ...accept, 'content-type': 'text/plain' }, body: 'a' }
        const replies = [
          await gateway.handle(unreadable),
          await gateway.handle({ method: 'PUT', url, headers: accept, body: '' }),
        ]
        expect(replies.map(({ status }) => status)).toEqual([400, 405])
        for (const { body } of replies) expect(body).toContain(`<html lang="${expected}">`)
      }
    },
  )

  test.for(['GET', 'PUT', 'POST'])("of an unknown order is the browser's: %s", async (method) => {
    const { ask } = counter({}, { 'accept-language': 'de' })
    const { status, body } = await ask({ method, url: '/paynet/form/AAAAAAAAAAAAAAAAAAAAAA' })
    expect([status, body]).toEqual([{ GET: 404, PUT: 405, POST: 400 }[method], expect.stringContaining('lang="de"')])
  })

  test('a long list of languages is not read to its end', () => {
    expect(chooseLanguage(`${'x,'.repeat(1e6)}de`).tag).toBe('en')
  })
})

describe('every page of a payment with 3DS is in the language that the merchant names', () => {
  test.for([
    ['method', true],
    ['method', false],
    ['pareq', false],
  ] as const)('%s, with script: %s', async ([card, script]) => {
    const { begin, told, gateway } = threeDsDesk()
    const { ids, redirectTo } = await begin({ ...redirected(card), preferred_language: 'de' })
    expect(decodeURIComponent((await told(ids))['html'] ?? '')).toContain('<html lang="de">')
    const shown: string[] = []
    const handle: typeof gateway.handle = async (request) => {
      const reply = await gateway.handle(request)
      if (reply.status !== 303) shown.push(/<html lang="(\w+)"/.exec(reply.body)?.[1] ?? reply.body)
      return reply
    }
    const { go, answer } = visitor({ ...gateway, handle }, { script, language: 'en' })
    const asked = await go(redirectTo)
    await answer(await answer(asked, { code: 'wrong' }), { code: 'hint' })
    expect(shown.length).toBeGreaterThanOrEqual(5)
    expect(new Set(shown)).toEqual(new Set(['de']))
  })
})

describe.each(LANGUAGES.filter(({ tag }) => tag !== 'en'))('the texts of $tag', ({ texts }) => {
  test('are those of English, and none is empty or left in it', () => {
    expect(Object.keys(texts)).toEqual(Object.keys(en))
    const entries = Object.entries(texts) as [keyof typeof en, string][]
    expect(entries.filter(([, text]) => text.trim() === '')).toEqual([])
    expect(entries.filter(([name, text]) => en[name] === text && text.includes(' '))).toEqual([])
  })

  test('name the same values', () => {
    const names = (all: object) =>
      Object.values(all).map((text) =>
        String(text)
          .match(/\{\w+\}/g)
          ?.sort(),
      )
    expect(names(texts)).toEqual(names(en))
  })
})
