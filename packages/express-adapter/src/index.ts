export { browserReturn } from './browser-return.ts'
export { gatewayRoutes } from './gateway-routes.ts'
export { paymentCallbacks } from './payment-callbacks.ts'
export { threeDsReturn } from './three-ds-return.ts'
