import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import type { LedgerRow, OperationRow, OrderRow, ShopOrder } from './order.ts'
import { type Columns, ledgerRowOf, operationRowOf, orderRowOf } from './read-columns.ts'

/**
 * The rows of the shop, through a connection: the shop's own, or the transaction that the journal passes to its handler. What is
 * written in that transaction takes effect exactly once, together with the record that the handler ran.
 */
export class ShopRows {
  readonly #database: DatabaseSync

  constructor(database: DatabaseSync) {
    this.#database = database
  }

  openOrder(order: Pick<OrderRow, 'id' | 'name' | 'amount' | 'currency' | 'createdAt'>): void {
    const { id, name, amount, currency, createdAt } = order
    this.#run(
      'insert into shop_orders (id, name, amount, currency, created_at) values (?, ?, ?, ?, ?)',
      id,
      name,
      amount,
      currency,
      createdAt,
    )
  }

  /** Stores the ids of the order at the gateway, and the address of its page there. */
  nameOrder(id: string, { clientOrderId, orderId, payUrl }: Partial<OrderRow>): void {
    this.#run(
      `update shop_orders set client_order_id = coalesce(?, client_order_id), order_id = coalesce(?, order_id),
       pay_url = coalesce(?, pay_url) where id = ?`,
      clientOrderId ?? null,
      orderId ?? null,
      payUrl ?? null,
      id,
    )
  }

  storeCard(id: string, cardRefId: string): void {
    this.#run('update shop_orders set card_ref_id = ? where id = ?', cardRefId, id)
  }

  order(id: string): ShopOrder | undefined {
    return this.#orders('where id = ?', id)[0]
  }

  orderOfClient(clientOrderId: string): ShopOrder | undefined {
    return this.#orders('where client_order_id = ?', clientOrderId)[0]
  }

  /** The newest first. */
  orders(limit: number): readonly ShopOrder[] {
    return this.#orders('order by created_at desc, rowid desc limit ?', limit)
  }

  addOperation(operation: Omit<OperationRow, 'statusAt' | 'note'>): void {
    const { name, shopOrder, kind, amount, status, createdAt } = operation
    this.#run(
      `insert into shop_operations (name, shop_order, kind, amount, status, created_at, status_at)
       values (?, ?, ?, ?, ?, ?, ?)`,
      name,
      shopOrder,
      kind,
      amount,
      status,
      createdAt,
      createdAt,
    )
  }

  operation(name: string): OperationRow | undefined {
    return this.#all('select * from shop_operations where name = ?', name).map(operationRowOf)[0]
  }

  /** Those without a known outcome, of all orders or of one. */
  openOperations(shopOrder?: string): readonly OperationRow[] {
    return this.#all(
      `select * from shop_operations where status = 'sent' and shop_order = coalesce(?, shop_order)`,
      shopOrder ?? null,
    ).map(operationRowOf)
  }

  /** Records how an operation ended. */
  endOperation({ name, kind, amount, status, statusAt, note }: Omit<OperationRow, 'shopOrder' | 'createdAt'>): void {
    this.#run(
      'update shop_operations set kind = ?, amount = ?, status = ?, status_at = ?, note = ? where name = ?',
      kind,
      amount,
      status,
      statusAt,
      note ?? null,
      name,
    )
  }

  addToLedger({ key, businessKey, operation, status, amount, currency, at }: LedgerRow): void {
    this.#run(
      `insert into shop_ledger (key, business_key, operation, status, amount, currency, at) values (?, ?, ?, ?, ?, ?, ?)`,
      key,
      businessKey,
      operation,
      status,
      amount ?? null,
      currency ?? null,
      at,
    )
  }

  /** The newest first. */
  ledger(limit: number): readonly LedgerRow[] {
    return this.#all('select * from shop_ledger order by rowid desc limit ?', limit).map(ledgerRowOf)
  }

  /** What the journal has reported of a business key, the oldest first. */
  ledgerOf(businessKey: string): readonly LedgerRow[] {
    return this.#all('select * from shop_ledger where business_key = ? order by rowid', businessKey).map(ledgerRowOf)
  }

  #orders(where: string, parameter: SQLInputValue): readonly ShopOrder[] {
    return this.#all(`select * from shop_orders ${where}`, parameter).map((columns) => {
      const order = orderRowOf(columns)
      const operations = this.#all('select * from shop_operations where shop_order = ? order by rowid', order.id)
      return { ...order, operations: operations.map(operationRowOf) }
    })
  }

  #all(sql: string, ...parameters: readonly SQLInputValue[]): readonly Columns[] {
    return this.#database.prepare(sql).all(...parameters)
  }

  #run(sql: string, ...parameters: readonly SQLInputValue[]): void {
    this.#database.prepare(sql).run(...parameters)
  }
}
