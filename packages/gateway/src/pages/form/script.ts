import { CARD_BRANDS, WITHOUT_CHECK_DIGIT } from '@tallystick/core/internal'

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
export const FORM_SCRIPT = `(() => {
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
