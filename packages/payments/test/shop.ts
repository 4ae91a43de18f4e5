import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { memoryJournalStore } from '@tallystick/journal'
import { cards, startGateway, type TestCard, type TestGateway } from '@tallystick/testing'
import express from 'express'
import { onTestFinished } from 'vitest'
import {
  createPayments,
  type OperationEnd,
  type PaidPayment,
  type PaymentNotice,
  type PaymentOrder,
  type Payments,
  type PaymentsEvent,
  type PaymentsOptions,
} from '../src/index.ts'

export const order: PaymentOrder = {
  amount: '10.42',
  currency: 'EUR',
  description: 'Tea',
  customer: {
    email: 'a@example.com',
    phone: '+49301234567',
    address1: 'Main st 1',
    city: 'Berlin',
    zipCode: '10115',
    country: 'DE',
    ip: '203.0.113.7',
  },
}

/** Everything that a shop was called with. */
export interface Heard {
  readonly paid: PaidPayment[]
  readonly notices: PaymentNotice[]
  readonly results: OperationEnd[]
  readonly events: PaymentsEvent[]
}

export interface TestShop extends Heard {
  readonly gateway: TestGateway
  readonly payments: Payments<undefined>
  readonly url: string
  /** Fills in the form, waits for the outcome, and comes back as the browser does. */
  comeBack(form: string | undefined, card?: TestCard, headers?: Record<string, string>): Promise<Response>
}

type Changes = Partial<Omit<PaymentsOptions<undefined>, 'database'>> & { readonly mountedAt?: string }

/** A shop on Express with a gateway, both closed with the test. */
export async function openShop({ mountedAt = '/payments', ...changes }: Changes = {}): Promise<TestShop> {
  const gateway = await startGateway()
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const heard: Heard = { paid: [], notices: [], results: [], events: [] }
  const payments = createPayments<undefined>({
    gateway: gateway.client(),
    database: memoryJournalStore(),
    shopUrl: url,
    onPaid: ({ payment }) => void heard.paid.push(payment),
    onNotice: ({ notice }) => void heard.notices.push(notice),
    onResult: ({ result }) => void heard.results.push(result),
    onEvent: (event) => void heard.events.push(event),
    journal: { clock: gateway.clock },
    ...changes,
  })
  server.on('request', express().use(mountedAt, payments.express()))
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
    await payments.close()
    await gateway.close()
  })
  return {
    gateway,
    payments,
    url,
    ...heard,
    comeBack: async (form = '', card = cards.approved, headers = {}) => {
      const { to, fields } = await gateway.payOnPages(form, card)
      await payments.journal.settled()
      return await fetch(to, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual', headers })
    },
  }
}
