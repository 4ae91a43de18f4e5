export { type TraceCallsOptions, traceCalls } from './trace-calls.ts'
