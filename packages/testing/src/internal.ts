/**
 * What the other packages of tallystick need of this one. No part of the public interface: it may change in any release, so a package
 * depends on exactly its own version.
 */
export type { AdapterCase } from './adapter-cases/adapter-case.ts'
export { adapterCases } from './adapter-cases/each-adapter-case.ts'
export { ADAPTER_PARSERS, type AdapterParser, type AdapterSetup } from './adapter-cases/mount-adapter.ts'
export type { BrowserForm } from './browser-form.ts'
export { payOnPages } from './gateway/pay-on-pages.ts'
