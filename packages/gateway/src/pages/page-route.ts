import type { GatewayRequest } from '@tallystick/core/internal'
import type { Service } from '../context.ts'
import type { StoredOrder } from '../orders/order.ts'
import { type amountFormatter, chooseLanguage, type Language } from '../texts/languages.ts'
import type { formParts } from './form/form-parts.ts'
import type { PageAnswer } from './layout.ts'

/** An address below the base path that browsers open. */
export interface PageRoute {
  /** `GET` serves HEAD too. */
  readonly method: 'GET' | 'POST'
  /** `{token}` stands for one part of letters, digits, `-` and `_`. */
  readonly path: `/${string}`
  readonly handle: (context: PageContext) => Promise<PageAnswer>
}

/** What a page works with: a visit until it is answered. Whatever goes on after the answer gets the `service` alone. */
export interface PageContext {
  readonly service: Service
  readonly request: GatewayRequest
  /** What `{token}` stands for in the path. Empty if the path has none. */
  readonly token: string
  /** The order whose page it is, as it is stored now. Counts the request to the share of its merchant. */
  readonly orderOfPage: () => Promise<StoredOrder | undefined>
  /** The browser's, by its header Accept-Language. Pages of an order use `languageOf(order, context)`. */
  readonly language: Language
  readonly formatAmount: ReturnType<typeof amountFormatter>
  readonly formParts: ReturnType<typeof formParts>
  /** Milliseconds since 1970: one instant for the whole request. */
  readonly at: number
}

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
