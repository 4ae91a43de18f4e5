import { Body, Controller, Get, Inject, Ip, Param, Post, UseInterceptors } from '@nestjs/common'
import type { Outbound } from '@tallystick/client'
import { checkout, type Pages, products, type ShopOrder, seeOther } from '@tallystick/shop-kit'
import { type Form, fieldOf } from '../forms/form.ts'
import { OrderById } from '../forms/order-by-id.pipe.ts'
import { OutboundInterceptor } from '../pages/outbound.interceptor.ts'
import { PAGES } from '../pages/pages.provider.ts'
import { Problem } from '../pages/problem.ts'
import { ShopTill } from '../till/shop-till.ts'

/** What a customer sees: the catalogue, and the page of an order. */
@Controller()
@UseInterceptors(OutboundInterceptor)
export class ShopFrontController {
  readonly #till: ShopTill
  readonly #pages: Pages

  constructor(@Inject(ShopTill) till: ShopTill, @Inject(PAGES) pages: Pages) {
    this.#till = till
    this.#pages = pages
  }

  @Get()
  catalogue(): Outbound {
    return this.#pages.catalogue()
  }

  @Get('style.css')
  style(): Outbound {
    return this.#pages.style()
  }

  @Get('tally.svg')
  icon(): Outbound {
    return this.#pages.icon()
  }

  @Post('orders')
  async buy(@Body() form: Form, @Ip() customerIp: string): Promise<Outbound> {
    const product = products.find(({ id }) => id === fieldOf(form, 'product'))
    if (product === undefined) throw new Problem(404, 'There is no such product')
    const { shopOrder, payUrl } = await checkout(this.#till, product, customerIp)
    return seeOther(payUrl ?? `/orders/${shopOrder}`)
  }

  @Get('orders/:id')
  order(@Param('id', OrderById) order: ShopOrder): Outbound {
    return this.#pages.order(order)
  }
}
