import { describe, expect, test } from 'vitest'
import { actionOf, counter, fieldsOf, TYPED } from './pages/browser.ts'
import { merchants } from './support/signed-requests.ts'
import { testGateway } from './support/test-gateway.ts'

/** A gateway whose endpoint has a descriptor. */
function withDescriptor(descriptor: string | undefined) {
  const [shop, ...others] = merchants()
  if (shop === undefined) throw new Error('there is no shop')
  return { merchants: [{ ...shop, endpoints: [{ id: '1111', descriptor }] }, ...others] }
}

describe('the descriptor of an endpoint', () => {
  test.for(['ROSES BERLIN +49 30 1', 'Rosen & Söhne'])(
    '[G6-02] [G6-10] is told by the status, the callback and the way back: %s',
    async (descriptor) => {
      const { openForm, submit, told, calls } = counter(withDescriptor(descriptor))
      const { address, ids } = await openForm('/api/v2/sale-form', {
        server_callback_url: 'https://shop.example.com/cb',
      })
      const back = await submit(address, TYPED)
      expect(actionOf(back)).toBe('https://shop.example.com/return')
      expect(fieldsOf(back)).toMatchObject({ descriptor })
      expect(await told(ids)).toMatchObject({ descriptor })
      expect(calls.map((url) => new URL(url).searchParams.get('descriptor'))).toEqual([descriptor])
    },
  )

  test('is not told where there is none', async () => {
    const { openForm, submit, told } = counter(withDescriptor(undefined))
    const { address, ids } = await openForm()
    expect(fieldsOf(await submit(address, TYPED))).not.toHaveProperty('descriptor')
    expect(await told(ids)).not.toHaveProperty('descriptor')
  })

  test.for(['', '  ', 'two\nlines', 'x'.repeat(129)])('that is no line on a statement is refused: %j', (descriptor) => {
    expect(() => testGateway(withDescriptor(descriptor))).toThrow(/descriptor: must be one line of text/)
  })
})
