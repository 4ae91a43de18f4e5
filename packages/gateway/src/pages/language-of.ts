import type { StoredOrder } from '../orders/order.ts'
import type { PageContext } from './page-route.ts'
import { chooseLanguage, type Language } from './texts/languages.ts'

/** The language of an order's pages: what the merchant asked for, else the browser's. */
export function languageOf({ details }: StoredOrder, { language }: Pick<PageContext, 'language'>): Language {
  return details.preferredLanguage === undefined ? language : chooseLanguage(details.preferredLanguage, language.tag)
}

/** The same, where the order is not looked at for anything else: a page that refuses what the browser sent. */
export async function languageAt({
  store,
  token,
  language,
}: Pick<PageContext, 'store' | 'token' | 'language'>): Promise<Language> {
  const order = await store.orderByPageToken(token)
  return order === undefined ? language : languageOf(order, { language })
}
