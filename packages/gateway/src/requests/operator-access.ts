import { createHash, timingSafeEqual } from 'node:crypto'
import type { Secret } from '@tallystick/core'
import type { GatewayRequest } from '@tallystick/core/internal'
import { mayBePage, pageRefused } from '../http/request.ts'
import type { Operator } from '../store/operator-record.ts'

/** The variable that holds the operator key, for the gateway and for whoever asks it. */
export const OPERATOR_KEY = 'TALLYSTICK_OPERATOR_KEY'

/** Who asks and why, percent-encoded, since a header is ASCII. */
const WHO = 'tallystick-operator'
const WHY = 'tallystick-reason'

/** The headers of a request that only an operator may send. */
export function operatorHeaders(key: string, { who, why }: Pick<Operator, 'who' | 'why'>): Record<string, string> {
  return { authorization: `Bearer ${key}`, [WHO]: encodeURIComponent(who), [WHY]: encodeURIComponent(why) }
}

/** Who asks, or why the request is refused. */
export type Admission =
  | { readonly ok: true; readonly by: Operator }
  | { readonly ok: false; readonly status: 401 | 403; readonly reason: string }

interface Door {
  /** What the port listens on, if that is a name. */
  readonly host?: string | undefined
  /** `undefined`: there is none, so nobody is admitted. */
  readonly key: Secret | undefined
}

/** Admits whoever has the operator key and is no page in a browser. */
export function admit(request: GatewayRequest, { host, key }: Door): Admission {
  if (mayBePage(request, host)) return { ok: false, status: 403, reason: pageRefused(request) }
  if (key === undefined)
    return {
      ok: false,
      status: 403,
      reason: `this gateway has no operator key: set ${OPERATOR_KEY}, or operatorKeyFile`,
    }
  return admitByKey(request, key)
}

/** Admits whoever has the operator key. @param token the key as the address has it, for what can send no header */
export function admitByKey(request: GatewayRequest, key: Secret, token?: string): Admission {
  const given = /^Bearer +(\S+)$/i.exec(textOf(request, 'authorization'))?.[1] ?? token ?? ''
  if (!isSame(given, key.reveal()))
    return { ok: false, status: 401, reason: 'the operator key is missing or wrong: send Authorization: Bearer KEY' }
  const { peer = 'an unknown address' } = request
  return {
    ok: true,
    by: { who: decoded(textOf(request, WHO)) || 'unnamed', why: decoded(textOf(request, WHY)), from: peer },
  }
}

/** Both become equally long first, so that the time tells nothing about either. */
function isSame(one: string, other: string): boolean {
  return timingSafeEqual(digestOf(one), digestOf(other))
}

function digestOf(text: string): Uint8Array {
  return createHash('sha256').update(text).digest()
}

/** A header that came twice counts as none. */
function textOf({ headers }: GatewayRequest, name: string): string {
  const value = headers[name]
  return typeof value === 'string' ? value : ''
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
