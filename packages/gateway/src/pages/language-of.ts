import type { StoredOrder } from '../orders/order.ts'
import { chooseLanguage, type Language } from '../texts/languages.ts'
import type { PageContext } from './page-route.ts'

/** The language of an order's pages: the one that the merchant requested, or else the browser's. */
export function languageOf({ details }: StoredOrder, { language }: Pick<PageContext, 'language'>): Language {
  return details.preferredLanguage === undefined ? language : chooseLanguage(details.preferredLanguage, language.tag)
}

/** The same for a page that needs the order for nothing else, since it refuses what the browser sent. */
export async function languageAt({
  orderOfPage,
  language,
}: Pick<PageContext, 'orderOfPage' | 'language'>): Promise<Language> {
  const order = await orderOfPage()
  return order === undefined ? language : languageOf(order, { language })
}
