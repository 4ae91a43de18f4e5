/**
 * The order of the files and folders below `src` of each package, from the top down. A file imports only what stands on its own line
 * or below. Of several names that fit a file, the longest counts.
 */
import { posix } from 'node:path'

export type Order = readonly string[]

export const layers: Readonly<Record<string, Order>> = {
  core: [
    'index internal openapi',
    'addresses control callbacks/codec',
    'codec recording/order-steps',
    'callbacks',
    'codec/form codec/percent codec/encode-form',
    'profile',
    'operations',
    'rules',
    'requests replies',
    'fields',
    'models',
    'options errors',
    'schedules sensitive money statuses http recording',
  ],
  signing: [
    'index internal',
    'doctor',
    'oauth/sign-oauth oauth/verify-oauth',
    'oauth/refuse-request',
    'oauth/signature-methods',
    'control replay',
    'keys',
    'oauth',
    'errors',
  ],
  client: [
    'index ports internal',
    'client',
    'flows',
    'three-ds',
    'callbacks/callback-handler callbacks/return-handler callbacks/fastify callbacks/fetch callbacks/repeated-callbacks',
    'payment-client',
    'check-credentials',
    'three-ds/three-ds three-ds/browser',
    'callbacks',
    'methods',
    'outcomes',
    'call',
    'options',
    'result',
    'credentials',
    'ports/intent ports/journal-store ports/callback-inbox',
    'recording',
    'transport',
    'diagnostics',
    'runtime',
  ],
  journal: [
    'index postgres pg-boss better-sqlite3 drizzle knex kysely mikro-orm mysql2 postgres-js prisma sequelize typeorm',
    'cli',
    'journal',
    'options',
    'recording',
    'background/loop',
    'background/clock-changes',
    'outcomes',
    'pay/request',
    'reconcile/orphans',
    'pay/pay pay/send pay/prepared',
    'pay/find-forgotten pay/forgotten-change',
    'reconcile/review',
    'reconcile/reconciler',
    'pay',
    'reconcile',
    'context',
    'events',
    'background',
    'store',
    'status',
    'intents',
    'background/lease',
    'runtime',
  ],
  gateway: [
    'index command internal',
    'cli',
    'sqlite postgres store-port',
    'sandbox',
    'gateway',
    'inspection',
    'start',
    'simulated-acs',
    'faults',
    'pages',
    'handler',
    'requests',
    'operations',
    'processing',
    'options',
    'context',
    'faults/faults',
    'scheduler',
    'recording',
    'callbacks',
    'key-rotation',
    'acquirer',
    'events',
    'store/postgres store/sqlite store/memory store/sql store',
    'ledger',
    'orders',
    'vault',
    'merchants',
    'http',
    'texts',
    'runtime',
  ],
  'nest-module': [
    'index',
    'payments.module',
    'payments.providers payments.routes shop.module shop.options',
    'check-options',
    'payments.instance',
    'gateway',
    'outcomes',
    'payments.options payments.tokens',
    'routes',
    'under-way',
  ],
  cli: [
    'runtime/main runtime/run',
    'commands',
    'certify received trigger orders tail workbench',
    'sandbox',
    'sign',
    'command',
    'runtime',
    'arguments',
    'world',
    'arguments/parse',
    'help',
  ],
  testing: [
    'index internal jest vitest vitest-4',
    'verify-in-vitest',
    'adapter-cases sandbox',
    'fake-client callbacks',
    'gateway',
    'simulated-issuer',
    'matchers',
    'fixtures',
    'inputs',
    'cards browser-form clocks',
    'fakes',
    'options unused-scripts traces not-begun gateway/direct-transport',
  ],
}

/** Whether a file of the package imports one that stands above it. Also of one that has no place in the order. */
export function isAgainstOrder(order: Order, path: string, specifier: string): boolean {
  if (order.length === 0 || !path.startsWith('src/')) return false
  return placeOf(order, posix.join(posix.dirname(path), specifier)) < placeOf(order, path)
}

/** The line of a file. A file without one stands above all, so that no other may import it. */
function placeOf(order: Order, path: string): number {
  const file = path.slice('src/'.length).replace(/\.ts$/, '')
  const fitting = order.flatMap((line, place) => line.split(' ').map((name) => ({ name, place }))).filter(fits)
  return fitting.reduce((best, next) => (next.name.length > best.name.length ? next : best), { name: '', place: -1 })
    .place

  function fits({ name }: { readonly name: string }): boolean {
    return file === name || file.startsWith(`${name}/`)
  }
}

/** The groups of files that import each other in a circle, by types either, each with its files. */
export function findCircles(imports: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const reached = new Map([...imports.keys()].map((file) => [file, reachedFrom(file, imports)]))
  const inCircle = [...reached].filter(([file, others]) => others.has(file)).map(([file]) => file)
  const groups = inCircle.map((file) => inCircle.filter((other) => isTogether(file, other)))
  return groups.filter(([first], index) => inCircle[index] === first)

  function isTogether(file: string, other: string): boolean {
    return reached.get(file)?.has(other) === true && reached.get(other)?.has(file) === true
  }
}

/** The files that one imports, and those that these import. */
export function reachedFrom(file: string, imports: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const reached = new Set<string>()
  const left = [...(imports.get(file) ?? [])]
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (reached.has(next)) continue
    reached.add(next)
    left.push(...(imports.get(next) ?? []))
  }
  return reached
}
