import { html, type SafeHtml } from '@remix-run/html-template'
import { CARD_BRANDS, WITHOUT_CHECK_DIGIT } from '@tallystick/core/internal'
import type { HostedForm, StoredOrder } from '../../orders/order.ts'
import { fill, type Texts } from '../../texts/en.ts'
import type { Page } from '../layout.ts'
import { amountOf, summaryOf } from '../order-summary.ts'
import { languageOf, type PageContext } from '../page-route.ts'
import { type FieldName, FORM_FIELDS, FORM_TEXTS, type FormIssues, inputId, MOST_TRIES, type Way } from './fields.ts'
import { fieldsOf } from './form-parts.ts'

/** What was wrong with the form that was sent. Of the customer's input, only the way of a payout is shown again. */
interface Refusal {
  readonly issues: FormIssues
  readonly way?: Way
}

/** The form of an order, new or with what was wrong. The answer to a refused form is 422 (RFC 9110 section 15.5.21). */
export function formPage(order: StoredOrder, form: HostedForm, context: PageContext, refusal?: Refusal): Page {
  const language = languageOf(order, context)
  const { texts } = language
  const amount = amountOf(order, context, language.tag)
  const { title } = FORM_TEXTS[form]
  const { heading, opening, emptyFields, button, closing } = context.formParts(form, language)
  const fields = refusal === undefined ? emptyFields : fieldsOf(form, texts, refusal.issues, refusal.way)
  return {
    kind: 'page',
    ...(refusal === undefined ? {} : { status: 422 }),
    language,
    title: refusal === undefined ? texts[title] : `${texts.errorPrefix}: ${texts[title]}`,
    script: FORM_SCRIPT,
    body: html`${refusal && errorSummary(order, { ...refusal, texts })}<div class="order">
${heading}
${amount && html`<p class="total">${amount}</p>`}
${summaryOf(order, texts)}
</div>
${opening}
${fields}
<button>${button[0]}${button[1] && html`${amount}${button[1]}`}</button>
${closing}`,
  }
}

interface Wrong {
  readonly issues: FormIssues
  readonly way?: Way
  readonly texts: Texts
}

/** Lists above the form what is wrong with it, each entry with a link to its field. A screen reader begins here. */
function errorSummary({ details }: StoredOrder, { issues, way, texts }: Wrong): SafeHtml {
  const left = MOST_TRIES - (details.pages?.tries ?? 0)
  const entries = Object.entries(issues) as ReadonlyArray<readonly [FieldName | 'way', keyof Texts]>
  const target = (name: FieldName | 'way') => (name === 'way' ? 'way-card' : inputId(name, way))
  return html`<div class="summary" role="alert" tabindex="-1" autofocus>
<h2>${texts.errorSummary}</h2>
<ul>${entries.map(([name, text]) => html`<li><a href="#${target(name)}">${labelOf(name, texts)}: ${texts[text]}</a></li>`)}</ul>
<p>${texts.reenter} ${left === 1 ? texts.lastTry : fill(texts.triesLeft, { count: String(left) })}</p>
</div>
`
}

function labelOf(name: FieldName | 'way', texts: Texts): string {
  return texts[name === 'way' ? 'destination' : FORM_FIELDS[name].label]
}

/** The brands' own names, short enough for the place beside the number. */
const BRAND_NAMES: Readonly<Record<string, string>> = {
  VISA: 'Visa',
  MASTERCARD: 'Mastercard',
  MIR: 'Mir',
  AMEX: 'Amex',
  JCB: 'JCB',
  UNIONPAY: 'UnionPay',
  MAESTRO: 'Maestro',
}

const BRANDS = JSON.stringify(CARD_BRANDS.map(([brand, low, high]) => [BRAND_NAMES[brand] ?? brand, low, high]))

const UNCHECKED = JSON.stringify(WITHOUT_CHECK_DIGIT)

/**
 * What script adds to a form: the brand while typing, grouped digits, and checks before anything is sent, so that a typing
 * error does not cost a try. The gateway checks everything again. The script sends nothing and stores nothing. Once pressed, the
 * button is disabled for 15 seconds and no longer: the connection may break, and a form that comes twice is accepted once.
 */
const FORM_SCRIPT = `(() => {
const form = document.forms[0]
const brands = ${BRANDS}
const inputs = [...form.querySelectorAll('input[data-check]')]
const output = form.querySelector('.brand')
const digitsOf = (text) => text.replace(/[\\s\\p{Pd}\\p{Cf}]/gu, '')
const brandOf = (digits) => {
  const low = +digits.slice(0, 6).padEnd(6, '0'), high = +digits.slice(0, 6).padEnd(6, '9')
  return digits && brands.find(([, from, to]) => low >= from && high <= to)?.[0] || ''
}
const luhn = (digits) => [...digits].reverse().reduce((sum, digit, at) => {
  const value = at % 2 ? digit * 2 : +digit
  return sum + (value > 9 ? value - 9 : value)
}, 0) % 10 === 0
const isCard = (digits) => luhn(digits) || digits.length > 15 && ${UNCHECKED}.some(([from, to]) => +digits.slice(0, 6) >= from && +digits.slice(0, 6) <= to)
const isPast = (month, year) => Date.now() >= Date.UTC(+('20' + year.slice(-2)), +month) + 432e5
const checks = {
  pan: (text) => /^\\d{12,19}$/.test(digitsOf(text)) && isCard(digitsOf(text)) ? '' : 'wrong',
  expiry: (text) => {
    const [, month, year] = /^(0?[1-9]|1[0-2])\\s*[/.-]?\\s*((?:20)?\\d{2})$/.exec(text.replace(/^(20\\d\\d)-(\\d\\d)$/, '$2/$1')) ?? []
    return !month ? 'wrong' : isPast(month, year) ? 'past' : ''
  },
  cvv: (text) => /^\\d{3,4}$/.test(text) ? '' : 'wrong',
  digits: (text) => /^\\d{0,20}$/.test(digitsOf(text)) ? '' : 'wrong',
  phone: (text) => /^[\\d+()]{6,15}$/.test(digitsOf(text).replace(/[./]/g, '')) ? '' : 'wrong',
  text: () => '',
}
const problemOf = (input) => {
  const text = input.value.trim()
  const kind = text ? checks[input.dataset.check](text) : input.dataset.missing ? 'missing' : ''
  return kind && input.dataset[kind]
}
const show = (input, problem) => {
  input.setAttribute('aria-invalid', String(!!problem))
  document.getElementById(input.id + '-error').textContent = problem
}
const isOpen = (input) => input.closest('.way')?.classList.contains(form.elements.way.value) ?? true
form.noValidate = true
for (const input of inputs) {
  input.addEventListener('change', () => { if (input.value.trim()) show(input, problemOf(input)) })
  input.addEventListener('input', (event) => {
    if (input.getAttribute('aria-invalid') === 'true' && !problemOf(input)) show(input, '')
    const atEnd = input.selectionStart === input.value.length
    const typed = !(event.inputType || '').startsWith('delete')
    if (input.dataset.check === 'pan') {
      const digits = digitsOf(input.value)
      const brand = brandOf(digits)
      if (output.value !== brand) output.value = brand
      const groups = brand === 'Amex' ? /^(\\d{4})(\\d{1,6})(\\d{0,5})/ : /\\d{1,4}/g
      if (atEnd && typed && /^\\d{1,19}$/.test(digits)) {
        const parts = digits.match(groups)
        input.value = (groups.global ? parts ?? [] : parts?.slice(1) ?? [digits]).join(' ').trim()
      }
    }
    if (input.dataset.check === 'expiry' && atEnd && typed) input.value = input.value.replace(/^(0[1-9]|1[0-2])(\\d\\d?)$/, '$1/$2')
  })
}
let isSent = false
const button = form.querySelector('button'), label = button.textContent
const rest = (isResting) => {
  isSent = isResting
  button.setAttribute('aria-disabled', String(isResting))
  button.textContent = isResting ? form.dataset.submitting : label
}
form.addEventListener('submit', (event) => {
  if (isSent) return event.preventDefault()
  const open = inputs.filter(isOpen)
  for (const input of open) show(input, problemOf(input) || '')
  const first = open.find((input) => input.getAttribute('aria-invalid') === 'true')
  if (first) {
    event.preventDefault()
    return first.focus()
  }
  rest(true)
  setTimeout(rest, 15e3, false)
})
addEventListener('pageshow', (event) => { if (event.persisted) location.replace(location.pathname) })
document.querySelector('.summary')?.focus()
})()`
