import { Controller, Get, UseInterceptors } from '@nestjs/common'
import type { Outbound } from '@tallystick/client'
import { InjectPaymentsHealth, type PaymentsHealth, type PaymentsHealthReport } from '@tallystick/nest-module'
import { FromAnywhere } from '../guards.ts'
import { OutboundInterceptor } from '../pages/outbound.interceptor.ts'

/** For the operator of the shop: is it ready, and does its gateway answer? A load balancer asks by an IP address, not by a name. */
@Controller('health')
@FromAnywhere()
@UseInterceptors(OutboundInterceptor)
export class HealthController {
  readonly #payments: PaymentsHealth

  constructor(@InjectPaymentsHealth() payments: PaymentsHealth) {
    this.#payments = payments
  }

  /** For a load balancer. */
  @Get()
  async ready(): Promise<Outbound> {
    return answerOf(await this.#payments.check())
  }

  /** For a dashboard only: a shop whose gateway is unreachable still has to receive callbacks. */
  @Get('gateway')
  async gateway(): Promise<Outbound> {
    return answerOf(await this.#payments.checkGateway())
  }
}

function answerOf(payments: PaymentsHealthReport): Outbound {
  return {
    status: payments.status === 'up' ? 200 : 503,
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
    body: JSON.stringify({ status: payments.status, payments }),
  }
}
