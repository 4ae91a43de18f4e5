import axe from 'axe-core'
import type { Page } from 'playwright-core'

/**
 * Violations of WCAG 2.2 AA and of the good practices that axe knows, each with its elements.
 *
 * @param without rules that are not checked
 */
export async function violationsOf(page: Page, without: readonly string[] = []): Promise<readonly string[]> {
  // Loading axe takes longer than running it, so load it once for each page.
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe.source)
  const options = {
    resultTypes: ['violations'],
    rules: Object.fromEntries(without.map((rule) => [rule, { enabled: false }])),
  }
  const { violations } = await page.evaluate<axe.AxeResults>(`axe.run(document, ${JSON.stringify(options)})`)
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}

/** How many pixels the page is wider than its window. */
export async function overflow(page: Page): Promise<number> {
  return await page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')
}
