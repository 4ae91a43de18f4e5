/** Where the gateway and the browsers that it sends back reach a shop. */
export const CALLBACK_PATH = '/payments/callback'
export const RETURN_PATH = '/payments/return'
