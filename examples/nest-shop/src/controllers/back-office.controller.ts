import { Body, Controller, Get, Inject, Param, Post, UseGuards, UseInterceptors } from '@nestjs/common'
import type { Outbound } from '@tallystick/client'
import {
  askGateway,
  changeOrder,
  isBackOfficeAction,
  type Pages,
  rebill,
  type ShopOrder,
  seeOther,
  storeCard,
} from '@tallystick/shop-kit'
import { type Form, fieldOf } from '../forms/form.ts'
import { OrderById } from '../forms/order-by-id.pipe.ts'
import { StaffGuard } from '../guards.ts'
import { OutboundInterceptor } from '../pages/outbound.interceptor.ts'
import { PAGES } from '../pages/pages.provider.ts'
import { Problem } from '../pages/problem.ts'
import { ShopTill } from '../till/shop-till.ts'

/** How many orders the first page lists. */
const LATEST = 50

/** Where the staff, and nobody else, see the orders, and capture, return, void and rebill them. */
@Controller('back-office')
@UseGuards(StaffGuard)
@UseInterceptors(OutboundInterceptor)
export class BackOfficeController {
  readonly #till: ShopTill
  readonly #pages: Pages

  constructor(@Inject(ShopTill) till: ShopTill, @Inject(PAGES) pages: Pages) {
    this.#till = till
    this.#pages = pages
  }

  @Get()
  latest(): Outbound {
    const { rows } = this.#till.database
    return this.#pages.backOffice(rows.orders(LATEST), rows.ledger(LATEST))
  }

  @Get('orders/:id')
  async order(@Param('id', OrderById) order: ShopOrder): Promise<Outbound> {
    return this.#pages.backOfficeOrder(order, await askGateway(this.#till, order))
  }

  @Post('orders/:id/store-card')
  async storeCard(@Param('id', OrderById) order: ShopOrder): Promise<Outbound> {
    const stored = await storeCard(this.#till, order)
    return stored.ok ? seeOther(pageOf(order.id)) : this.#pages.refused(stored)
  }

  @Post('orders/:id/rebill')
  async rebill(@Param('id', OrderById) order: ShopOrder, @Body() form: Form): Promise<Outbound> {
    const rebilled = await rebill(this.#till, order, fieldOf(form, 'period') ?? '')
    return rebilled.ok ? seeOther(pageOf(rebilled.shopOrder)) : this.#pages.refused(rebilled)
  }

  @Post('orders/:id/:action')
  async change(
    @Param('id', OrderById) order: ShopOrder,
    @Param('action') action: string,
    @Body() form: Form,
  ): Promise<Outbound> {
    if (!isBackOfficeAction(action)) throw new Problem(404, 'There is no such action')
    const asked = { action, number: Number(fieldOf(form, 'number')), amount: fieldOf(form, 'amount') }
    const changed = await changeOrder(this.#till, order, asked)
    return changed.ok ? seeOther(pageOf(order.id)) : this.#pages.refused(changed)
  }
}

function pageOf(id: string): string {
  return `/back-office/orders/${id}`
}
