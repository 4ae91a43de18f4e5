import { deflateSync, inflateSync } from 'node:zlib'
import type { BrowserContext } from 'playwright-core'

/** What a browser changes in what it brings back from the issuer: each field with what it says instead. */
export type Forgery = Readonly<Record<string, (said: string) => string>>

/** A customer who was refused, and says otherwise. */
export const APPROVING: Forgery = {
  cres: (said) => {
    const told = Buffer.from(said, 'base64url').toString()
    return Buffer.from(told.replace('"transStatus":"N"', '"transStatus":"Y"')).toString('base64url')
  },
  PaRes: (said) => {
    const told = inflateSync(Buffer.from(said, 'base64')).toString()
    const approving = told.replace('<status>N</status><eci>07</eci>', '<status>Y</status><eci>05</eci>')
    return deflateSync(approving).toString('base64')
  },
}

/** The answer to something else. */
export const OF_ANOTHER: Forgery = { threeDSSessionData: (said) => `${said}A`, MD: (said) => `${said}A` }

/** What this customer brings back first is changed on the way. Gives the names of what was, as it goes by. */
export async function forge(customer: BrowserContext, forgery: Forgery): Promise<readonly string[]> {
  const forged: string[] = []
  const brings = /\/(?:3ds\/challenge|3ds\/pares|return|term)\b/
  await customer.route(brings, async (route) => {
    const brought = Array.from(
      new URLSearchParams(route.request().postData() ?? ''),
      ([name, said]): [name: string, value: string] => {
        const changed = forged.includes(name) ? said : (forgery[name]?.(said) ?? said)
        if (changed !== said) forged.push(name)
        return [name, changed]
      },
    )
    await route.continue({ postData: new URLSearchParams(brought).toString() })
  })
  return forged
}
