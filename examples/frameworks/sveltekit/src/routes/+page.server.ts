import { randomUUID } from 'node:crypto'
import { redirect } from '@sveltejs/kit'

export const load = () => redirect(303, `/invoices/${randomUUID()}`)
