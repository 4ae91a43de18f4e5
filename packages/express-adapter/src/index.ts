export { paymentCallbacks } from './payment-callbacks.ts'
