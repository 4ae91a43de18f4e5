export type { AdapterCase, CaseRequest, CaseRoute, Seen, ShopMood } from './adapter-case.ts'
export { adapterCases } from './adapter-cases.ts'
export { type EachAdapterCaseOptions, eachAdapterCase } from './each-adapter-case.ts'
export {
  ADAPTER_PARSERS,
  type AdapterParser,
  type AdapterSetup,
  type AdapterShop,
  type MountAdapter,
  type MountedAdapter,
} from './mount-adapter.ts'
