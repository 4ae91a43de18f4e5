/** A global of Node.js, for the packages. */
export { Buffer } from 'buffer/index.js'
