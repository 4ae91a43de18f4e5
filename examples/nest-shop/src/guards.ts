import type { IncomingMessage } from 'node:http'
import { type CanActivate, type ExecutionContext, Inject, Injectable, SetMetadata } from '@nestjs/common'
import { Reflector } from '@nestjs/core'
import { type Refusal, refuseOtherSites, refuseStrangers } from '@tallystick/shop-kit'
import { Problem } from './pages/problem.ts'
import { type Setup, SHOP_SETUP } from './setup.module.ts'
import { ShopAddresses } from './till/shop-addresses.ts'

const FROM_ANYWHERE = Symbol('from anywhere')

/** Marks a controller whose routes accept requests from other sites, and under any name of the shop. */
export const FromAnywhere = () => SetMetadata(FROM_ANYWHERE, true)

/** For the whole app: refuses what a page of another site may have sent. */
@Injectable()
export class OtherSitesGuard implements CanActivate {
  readonly #reflector: Reflector
  readonly #addresses: ShopAddresses

  constructor(@Inject(Reflector) reflector: Reflector, @Inject(ShopAddresses) addresses: ShopAddresses) {
    this.#reflector = reflector
    this.#addresses = addresses
  }

  canActivate(context: ExecutionContext): boolean {
    if (this.#reflector.get<boolean | undefined>(FROM_ANYWHERE, context.getClass())) return true
    return passes(refuseOtherSites(requestIn(context), this.#addresses.publicUrl))
  }
}

/** Lets the staff of the shop in. */
@Injectable()
export class StaffGuard implements CanActivate {
  readonly #password: string

  constructor(@Inject(SHOP_SETUP) { staffPassword }: Setup) {
    this.#password = staffPassword
  }

  canActivate(context: ExecutionContext): boolean {
    return passes(refuseStrangers(requestIn(context), this.#password))
  }
}

function requestIn(context: ExecutionContext): IncomingMessage {
  return context.switchToHttp().getRequest<IncomingMessage>()
}

/** @throws Problem if the request is refused */
function passes(refusal: Refusal | undefined): true {
  if (refusal === undefined) return true
  throw new Problem(refusal.status, refusal.title, refusal.headers)
}
