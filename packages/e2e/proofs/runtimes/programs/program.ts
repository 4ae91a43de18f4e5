/** What every runtime runs: a server that does a part of the proof for each request, and takes callbacks. */
import { meetFaults } from './faults.ts'
import { makePayments } from './payments.ts'
import { effects, openShop, pay, takeCallback } from './shop.ts'
import { tryVectors } from './signing.ts'
import { runTests } from './tests.ts'

const PARTS: Readonly<Record<string, (settings: never) => Promise<unknown>>> = {
  '/faults': meetFaults,
  '/payments': makePayments,
  '/vectors': tryVectors,
  '/tests': runTests,
  '/shop': openShop,
  '/pay': pay,
  '/effects': effects,
}

/** The handler of a runtime's server. */
export async function answer(request: Request): Promise<Response> {
  const part = PARTS[new URL(request.url).pathname]
  if (part === undefined) return await takeCallback(request)
  try {
    return Response.json(await part((await request.json()) as never))
  } catch (error) {
    return Response.json({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  }
}
