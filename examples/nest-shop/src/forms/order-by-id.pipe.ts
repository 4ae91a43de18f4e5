import { Inject, Injectable, type PipeTransform } from '@nestjs/common'
import { recordRefusals, type ShopOrder } from '@tallystick/shop-kit'
import { Problem } from '../pages/problem.ts'
import { ShopTill } from '../till/shop-till.ts'

/** Turns the id in a path into the order in its current state. */
@Injectable()
export class OrderById implements PipeTransform<string, Promise<ShopOrder>> {
  readonly #till: ShopTill

  constructor(@Inject(ShopTill) till: ShopTill) {
    this.#till = till
  }

  /** @throws Problem if there is no such order */
  async transform(id: string): Promise<ShopOrder> {
    await recordRefusals(this.#till, id)
    const order = this.#till.database.rows.order(id)
    if (order === undefined) throw new Problem(404, 'There is no such order')
    return order
  }
}
