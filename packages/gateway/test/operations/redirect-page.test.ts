import { expect, test } from 'vitest'
import { redirectPage } from '../../src/operations/status.ts'
import { chooseLanguage } from '../../src/texts/languages.ts'

test.for([
  ['en', 'Confirm with your bank', 'Continue'],
  ['de', 'Bei Ihrer Bank bestätigen', 'Weiter'],
] as const)(
  '[G8-04] the page that a merchant can show is a whole page in the language of the order: %s',
  ([tag, heading, button]) => {
    const page = redirectPage('https://gate.example.com/3ds?a=1&b="2"', chooseLanguage(tag))
    expect(page).toContain(`<html lang="${tag}">`)
    expect(page).toContain('<meta name="viewport"')
    expect(page).toContain(`<main>\n<h1>${heading}</h1>`)
    expect(page).toContain('action="https://gate.example.com/3ds?a=1&amp;b=&quot;2&quot;"')
    expect(page).toContain(`<button>${button}</button>`)
  },
)
