import { GATEWAY_CODES } from '@tallystick/core'
import { type Answer, refusal } from '../http/reply.ts'

/** A rule of state refuses the operation: the answer names the rule, and nothing was created (gaps part 9). */
export function refusedByRule({ rule, reason }: { readonly rule: string; readonly reason: string }): Answer {
  return refusal(GATEWAY_CODES.refusedByRule, `Refused by rule ${rule}: ${reason}.`)
}
