/**
 * What the playground of the site runs in a browser: the same as the commands `sign` and `explain`. From the sources alone, no part of
 * what is published.
 */
export { NO_GATEWAY } from './arguments/brand.ts'
export { given, pairsOf, UsageError } from './arguments/parse.ts'
export { diagnoseCallback, diagnoseRequest } from './received/diagnose-request.ts'
export { type Diagnosis, unjudged } from './received/diagnosis.ts'
export { callbackQuery, readReceived } from './received/received.ts'
export { asCurl, remarks, type SignedRequest, signedRequest } from './sign/sign.ts'
