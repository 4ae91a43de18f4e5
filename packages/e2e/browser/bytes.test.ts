import { startGateway } from '@tallystick/testing'
import { expect, test } from 'vitest'
import { inputs } from '../test/support/inputs.ts'

/** Needs no browser: a page fetches nothing else, so what is answered is all there is. */
test('a hosted page is under 30 KB in all, its headers with it', async () => {
  const gateway = await startGateway()
  try {
    const client = gateway.client()
    const orderDesc = '&'.repeat(10_000)
    const results = [
      await client.saleForm({ ...inputs.saleForm, orderDesc }),
      await client.payoutForm({ ...inputs.payoutForm, orderDesc, preferredLanguage: 'de' }),
    ]
    for (const result of results) {
      if (result.outcome !== 'accepted') throw new Error(result.outcome)
      const response = await fetch(result.reply.redirectUrl ?? '')
      const headers = [...response.headers].map(([name, value]) => `${name}: ${value}\r\n`).join('')
      expect(response.status).toBe(200)
      expect(Buffer.byteLength(await response.text()) + headers.length).toBeLessThan(30_000)
    }
  } finally {
    await gateway.close()
  }
})
