import { expect, test } from 'vitest'
import { readmes } from '../options/readme-tables.ts'

/** What every user of a package has to fill in. */
const WANTED: Readonly<Record<string, readonly string[]>> = {
  client: ['PaymentClientOptions'],
  core: ['defineProfile'],
  'express-adapter': ['InboxHandlerOptions', 'CallbackHandlerOptions', 'ThreeDsReturnOptions'],
  gateway: ['GatewayOptions', 'MerchantOptions', 'EndpointOptions'],
  journal: ['JournalOptions'],
  'nest-module': ['PaymentsModuleOptions', 'RouteOptions'],
  signing: ['SignOAuthInput', 'VerifyOAuthInput', 'ReplayGuardOptions'],
  testing: ['StartGatewayOptions'],
}

const all = readmes()

test.for(all)('the tables of options in $name are what the types say (`pnpm docs:options`)', (readme) => {
  expect(readme.text).toBe(readme.wanted)
})

test.for(all)('every option in $name says what it means', ({ wanted }) => {
  expect(wanted.match(/^\| .* \| {2}\|$/gm)).toBeNull()
})

test.for(Object.entries(WANTED))(
  'the README of %s, or its page of the docs, has a table of its options',
  ([folder, names]) => {
    const pages = all.filter((page) => page.folder === folder)
    const places = pages.flatMap((page) => page.places.map(({ name }) => name))
    expect(places).toEqual(expect.arrayContaining([...names]))
  },
)
