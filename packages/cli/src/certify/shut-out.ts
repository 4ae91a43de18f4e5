import type { Candidate } from './check.ts'

/**
 * Why nothing can be tried, or `undefined`: the gateway refuses the key, or nobody answers. Every check would only find that
 * once more, and would blame the gateway for it.
 */
export async function shutOut({ client }: Candidate): Promise<string | undefined> {
  const check = await client.checkCredentials()
  if (check.credentials === 'right') return undefined
  // A gateway that says something else about an order that cannot exist has heard the question: its checks say the rest.
  const hasAnswered = check.error === undefined || check.error.code === 'REJECTED'
  return hasAnswered ? undefined : check.remedy
}
