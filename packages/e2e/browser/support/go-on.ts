import type { Frame, Page } from 'playwright-core'
import type { Script } from './windows.ts'

/** Waits until the issuer asks, or the shop is reached. Where there is no script, the buttons lead there. */
export async function goOn(at: Page | Frame, to: 'issuer' | 'shop', { javaScriptEnabled }: Script): Promise<void> {
  const end = to === 'issuer' ? at.getByLabel('Code') : at.getByRole('heading', { name: 'Thank you' })
  if (javaScriptEnabled) return await end.waitFor()
  const button = at.getByRole('button', { name: /^Continue/ })
  for (let steps = 0; steps < 10; steps++) {
    await end.or(button).waitFor()
    if (await end.isVisible()) return
    await leave(at, () => button.click())
  }
}

/** Does what leads on, and waits until the page that it was done on is left: its buttons are there until then. */
export async function leave(at: Page | Frame, act: () => Promise<void>): Promise<void> {
  const [page, left] = 'mainFrame' in at ? [at, at.mainFrame()] : [at.page(), at]
  await Promise.all([page.waitForEvent('framenavigated', (frame) => frame === left), act()])
}

/** Answers the page of the issuer. */
export async function typeCode(at: Page | Frame, code: string): Promise<void> {
  await at.getByLabel('Code').fill(code)
  await at.getByRole('button', { name: 'Confirm' }).click()
}
