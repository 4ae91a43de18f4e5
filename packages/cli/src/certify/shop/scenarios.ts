import type { Scenario } from './scenario.ts'
import { amountCents } from './scenarios/amount-cents.ts'
import { amountLargest } from './scenarios/amount-largest.ts'
import { amountSmallest } from './scenarios/amount-smallest.ts'
import { amountWithoutDecimals } from './scenarios/amount-without-decimals.ts'
import { approved } from './scenarios/approved.ts'
import { backButton } from './scenarios/back-button.ts'
import { callbackAmountDiffers } from './scenarios/callback-amount-differs.ts'
import { callbackBeforeReply } from './scenarios/callback-before-reply.ts'
import { callbackBeforeReturn } from './scenarios/callback-before-return.ts'
import { callbackBurst } from './scenarios/callback-burst.ts'
import { callbackByPost } from './scenarios/callback-by-post.ts'
import { callbackCurrencyDiffers } from './scenarios/callback-currency-differs.ts'
import { callbackForged } from './scenarios/callback-forged.ts'
import { callbackLate } from './scenarios/callback-late.ts'
import { callbackNever } from './scenarios/callback-never.ts'
import { callbackOfAnotherOrder } from './scenarios/callback-of-another-order.ts'
import { callbackOutOfOrder } from './scenarios/callback-out-of-order.ts'
import { callbackReplayedAfterRefund } from './scenarios/callback-replayed-after-refund.ts'
import { callbackShifted } from './scenarios/callback-shifted.ts'
import { callbackStatusChanged } from './scenarios/callback-status-changed.ts'
import { callbackTwice } from './scenarios/callback-twice.ts'
import { callbackTwiceAtOnce } from './scenarios/callback-twice-at-once.ts'
import { callbackUnknownStatus } from './scenarios/callback-unknown-status.ts'
import { callbackWithoutControl } from './scenarios/callback-without-control.ts'
import { cancel } from './scenarios/cancel.ts'
import { cardInLog } from './scenarios/card-in-log.ts'
import { chargeback } from './scenarios/chargeback.ts'
import { chargebackAfterReturn } from './scenarios/chargeback-after-return.ts'
import { classicReplies } from './scenarios/classic-replies.ts'
import { clockOff } from './scenarios/clock-off.ts'
import { declined } from './scenarios/declined.ts'
import { doubleClick } from './scenarios/double-click.ts'
import { error } from './scenarios/error.ts'
import { errorThenCommitted } from './scenarios/error-then-committed.ts'
import { filtered } from './scenarios/filtered.ts'
import { formExpired } from './scenarios/form-expired.ts'
import { formLeft } from './scenarios/form-left.ts'
import { gzip } from './scenarios/gzip.ts'
import { htmlPage } from './scenarios/html-page.ts'
import { killedAfterCallback } from './scenarios/killed-after-callback.ts'
import { killedInHandler } from './scenarios/killed-in-handler.ts'
import { killedWhileSending } from './scenarios/killed-while-sending.ts'
import { orderIdAsNumber } from './scenarios/order-id-as-number.ts'
import { overloaded } from './scenarios/overloaded.ts'
import { partialReversals } from './scenarios/partial-reversals.ts'
import { pollsWithoutEnd } from './scenarios/polls-without-end.ts'
import { redirect } from './scenarios/redirect.ts'
import { refund } from './scenarios/refund.ts'
import { refundDeclined } from './scenarios/refund-declined.ts'
import { refundReplyLost } from './scenarios/refund-reply-lost.ts'
import { refundTooMuch } from './scenarios/refund-too-much.ts'
import { refundTwiceAtOnce } from './scenarios/refund-twice-at-once.ts'
import { refusedByProxy } from './scenarios/refused-by-proxy.ts'
import { replyCut } from './scenarios/reply-cut.ts'
import { replyLostAfterOrder } from './scenarios/reply-lost-after-order.ts'
import { replyLostBeforeOrder } from './scenarios/reply-lost-before-order.ts'
import { replySlow } from './scenarios/reply-slow.ts'
import { returnBeforeOutcome } from './scenarios/return-before-outcome.ts'
import { returnForged } from './scenarios/return-forged.ts'
import { returnFromAnotherSite } from './scenarios/return-from-another-site.ts'
import { returnWithoutPayment } from './scenarios/return-without-payment.ts'
import { reversal } from './scenarios/reversal.ts'
import { secondTry } from './scenarios/second-try.ts'
import { texts } from './scenarios/texts.ts'
import { threeDsAbandoned } from './scenarios/three-ds-abandoned.ts'
import { threeDsFailed } from './scenarios/three-ds-failed.ts'
import { threeDsPassed } from './scenarios/three-ds-passed.ts'
import { twoOrders } from './scenarios/two-orders.ts'
import { twoTabs } from './scenarios/two-tabs.ts'
import { unknownFields } from './scenarios/unknown-fields.ts'
import { unknownThenApproved } from './scenarios/unknown-then-approved.ts'
import { unknownThenDeclined } from './scenarios/unknown-then-declined.ts'
import { wrongContentType } from './scenarios/wrong-content-type.ts'

/** The first shows whether the shop can be tried at all. */
export const SCENARIOS: readonly Scenario[] = [
  approved,
  declined,
  filtered,
  error,
  threeDsPassed,
  threeDsFailed,
  threeDsAbandoned,
  formLeft,
  formExpired,
  secondTry,
  twoOrders,
  amountSmallest,
  amountLargest,
  amountCents,
  amountWithoutDecimals,
  texts,
  replyLostBeforeOrder,
  replyLostAfterOrder,
  replySlow,
  errorThenCommitted,
  overloaded,
  htmlPage,
  replyCut,
  wrongContentType,
  redirect,
  gzip,
  refusedByProxy,
  unknownThenApproved,
  unknownThenDeclined,
  orderIdAsNumber,
  unknownFields,
  classicReplies,
  callbackTwice,
  callbackTwiceAtOnce,
  callbackOutOfOrder,
  callbackBeforeReply,
  callbackBeforeReturn,
  callbackNever,
  callbackLate,
  callbackForged,
  callbackWithoutControl,
  callbackStatusChanged,
  callbackShifted,
  callbackOfAnotherOrder,
  callbackAmountDiffers,
  callbackCurrencyDiffers,
  callbackUnknownStatus,
  callbackReplayedAfterRefund,
  callbackByPost,
  callbackBurst,
  reversal,
  partialReversals,
  chargeback,
  chargebackAfterReturn,
  doubleClick,
  twoTabs,
  backButton,
  returnForged,
  returnWithoutPayment,
  returnBeforeOutcome,
  returnFromAnotherSite,
  killedWhileSending,
  killedAfterCallback,
  killedInHandler,
  clockOff,
  pollsWithoutEnd,
  cardInLog,
  refund,
  refundTwiceAtOnce,
  refundTooMuch,
  refundReplyLost,
  refundDeclined,
  cancel,
]
