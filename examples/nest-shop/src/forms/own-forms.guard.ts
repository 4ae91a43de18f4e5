import type { IncomingMessage } from 'node:http'
import { type CanActivate, type ExecutionContext, Inject, Injectable, SetMetadata } from '@nestjs/common'
import { Reflector } from '@nestjs/core'
import { Problem } from '../pages/problem.ts'
import { ShopAddresses } from '../till/shop-addresses.ts'

const FROM_ANYWHERE = Symbol('from anywhere')

/** Marks a controller whose routes accept requests from other sites. */
export const FromAnywhere = () => SetMetadata(FROM_ANYWHERE, true)

/**
 * Refuses forms that a page of another site sent. Browsers may send this shop's cookies along, but name that site in `Origin`.
 * A request without the header does not come from a form in a browser.
 */
@Injectable()
export class OwnFormsGuard implements CanActivate {
  readonly #reflector: Reflector
  readonly #addresses: ShopAddresses

  constructor(@Inject(Reflector) reflector: Reflector, @Inject(ShopAddresses) addresses: ShopAddresses) {
    this.#reflector = reflector
    this.#addresses = addresses
  }

  canActivate(context: ExecutionContext): boolean {
    const { method, headers } = context.switchToHttp().getRequest<IncomingMessage>()
    const { origin } = headers
    if (method !== 'POST' || origin === undefined || this.#addresses.isOwn(origin)) return true
    if (this.#reflector.get<boolean | undefined>(FROM_ANYWHERE, context.getClass())) return true
    throw new Problem(403, 'This form was sent from another site')
  }
}
