import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type Acquirer, simulator } from '../../src/index.ts'
import { deciding } from '../support/acquirers.ts'
import { STEPS } from '../support/issuer.ts'
import { type Left, out, type SeenPage, visitor } from '../support/page-visitor.ts'
import { BASE_URL, type Fields, SHOP } from '../support/signed-requests.ts'
import { base64, RETURN_URL, redirected, serverToServer, threeDsDesk } from '../support/three-ds.ts'

/** A sale whose merchant takes the customer through 3DS, and what the first step needs. */
async function waiting(
  card: Parameters<typeof serverToServer>[0],
  changes: Fields = {},
  options: Parameters<typeof threeDsDesk>[0] = {},
) {
  const made = threeDsDesk(options)
  const ids = await made.sale({ ...serverToServer(card), ...changes })
  const told = await made.told(ids)
  return { ...made, ids, ...visitor(made.gateway), field: (name: string) => told[`tds-${name}`] ?? '' }
}

const statusOf = ({ reply }: SeenPage) => reply.status

describe('the method URL of the simulated issuer', () => {
  const dataFor = (id: string, address: unknown) => ({
    threeDSMethodData: base64({ threeDSServerTransID: id, threeDSMethodNotificationURL: address }),
  })

  test.for(['https://shop.example.com/3ds?a=1&b=2', 'http://127.0.0.1:8080/3ds', 'http://localhost:3000/'])(
    'tells %s that it is done, in a frame of any site',
    async (address) => {
      const { post, field } = await waiting('method')
      const id = field('method-url-frame-3ds-server-trans-id')
      const seen = await post(field('method-url-frame-3ds-method-url'), dataFor(id, address))
      expect(seen.forms).toMatchObject([
        {
          action: address,
          method: 'post',
          after: 0,
          fields: { threeDSMethodData: base64({ threeDSServerTransID: id }) },
        },
      ])
      expect(seen.reply.headers['content-security-policy']).toContain('frame-ancestors *')
    },
  )

  test.for([
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'ftp://shop.example.com/',
    'https://user:secret@shop.example.com/',
    '//shop.example.com/',
    'shop',
    '',
    7,
    null,
    undefined,
  ])('sends nobody to %s', async (address) => {
    const { post, field } = await waiting('method')
    const data = dataFor(field('method-url-frame-3ds-server-trans-id'), address)
    const seen = await post(field('method-url-frame-3ds-method-url'), data)
    expect([statusOf(seen), seen.forms]).toEqual([400, []])
  })

  test.for([
    ['another transaction', dataFor('8a880dc0-d2d2-4067-bcb1-b08d1690b26e', RETURN_URL)],
    ['no JSON', { threeDSMethodData: 'e' }],
    ['no object', { threeDSMethodData: base64(7) }],
    ['nothing', { other: '1' }],
  ] as const)('refuses data of %s', async ([, data]) => {
    const { post, field } = await waiting('method')
    expect(statusOf(await post(field('method-url-frame-3ds-method-url'), data))).toBe(400)
  })
})

describe('the challenge of the simulated issuer', () => {
  const ask = async (card: 'challenge', changes: Fields = {}, merchant: Fields = {}) => {
    const made = await waiting(card, merchant)
    const form = {
      creq: made.field('creq-form-creq'),
      threeDSSessionData: made.field('creq-form-three-ds-session-data'),
      ...changes,
    }
    return { ...made, form, asked: await made.post(made.field('creq-form-acs-url'), form) }
  }

  test('[G10-02] shows the payment, and the code', async () => {
    const { asked } = await ask('challenge')
    for (const text of ['&#8364;10.42', 'inv-1', 'Ten roses &amp; a card', 'Your code is “hint”.', '>Cancel<']) {
      expect(asked.text).toContain(text)
    }
    expect(asked.reply.headers['content-security-policy']).toContain('frame-ancestors *')
  })

  test.for(['hint', ' hint ', 'HINT'])('[G10-02] takes the code as people type it: "%s"', async (code) => {
    const { asked, answer, upload, ids, shown } = await ask('challenge')
    const { to, fields } = out(await answer(asked, { code }))
    expect(to).toBe(RETURN_URL)
    await upload('cres', ids, { cRes: fields['cres'] ?? '' })
    expect((await shown(ids))[0]).toBe('approved')
  })

  test.for(['challenge', 'pareq'] as const)(
    '[F-B13] fails the customer after three wrong codes, also if the browser sends back an old page: %s',
    async (card) => {
      const { post, field, answer, ids, upload, shown } = await waiting(card)
      const [acsUrl, form] =
        card === 'challenge'
          ? [field('creq-form-acs-url'), { creq: field('creq-form-creq'), threeDSSessionData: '' }]
          : [field('pareq-form-acs-url'), { PaReq: field('pareq-form-pareq'), MD: '', TermUrl: RETURN_URL }]
      const asked = await post(acsUrl, form)
      for (let times = 0; times < 3; times++) await answer(asked, { code: 'wrong', wrong: '0' })
      const ends = [await answer(asked, { code: 'hint' }), await answer(asked, { code: 'hint', wrong: '0' })].map(out)
      // The page that asks is not shown any more either.
      const [again] = (await post(acsUrl, form)).forms
      expect(again?.fields).toEqual(ends[0]?.fields)
      const { cres = '', PaRes = '' } = ends[1]?.fields ?? {}
      if (card === 'challenge') await upload('cres', ids, { cRes: cres })
      else await upload('pares', ids, { paRes: PaRes, md: field('pareq-form-md') })
      expect((await shown(ids))[0]).toBe('declined')
    },
  )

  test('[F-B13] sees three wrong codes of many that are sent at once, before the right one', async () => {
    const { asked, submit, gateway } = await ask('challenge')
    const [code] = asked.forms
    if (code === undefined) throw new Error('The issuer asks nothing')
    const typed = [...Array.from({ length: 50 }, (_, at) => `no${at}`), 'hint']
    const seen = await Promise.all(typed.map((each) => submit(code, { code: each })))
    const verdicts = seen.flatMap(({ forms }) => forms.flatMap(({ fields }) => fields['cres'] ?? []))
    expect(verdicts.map((cres) => JSON.parse(Buffer.from(cres, 'base64url').toString()).transStatus)).toEqual(
      Array.from({ length: 49 }, () => 'N'),
    )
    await gateway.settled()
  })

  test('does not count an empty code', async () => {
    const { asked, answer } = await ask('challenge')
    let at: SeenPage | Left = asked
    for (let times = 0; times < 5; times++) at = await answer(at, { code: ' ' })
    expect('text' in at && at.text).toContain('Enter the code')
  })

  test('returns the session data that the merchant sent, whatever it is', async () => {
    for (const threeDSSessionData of ['', 'bWluZQ', 'bWluZQ==', 'A'.repeat(1024)]) {
      const { asked, answer } = await ask('challenge', { threeDSSessionData })
      expect(out(await answer(asked, { code: 'hint' })).fields['threeDSSessionData']).toBe(threeDSSessionData)
    }
  })

  test('accepts a CReq with padding', async () => {
    const { form, post, field } = await ask('challenge')
    expect(statusOf(await post(field('creq-form-acs-url'), { ...form, creq: `${form.creq}==` }))).toBe(200)
  })

  test.for([
    ['another CReq', { creq: 'e30' }],
    ['no CReq', { creq: '' }],
    ['a CReq of padding without end', { creq: `e30${'='.repeat(60_000)}x` }],
    ['session data that is none', { threeDSSessionData: '"><script>' }],
    ['session data without end', { threeDSSessionData: 'A'.repeat(1025) }],
  ] as const)('refuses %s', async ([, changes]) => {
    const { asked } = await ask('challenge', changes)
    expect([statusOf(asked), asked.forms]).toEqual([400, []])
  })

  test('is not shown again once it was answered', async () => {
    const { form, asked, answer, post, field, upload, ids } = await ask('challenge')
    const { fields } = out(await answer(asked, { code: 'hint' }))
    await upload('cres', ids, { cRes: fields['cres'] ?? '' })
    expect(statusOf(await post(field('creq-form-acs-url'), form))).toBe(410)
    expect(statusOf(await post(`${field('creq-form-acs-url')}/answer`, { code: 'hint' }))).toBe(410)
  })

  describe('of an order that has not ended', () => {
    test('says that the outcome is not known yet, and not to pay again', async () => {
      const unknown = async () => ({ status: 'unknown' }) as const
      const acquirer: Acquirer = { ...simulator(), authenticate: unknown, lookup: unknown }
      const { gateway, post, field, upload, ids, told } = await waiting('challenge', {}, { acquirer })
      const form = { creq: field('creq-form-creq'), threeDSSessionData: field('creq-form-session-data') }
      const asked = await post(field('creq-form-acs-url'), form)
      await upload('cres', ids, { cRes: 'eyJ0cmFuc1N0YXR1cyI6IlkifQ' })
      expect(['processing', 'unknown']).toContain((await told(ids))['status'])
      for (const wait of ['0s', '2m'] as const) {
        await gateway.clock.advance(wait)
        const seen = await post(asked.address, form)
        expect([statusOf(seen), seen.forms]).toEqual([410, []])
        expect(seen.text).toContain('please do not pay again')
      }
    })

    test('has no way back from a step that is over', async () => {
      const { gateway, post, field, upload, ids, told } = await waiting('method')
      await upload('method-url', ids, { threeDSCompInd: 'N' })
      await gateway.clock.advance('2m')
      const seen = await post(field('method-url-frame-3ds-method-url'), {})
      expect([statusOf(seen), seen.forms]).toEqual([410, []])
      expect(seen.text).toContain('please do not pay again')
      expect(await told(ids)).toMatchObject({ status: 'processing', 'tds-status': 'CReqForm' })
    })
  })

  describe('that is answered too late', () => {
    async function late(wait: '31m' | '61m', card: 'challenge' | 'pareq' = 'challenge', changes: Fields = {}) {
      const { gateway, post, field, ids, told } = await waiting(card, changes)
      await gateway.clock.advance(wait)
      await gateway.settled()
      const action = card === 'challenge' ? 'creq-form-acs-url' : 'pareq-form-acs-url'
      const seen = await post(`${field(action)}/answer`, { code: 'hint', TermUrl: 'https://elsewhere.example.com/' })
      expect([statusOf(seen), (await told(ids))['status']]).toEqual([410, 'declined'])
      expect(seen.text).toMatch(/This page has expired.*It did not work, and no money has moved\./s)
      expect(seen.reply.headers['content-security-policy']).toContain('frame-ancestors *')
      return { ...seen, ids }
    }

    test.for(['challenge', 'pareq'] as const)(
      'has a button back to the shop, with what it can verify: %s',
      async (card) => {
        const { forms, ids, reply } = await late('31m', card)
        const { client_orderid, orderid } = ids
        const signed = createHash('sha1').update(`declined${orderid}${client_orderid}${SHOP.controlKey}`).digest('hex')
        expect(forms).toMatchObject([
          {
            action: RETURN_URL,
            method: 'post',
            after: undefined,
            hasButton: true,
            fields: { status: 'declined', orderid, client_orderid, control: signed },
          },
        ])
        expect(reply.headers['content-security-policy']).toContain('form-action https:')
        expect(reply.body).not.toContain('elsewhere.example.com')
      },
    )

    test('prefers the address for failures', async () => {
      const { forms } = await late('31m', 'challenge', { redirect_fail_url: 'https://shop.example.com/sorry' })
      expect(forms.map(({ action }) => action)).toEqual(['https://shop.example.com/sorry'])
    })

    test('has no way back if the order has no address, or after half an hour', async () => {
      expect((await late('31m', 'pareq', { redirect_url: '' })).forms).toEqual([])
      expect((await late('61m')).forms).toEqual([])
    })
  })

  test('says so if the merchant gave no address to go back to', async () => {
    const { redirect_url: _, ...fields } = serverToServer('challenge')
    const { sale, told, gateway } = threeDsDesk()
    const step = await told(await sale(fields))
    const { post, answer } = visitor(gateway)
    const form = { creq: step['tds-creq-form-creq'] ?? '' }
    const at = await answer(await post(step['tds-creq-form-acs-url'] ?? '', form), { code: 'hint' })
    expect('text' in at && at.text).toContain('The shop gave no address to come back to')
  })

  test("sends a customer on the gateway's pages, who comes a second time, to the next page", async () => {
    const { begin, gateway } = threeDsDesk()
    const { redirectTo } = await begin(redirected('challenge'))
    const { go, answer, submit, follow } = visitor(gateway)
    const asked = await go(redirectTo)
    await answer(asked, { code: 'hint' })
    const [code] = 'forms' in asked ? asked.forms : []
    if (code === undefined) throw new Error('The issuer asks nothing')
    const again = out(await follow(await submit(code, { cancel: '1' })))
    expect([again.to, again.fields['status']]).toEqual([RETURN_URL, 'approved'])
  })
})

describe('the 1.0.2 challenge of the simulated issuer', () => {
  const ask = async (changes: Fields = {}) => {
    const made = await waiting('pareq')
    const own = { PaReq: made.field('pareq-form-pareq'), MD: made.field('pareq-form-md') }
    const form = { ...own, TermUrl: 'https://shop.example.com/term?x=1', ...changes }
    return { ...made, form, asked: await made.post(made.field('pareq-form-acs-url'), form) }
  }

  test('brings PaRes and MD to the TermUrl', async () => {
    const { asked, answer, form } = await ask({ MD: 'any "text" <of> the shop' })
    const { to, fields } = out(await answer(asked, { code: 'hint' }))
    expect(to).toBe('https://shop.example.com/term?x=1')
    expect(fields).toEqual({ PaRes: expect.stringMatching(/^[\w+/]+=*$/), MD: form.MD })
  })

  test.for(['javascript:alert(1)', 'data:text/html,x', 'https://user@shop.example.com/', ''])(
    'sends nobody to %s, asked or answered',
    async (TermUrl) => {
      expect(statusOf((await ask({ TermUrl })).asked)).toBe(400)
      const { asked, submit } = await ask()
      const [code] = asked.forms
      expect(code && statusOf(await submit(code, { TermUrl, code: 'hint' }))).toBe(400)
    },
  )

  test('refuses another PaReq', async () => {
    expect(statusOf((await ask({ PaReq: 'eJwDAAAAAAE=' })).asked)).toBe(400)
  })
})

describe('with an acquirer that is not simulated', () => {
  const acquirer = {
    ...deciding({ execute: async () => ({ status: 'processing', awaits: STEPS.challenge }) }),
    isSimulated: false,
  }

  test('there is no simulated issuer, and the customer goes to the real one', async () => {
    const { begin, gateway } = threeDsDesk({ acquirer })
    const { redirectTo } = await begin(redirected('challenge'))
    const { go, post } = visitor(gateway)
    expect(await go(redirectTo)).toEqual({
      to: 'https://acs.example.com/challenge',
      fields: { creq: STEPS.challenge.creq, threeDSSessionData: STEPS.challenge.threeDsSessionData },
    })
    const token = redirectTo.split('/').at(-1)
    for (const path of ['method', 'challenge', 'challenge/TOKEN/answer', 'pareq', 'pareq/TOKEN/answer']) {
      const address = path.includes('TOKEN') ? path.replace('TOKEN', token ?? '') : `${path}/${token}`
      expect(statusOf(await post(`${BASE_URL}/acs/${address}`, { code: 'hint' }))).toBe(404)
    }
  })
})

test('a sandbox, which may have faults, has the simulated issuer too', async () => {
  const { begin, gateway, shown } = threeDsDesk({ sandbox: true })
  const { ids, redirectTo } = await begin(redirected('method'))
  const { go, answer } = visitor(gateway)
  await answer(await go(redirectTo), { code: 'hint' })
  expect((await shown(ids))[0]).toBe('approved')
})

test('a page of the simulated issuer without an order is not found, and a body that is not a form is refused', async () => {
  const { gateway, post } = await waiting('challenge')
  expect(statusOf(await post(`${BASE_URL}/acs/challenge/no-such-token`, { creq: 'e30' }))).toBe(404)
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const url = '/paynet/acs/challenge/no-such-token'
  expect((await gateway.handle({ method: 'POST', url, headers, body: 'creq=%zz' })).status).toBe(400)
})
