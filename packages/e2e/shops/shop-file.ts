import { fileURLToPath } from 'node:url'
import type { Language } from './mistakes.ts'

const COMMANDS: Readonly<Record<Language | 'fetch', string>> = {
  typescript: `node "${at('typescript/shop.ts')}"`,
  php: `sh "${at('php/start.sh')}"`,
  python: `python3 "${at('python/shop.py')}"`,
  fetch: `node --conditions=@tallystick/source "${at('fetch/shop.ts')}"`,
}

function at(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url))
}

const CARD = {
  card_number: '{cardNumber}',
  holder: '{cardPrintedName}',
  expire_month: '{expireMonth}',
  expire_year: '{expireYear}',
  cvv: '{cvv2}',
}

/** What `certify shop` reads of a shop here. The environment that the shop is started in has its PORT, SHOP_URL and SHOP_DATA. */
export function shopFile(
  shop: Language | 'fetch',
  { url, log, isDirect }: { readonly url: string; readonly log: string; readonly isDirect: boolean },
) {
  const body = { amount: '{amount}', currency: '{currency}', description: '{description}', name: '{name}' }
  const state = (...is: readonly string[]) => ({ path: 'state', is })
  return {
    start: `exec ${COMMANDS[shop]} >>"${log}" 2>&1`,
    begin: { request: `POST ${url}/invoices/{order}/pay`, body: isDirect ? { ...body, ...CARD } : body },
    outcome: {
      request: `GET ${url}/invoices/{order}`,
      paid: state('paid'),
      notPaid: state('open', 'declined', 'try-again', 'refunded', 'charged back', 'taken back'),
      pending: state('pending', 'redirect', 'checking', 'contact-us'),
      takenBack: 'takenBack',
    },
    effects: { request: `GET ${url}/invoices/{order}`, path: 'delivered' },
    refund: { request: `POST ${url}/invoices/{order}/refund`, body: { amount: '{amount}' } },
    ...(shop === 'fetch' ? {} : { clock: `POST ${url}/clock?advance={seconds}` }),
    log: [log],
  }
}
