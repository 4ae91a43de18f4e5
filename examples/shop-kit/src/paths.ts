/** Where the shop receives the gateway's callbacks and the browsers that return from the gateway. */
export const CALLBACK_PATH = '/payments/callback'
export const RETURN_PATH = '/payments/return'
