export type { AdapterCase, CaseRequest, CaseRoute, Seen, ShopBehaviour } from './adapter-cases/adapter-case.ts'
export { adapterCases } from './adapter-cases/adapter-cases.ts'
export { type EachAdapterCaseOptions, eachAdapterCase } from './adapter-cases/each-adapter-case.ts'
export {
  ADAPTER_PARSERS,
  type AdapterParser,
  type AdapterSetup,
  type AdapterShop,
  type MountAdapter,
  type MountedAdapter,
} from './adapter-cases/mount-adapter.ts'
export type { BrowserForm } from './browser-form.ts'
export { type CallbackInput, callbacksTo, serverToServer, signedCallback } from './callbacks.ts'
export { cards, cardWithFault, type TestCard } from './cards.ts'
export { fakeClock } from './clocks.ts'
export {
  type AcceptedAnswer,
  type Answer,
  accepted,
  type FailedAnswer,
  gatewayFailed,
  notSent,
  rejected,
  type ScriptedAnswer,
  signatureRefused,
  type Told,
  unknown,
} from './fake-client/answers.ts'
export { type FakeClient, type FakeClientOptions, fakeClient } from './fake-client/fake-client.ts'
export type { FakeCall } from './fake-client/script.ts'
export { MissingAnswerError } from './fake-client/scripted-transport.ts'
export { customer, fakeIds, fakeNonce, type TestKeyPair, testControlKey, testKeyPair } from './fakes.ts'
export { fixtures, type OperationFixture } from './fixtures/fixtures.ts'
export { type RecordedReply, recordedCallback, recordedReplies } from './fixtures/recorded-replies.ts'
export { type RefusalKind, type ReplyFixture, refusalFixture, replyFixture } from './fixtures/reply-fixture.ts'
export { fullReplyValues, replyValues } from './fixtures/reply-values.ts'
export { type RequestFixtureOptions, requestFixture } from './fixtures/request-fixture.ts'
export type { Fetch } from './gateway/direct-transport.ts'
export type { Scenario, ScenarioOf } from './gateway/scenario.ts'
export { type StartGatewayOptions, startGateway } from './gateway/start-gateway.ts'
export type { TestGateway, TestMerchant } from './gateway/test-gateway.ts'
export { buildInput } from './inputs/build-input.ts'
export {
  accountVerificationFormInput,
  accountVerificationInput,
  captureInput,
  createCardRefInput,
  createCardRefV4Input,
  createRecurringPaymentInput,
  createRecurringPaymentsInput,
  getCardInfoInput,
  getRecurringPaymentInput,
  type InputBuilder,
  makeRebillInput,
  panEligibilitySendInput,
  paymentFormInput,
  payoutCheckInput,
  payoutFormInput,
  payoutInput,
  payoutPayInput,
  preauthFormInput,
  preauthInput,
  processRecurringPaymentInput,
  processRecurringPaymentsInput,
  returnInput,
  saleFormInput,
  saleInput,
  statusInput,
  transferByRefInput,
  transferInput,
  updateRecurringPaymentInput,
  updateRecurringPaymentsInput,
  uploadCresResultInput,
  uploadMethodUrlResultInput,
  uploadParesResultInput,
  voidInput,
} from './inputs/inputs.ts'
export type { Ended } from './matchers/approved.ts'
export { assertApproved, assertBalanced, assertChargedOnce } from './matchers/assertions.ts'
export type { Charged } from './matchers/charged-once.ts'
export type { Orders } from './matchers/judgement.ts'
export { type MatcherResult, type PaymentMatchers, paymentMatchers } from './matchers/payment-matchers.ts'
export {
  type RemoteOrderFilter,
  type RemoteSandbox,
  type RemoteScenario,
  type SandboxAtOptions,
  sandboxAt,
} from './sandbox/sandbox-at.ts'
export { type CustomerAnswer, passChallenge, passPaReq } from './simulated-issuer.ts'
export { UnusedScriptError, verifyScripts } from './unused-scripts.ts'
