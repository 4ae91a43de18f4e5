/** Where the browser returns to, and where callbacks go. */
export const RETURN_URL = 'https://shop.example.com/return'
export const SERVER_URL = 'https://shop.example.com/server'
export const NOTIFY_URL = 'https://shop.example.com/notify'
