import { expect, test } from 'vitest'
import { readmes } from '../options/readme-tables.ts'

/** The tables that every user of a package needs. */
const WANTED: Readonly<Record<string, readonly string[]>> = {
  client: ['PaymentClientOptions'],
  core: ['defineProfile'],
  'express-adapter': ['InboxHandlerOptions', 'CallbackHandlerOptions', 'ThreeDsReturnOptions'],
  gateway: ['GatewayOptions', 'MerchantOptions', 'EndpointOptions'],
  journal: ['JournalOptions'],
  'nest-module': ['PaymentsModuleOptions', 'RouteOptions'],
  opentelemetry: ['TraceCallsOptions'],
  signing: ['SignOAuthInput', 'VerifyOAuthInput', 'replayGuard'],
  testing: ['StartGatewayOptions'],
}

const all = readmes()

test.for(all)('the option tables in $name match the types (`pnpm docs:options`)', (readme) => {
  expect(readme.text).toBe(readme.wanted)
})

test.for(all)('every option in $name has a meaning', ({ wanted }) => {
  expect(wanted.match(/^\| .* \| {2}\|$/gm)).toBeNull()
})

test.for(Object.entries(WANTED))(
  'the README of %s, or its page of the docs, has a table of its options',
  ([folder, names]) => {
    const pages = all.filter((page) => page.folder === folder)
    const places = pages.flatMap((page) => page.tables)
    expect(places).toEqual(expect.arrayContaining([...names]))
  },
)
