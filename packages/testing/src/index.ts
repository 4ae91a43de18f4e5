export type { AdapterCase } from './adapter-cases/adapter-case.ts'
export { adapterCases } from './adapter-cases/adapter-cases.ts'
export { eachAdapterCase } from './adapter-cases/each-adapter-case.ts'
export {
  ADAPTER_PARSERS,
  type AdapterParser,
  type AdapterSetup,
  type AdapterShop,
  type MountAdapter,
} from './adapter-cases/mount-adapter.ts'
export type { BrowserForm } from './browser-form.ts'
export { callbacksTo, serverToServer, signedCallback } from './callbacks.ts'
export { cards, cardWithFault, type TestCard } from './cards.ts'
export { fakeClock } from './clocks.ts'
export { accepted, gatewayFailed, notSent, rejected, signatureRefused, unknown } from './fake-client/answers.ts'
export { type FakeClient, fakeClient } from './fake-client/fake-client.ts'
export type { FakeCall } from './fake-client/script.ts'
export { customer, fakeIds, fakeNonce, testControlKey, testKeyPair } from './fakes.ts'
export { fixtures } from './fixtures/fixtures.ts'
export { recordedCallback, recordedReplies } from './fixtures/recorded-replies.ts'
export { refusalFixture, replyFixture } from './fixtures/reply-fixture.ts'
export { fullReplyValues, replyValues } from './fixtures/reply-values.ts'
export { requestFixture } from './fixtures/request-fixture.ts'
export type { Scenario } from './gateway/scenario.ts'
export { type StartGatewayOptions, startGateway } from './gateway/start-gateway.ts'
export type { TestGateway, TestMerchant } from './gateway/test-gateway.ts'
export { buildInput, saleInput } from './inputs/build-input.ts'
export { assertApproved, assertBalanced, assertChargedOnce } from './matchers/assertions.ts'
export { paymentMatchers } from './matchers/payment-matchers.ts'
export { type RemoteSandbox, sandboxAt } from './sandbox/sandbox-at.ts'
export { type CustomerAnswer, passChallenge, passPaReq } from './simulated-issuer.ts'
export { verifyScripts } from './unused-scripts.ts'
