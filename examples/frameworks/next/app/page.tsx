import { randomUUID } from 'node:crypto'
import { redirect } from 'next/navigation'
import { connection } from 'next/server'

export default async function Page() {
  await connection() // a new invoice for each customer, not one for each build
  redirect(`/invoices/${randomUUID()}`)
}
