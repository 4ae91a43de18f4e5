import { describe, expect, test } from 'vitest'
import { formsOf, textOf } from '../../src/browser/form.ts'

const PAGE = `<html><head><title>Not read</title><style>p{}</style></head><body><h1>Pay &amp; go</h1>
<form action="/a?x=1&amp;y=2"><input name="q" value="&quot;"><button>Search</button></form>
<form method="post" action=""><input type="hidden" name="token" value="t&#39;1"><input name="typed">
<input type="radio" name="way" value="card" checked><input type="radio" name="way" value="phone">
<input type="checkbox" name="agreed" value="yes"><button disabled>Pay<span class="away"> now</span></button></form></body></html>`

describe('the forms of a page', () => {
  test('have the fields that a browser would send, and the buttons that send them', () => {
    const [search, pay] = formsOf(PAGE)
    expect(search).toMatchObject({ method: 'GET', action: '/a?x=1&y=2' })
    expect([...(search?.fields ?? [])]).toEqual([['q', '"']])
    expect(pay).toMatchObject({ method: 'POST', action: '', buttons: [{ label: 'Pay now', isDisabled: true }] })
    expect(Object.fromEntries(pay?.fields ?? [])).toEqual({ token: "t'1", typed: '', way: 'card' })
  })

  test('are none on a page without forms', () => expect(formsOf('<p>form</p>')).toEqual([]))
})

test('the text of a page is what a reader sees', () => {
  expect(textOf(PAGE)).toBe('Pay & go Search Pay now')
  expect(textOf('a &lt;b&gt; &#x20AC; &nope;')).toBe('a <b> € &nope;')
})
