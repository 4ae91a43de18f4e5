/** Express 4.21, whose types as far as they are used here are those of Express 5. */
declare module 'express4' {
  import express from 'express'

  export default express
}
